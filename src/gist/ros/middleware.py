"""The Fast DDS profile that Gist's programs use where the user has chosen none."""

from __future__ import annotations

import os
from pathlib import Path

from ament_index_python.packages import get_package_share_directory

_VARIABLE = "FASTDDS_DEFAULT_PROFILES_FILE"
_OLD_VARIABLE = "FASTRTPS_DEFAULT_PROFILES_FILE"
_OLD = ("humble", "iron", "jazzy")
"""Releases with Fast DDS 2, which reads the old name only; Fast DDS 3 warns of it."""


def use_profile() -> None:
    """Set the profile in this process's environment; call it before the first rclpy.init."""
    if _VARIABLE not in os.environ and _OLD_VARIABLE not in os.environ:
        profile = Path(get_package_share_directory("gist_ros")) / "config" / "fastdds.xml"
        old = os.environ.get("ROS_DISTRO", "jazzy") in _OLD
        os.environ[_OLD_VARIABLE if old else _VARIABLE] = str(profile)
