#!/bin/sh
# Set up everything that Gist needs. Called by the Makefile; see `make help`.
#
#   setup.sh python DEST   Debian packages where missing, .venv, every library
#   setup.sh ros DEST      the ROS interfaces, built by colcon into install/
#
# DEST is the file that says that the step was done. Needs nothing but a POSIX shell.
set -eu
cd "$(dirname "$0")/.."
ROOT=$PWD
VENV=$ROOT/.venv
STARTED=$(date +%s)

step() { printf '[%3ds] %s\n' "$(($(date +%s) - STARTED))" "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

uses_installed_ros() { [ -n "${ROS_DISTRO:-}" ] && [ -n "${AMENT_PREFIX_PATH:-}" ]; }

# Print the interpreter that the venv is made from.
find_python() {
    for candidate in ${GIST_PYTHON:-python3 python3.12 python3.11 python3.13 python3.10}; do
        if "$candidate" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' \
            2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
}

# Print the Debian packages that are missing for the interpreter $1 (empty: there is none).
missing_packages() {
    command -v cmake >/dev/null || printf 'cmake '
    command -v c++ >/dev/null || printf 'g++ '
    if [ -z "$1" ]; then
        printf 'python3 python3-venv python3-dev '
        return
    fi
    name=python3
    [ "$(readlink -f "$1")" = "$(readlink -f /usr/bin/python3 2>/dev/null)" ] ||
        name=$("$1" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    "$1" -c 'import ensurepip, venv' 2>/dev/null || printf '%s-venv ' "$name"
    "$1" -c 'import os, sysconfig, sys
sys.exit(not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))' ||
        printf '%s-dev ' "$name"
}

install_packages() {
    command -v apt-get >/dev/null ||
        fail "this machine lacks $*and has no apt-get; install what corresponds and try again"
    if [ "$(id -u)" = 0 ]; then
        sudo=
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo='sudo -n'
    else
        fail "Debian packages are missing and there is no right to install them. Please run:
    sudo apt-get update && sudo apt-get install --no-install-recommends $*"
    fi
    log=$(mktemp)
    # shellcheck disable=SC2086
    { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends $*; } >"$log" 2>&1 ||
        { tail -n 15 "$log" >&2; fail "apt-get could not install $*"; }
    rm -f "$log"
}

setup_python() {
    step "1/5 looking for Python, a C++ compiler and CMake"
    python=$(find_python)
    packages=$(missing_packages "$python")
    if [ -n "$packages" ]; then
        step "    installing $packages"
        install_packages "$packages"
        python=$(find_python)
        [ -n "$python" ] || fail "Gist needs Python 3.10 to 3.13; name one with GIST_PYTHON=..."
    fi

    pins=$ROOT/constraints.txt
    wheels='-r tools/ros-wheels.txt'
    site=
    if uses_installed_ros; then
        # The compiled messages of that ROS were built against its own numpy.
        pins=$VENV/constraints.txt
        wheels=
        site=--system-site-packages
    elif [ "$(uname -m)" != x86_64 ]; then
        fail "the ROS 2 wheels exist for x86-64 only; install ROS 2 (Humble, Jazzy or Kilted), \
source its setup file and try again"
    fi
    if [ -e "$1" ]; then
        step "2/5 keeping .venv"
    else
        step "2/5 making .venv with $("$python" --version)"
        rm -rf "$VENV" "$ROOT/install" "$ROOT/build"
        # shellcheck disable=SC2086
        "$python" -m venv $site "$VENV"
    fi
    [ -z "$site" ] || grep -v '^numpy==' constraints.txt >"$pins"

    step "3/5 installing the pinned libraries${wheels:+ and ROS 2 Jazzy} into .venv"
    pip="$VENV/bin/python -m pip --quiet --disable-pip-version-check"
    $pip install -c "$pins" setuptools wheel
    # shellcheck disable=SC2086
    $pip install -c "$pins" $wheels --no-build-isolation -e '.[dev]'
    if uses_installed_ros && ! command -v colcon >/dev/null; then
        $pip install -c "$pins" colcon-common-extensions
    fi
}

setup_ros() {
    if uses_installed_ros; then
        step "4/5 using ROS 2 $ROS_DISTRO of this machine"
    else
        step "4/5 fitting the ROS 2 wheels to this Python"
        "$VENV/bin/python" tools/ros_env.py fit-wheels
        AMENT_PREFIX_PATH=$VENV
        CMAKE_PREFIX_PATH=$VENV
        export AMENT_PREFIX_PATH CMAKE_PREFIX_PATH
    fi
    step "5/5 building the ROS interfaces (gist_ros)"
    mkdir -p log
    PATH=$VENV/bin:$PATH colcon --log-base log build --base-paths . --packages-select gist_ros \
        --symlink-install --event-handlers console_direct- --cmake-args \
        "-DPython3_EXECUTABLE=$VENV/bin/python" "-DPYTHON_EXECUTABLE=$VENV/bin/python" \
        >log/setup.log 2>&1 ||
        { tail -n 40 log/setup.log >&2; fail "colcon build failed; all of it is in log/"; }
    "$VENV/bin/python" tools/ros_env.py link install/gist_ros
    step "ready"
}

"setup_$1" "$2"
mkdir -p "$(dirname "$2")"
touch "$2"
