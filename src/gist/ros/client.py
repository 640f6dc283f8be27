"""Five lines to a plan, for scripts and other nodes.

from gist.ros import Client

with Client() as gist:
    answer = gist.plan("Bring 4 kid snacks to table_2", scene="config/scenes/kid_snacks.json")
    print(answer.summary)
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import rclpy
from gist_ros import action, msg, srv
from rclpy.action import ActionClient
from rclpy.clock import Clock
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

import gist
from gist.errors import BadInput, GistError
from gist.planning import Answer, PlanLimits
from gist.ros import convert
from gist.ros.middleware import use_profile
from gist.scene import SceneGraph
from gist.scene.findings import Finding

_LOOK_S = 0.05
"""How often a waiting client looks whether it is cancelled or the node is gone."""
_GONE_LOOKS = 6
"""After how many looks without the node it is taken as lost."""
_count = itertools.count()


class RequestFailed(GistError):
    """The planner node did not answer the request; the message says why."""


class PlannerLost(RequestFailed):
    """The planner node is not there, or went away during the request."""


class DeadlineExceeded(RequestFailed):
    """The planner node is there but did not answer in time."""


class RequestCancelled(RequestFailed):
    """The request was taken back, or the planner node is shutting down."""


class Client:
    """Asks a planner node. Owns its ROS context and thread: works in any script or node.

    All methods may be called from several threads at once, but not from a callback of a
    single-threaded executor that something else needs meanwhile: they block until the answer.
    """

    def __init__(self, planner: str = "planner", wait_s: float = 10.0) -> None:
        """Connect to the planner node.

        Args:
            planner: the node's name, with its namespace if it has one.
            wait_s: how long each request may wait for the node to appear [s].
        """
        use_profile()
        self._planner = planner
        self._wait_s = wait_s
        self._context = Context()
        rclpy.init(context=self._context)
        self._node = Node(
            f"gist_client_{os.getpid()}_{next(_count)}",
            context=self._context,
            start_parameter_services=False,
            enable_rosout=False,
        )
        self._plan = self._node.create_client(srv.Plan, f"{planner}/plan")
        self._load = self._node.create_client(srv.LoadSceneGraph, f"{planner}/load_scene_graph")
        self._save = self._node.create_client(srv.SaveSceneGraph, f"{planner}/save_scene_graph")
        self._get = self._node.create_client(srv.GetSceneGraph, f"{planner}/get_scene_graph")
        self._task = ActionClient(self._node, action.PlanTask, f"{planner}/plan_task")
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._thread = threading.Thread(target=self._executor.spin, name="gist_client", daemon=True)
        self._thread.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give up what the client holds; it cannot be used afterwards."""
        self._executor.shutdown(timeout_sec=2.0)
        self._thread.join(timeout=2.0)
        self._task.destroy()
        self._node.destroy_node()
        rclpy.shutdown(context=self._context)

    # --- planning

    def plan(
        self,
        goal: str,
        scene: SceneGraph | str | os.PathLike[str] | None = None,
        *,
        domain: str = "",
        frontend: str = "",
        planner: str = "",
        limits: PlanLimits | None = None,
        timeout_s: float | None = None,
    ) -> Answer:
        """Ask for a plan by the service and wait for the answer.

        Args:
            goal: what is wanted, in words.
            scene: a scene graph or the file of one; the node's current scene if None.
            domain: name of a shipped domain, or PDDL text; the node's default if empty.
            frontend: who reads the words; the node's default if empty.
            planner: who plans; the node's default if empty.
            limits: how much the answer may cost; the node's defaults if None.
            timeout_s: how long to wait for the answer [s]; 10 s more than the limits allow if None.

        Raises:
            BadInput: the request cannot be used.
            PlannerLost, DeadlineExceeded, RequestCancelled, RequestFailed: there is no answer.
        """
        request = _fill(srv.Plan.Request(), goal, scene, domain, frontend, planner, limits)
        response = self._call(self._plan, request, _patience(limits, timeout_s))
        return convert.answer_from_msg(response.answer)

    def plan_task(
        self,
        goal: str,
        scene: SceneGraph | str | os.PathLike[str] | None = None,
        *,
        domain: str = "",
        frontend: str = "",
        planner: str = "",
        limits: PlanLimits | None = None,
        timeout_s: float | None = None,
        progress: Callable[[str, float], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Ask for a plan by the action: as `plan`, with progress and a way to take it back.

        Args:
            progress: called in another thread with what is being done and the seconds so far.
            cancel: set it to take the request back; RequestCancelled is raised then.
        """

        def feedback(message: Any) -> None:
            if progress is not None:
                progress(message.feedback.stage, message.feedback.elapsed)

        request = _fill(action.PlanTask.Goal(), goal, scene, domain, frontend, planner, limits)
        deadline = time.monotonic() + _patience(limits, timeout_s)
        there = self._task.server_is_ready
        self._find(self._task.wait_for_server)
        accepted = self._wait(self._task.send_goal_async(request, feedback), there, deadline)
        if not accepted.accepted:
            raise RequestFailed(f"{self._planner} does not take the request")
        try:
            result = self._wait(accepted.get_result_async(), there, deadline, cancel).result
        except (DeadlineExceeded, RequestCancelled, KeyboardInterrupt):
            accepted.cancel_goal_async()
            raise
        _check(result.error)
        return convert.answer_from_msg(result.answer)

    # --- the scene

    def load_scene(self, path: str | os.PathLike[str], robot_room: str = "") -> tuple[Finding, ...]:
        """Have the node read a scene file of its machine; return what was found wrong with it."""
        request = srv.LoadSceneGraph.Request(path=_absolute(path), robot_room=robot_room)
        response = self._call(self._load, request, 60.0)
        return tuple(convert.finding_from_msg(finding) for finding in response.findings)

    def save_scene(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Have the node write its current scene to a file of its machine."""
        request = srv.SaveSceneGraph.Request(path=_absolute(path), overwrite=overwrite)
        self._call(self._save, request, 60.0)

    def scene(self) -> SceneGraph:
        """Return the node's current scene; raises BadInput when it has none yet."""
        return convert.scene_from_msg(
            self._call(self._get, srv.GetSceneGraph.Request(), 60.0).scene
        )

    # --- waiting

    def _call(self, client: Any, request: Any, patience_s: float) -> Any:
        self._find(client.wait_for_service)
        future = client.call_async(request)
        try:
            deadline = time.monotonic() + patience_s
            response = self._wait(future, client.service_is_ready, deadline)
        except RequestFailed:
            client.remove_pending_request(future)
            raise
        _check(response.error)
        return response

    def _find(self, wait: Callable[[float], bool]) -> None:
        if not wait(self._wait_s):
            raise PlannerLost(
                f"no node '{self._planner}' within {self._wait_s:g} s; is planner_node running, "
                "with the same ROS_DOMAIN_ID?"
            )

    def _wait(
        self,
        future: Any,
        there: Callable[[], bool],
        deadline: float,
        cancel: threading.Event | None = None,
    ) -> Any:
        done = threading.Event()
        future.add_done_callback(lambda _future: done.set())
        missed = 0
        while not done.wait(min(_LOOK_S, max(0.0, deadline - time.monotonic()))):
            missed = 0 if there() else missed + 1
            if cancel is not None and cancel.is_set():
                raise RequestCancelled("the request was taken back")
            if missed >= _GONE_LOOKS:
                raise PlannerLost(f"node '{self._planner}' went away during the request")
            if time.monotonic() >= deadline:
                raise DeadlineExceeded(f"node '{self._planner}' did not answer in time")
        return future.result()


def _fill(
    request: Any,
    goal: str,
    scene: SceneGraph | str | os.PathLike[str] | None,
    domain: str,
    frontend: str,
    planner: str,
    limits: PlanLimits | None,
) -> Any:
    """Fill a Plan request or a PlanTask goal, which have the same fields."""
    request.goal, request.domain = goal, domain
    request.frontend, request.planner = frontend, planner
    if limits is not None:
        request.limits = convert.limits_to_msg(limits)
    if isinstance(scene, str | os.PathLike):
        scene = gist.load_scene(scene).scene
    if scene is not None:
        request.scene = convert.scene_to_msg(scene, Clock().now().to_msg())
    return request


def _patience(limits: PlanLimits | None, timeout_s: float | None) -> float:
    return timeout_s if timeout_s is not None else (limits or PlanLimits()).time_s + 10.0


def _absolute(path: str | os.PathLike[str]) -> str:
    return str(Path(path).absolute())


def _check(error: msg.Error) -> None:
    if error.code == msg.Error.BAD_INPUT:
        raise BadInput(error.message)
    if error.code == msg.Error.CANCELLED:
        raise RequestCancelled(error.message)
    if error.code != msg.Error.NONE:
        raise RequestFailed(error.message)
