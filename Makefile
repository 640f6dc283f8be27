# Gist. `make demo` and `make test` set up everything that they need; nothing else is required.
#
# GIST_PYTHON=python3.12 make setup     choose the interpreter (3.10 to 3.13)
# A ROS 2 installation that is sourced is used in place of the ROS 2 wheels.

ROS := $(if $(and $(ROS_DISTRO),$(AMENT_PREFIX_PATH)),$(ROS_DISTRO),wheels)
PYTHON_READY := .venv/.ready-$(ROS)
ROS_READY := install/.ready-$(ROS)
PY := .venv/bin/python
PACKAGE := CMakeLists.txt package.xml colcon.meta \
	$(wildcard msg/*.msg srv/*.srv action/*.action launch/* scripts/* \
	config/*.yaml config/*.xml config/scenes/*.json)

.PHONY: help setup test lint demo clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    a robot asked for more than there is, and what it does about it"
	@echo "make test    every check: ruff, mypy, pytest with the ROS processes"
	@echo "make setup   .venv, libraries, ROS interfaces (the others do this first)"
	@echo "make clean   remove everything that setup made"

setup: $(ROS_READY)
	@echo "setup is complete"

$(PYTHON_READY): pyproject.toml constraints.txt tools/setup.sh tools/ros-wheels.txt
	@sh tools/setup.sh python $@

$(ROS_READY): $(PYTHON_READY) $(PACKAGE) tools/setup.sh tools/ros_env.py
	@sh tools/setup.sh ros $@

lint: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

test: lint
	$(PY) -m pytest

demo: setup
	@$(PY) -m gist.ros.demo

clean:
	rm -rf .venv build install log .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src test -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf src/*.egg-info
