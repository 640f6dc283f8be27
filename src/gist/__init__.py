"""Gist: keep the gist of what a robot was asked."""

__version__ = "0.1.0"
