"""ROS 2: the planner node, message conversions and a client. No logic lives here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gist.errors import GistError

if TYPE_CHECKING:
    from gist.ros.client import Client as Client

__all__ = ["Client"]


def __getattr__(name: str) -> Any:
    if name != "Client":
        raise AttributeError(f"module 'gist.ros' has no attribute '{name}'")
    try:
        from gist.ros.client import Client
    except ModuleNotFoundError as error:
        raise GistError(
            f"{error.name} is not installed; run `make setup`, or build gist_ros in a ROS 2 "
            "workspace and source its setup file"
        ) from error
    return Client
