"""The Fast DDS profile that Gist's programs use where the user has chosen none."""

from __future__ import annotations

import os
from pathlib import Path

from ament_index_python.packages import get_package_share_directory

_VARIABLES = ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE")


def use_profile() -> None:
    """Set the profile in this process's environment; call it before the first rclpy.init."""
    if not any(name in os.environ for name in _VARIABLES):
        profile = Path(get_package_share_directory("gist_ros")) / "config" / "fastdds.xml"
        os.environ.update(dict.fromkeys(_VARIABLES, str(profile)))
