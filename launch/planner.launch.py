"""Start the planner node with its parameters."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node


def generate_launch_description() -> LaunchDescription:
    config = Path(get_package_share_directory("gist_ros")) / "config"
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "params_file",
                default_value=str(config / "planner.yaml"),
                description="parameters of the planner node",
            ),
            DeclareLaunchArgument(
                "scene", default_value="", description="scene file to start with; may be empty"
            ),
            Node(
                package="gist_ros",
                executable="planner_node",
                name="planner",
                parameters=[
                    LaunchConfiguration("params_file"),
                    {"scene": LaunchConfiguration("scene")},
                ],
                output="screen",
            ),
        ]
    )
