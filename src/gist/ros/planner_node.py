"""The planner as a ROS node: service ~/plan, action ~/plan_task, and the current scene graph.

Topics: scene_graph (transient local), read and written. Services: ~/plan, ~/load_scene_graph,
~/save_scene_graph, ~/get_scene_graph. Parameters: config/planner.yaml.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import rclpy
from gist_ros import action, msg, srv
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.executors import (
    Executor,
    ExternalShutdownException,
    ShutdownException,
    TimeoutException,
)
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions

import gist
from gist.errors import BadInput, GistError, unknown
from gist.pddl.domain import Domain
from gist.pddl.planners import FastDownward, Planner, Pyperplan
from gist.planning import Answer, PlanLimits, TaskPlanner
from gist.ros import convert
from gist.ros.middleware import use_profile
from gist.scene import SceneGraph, save_scene

SCENE_QOS = QoSProfile(
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
FRONTENDS = ("knowledge",)
PLANNERS: dict[str, Callable[..., Planner]] = {
    "fast-downward": FastDownward,
    "pyperplan": Pyperplan,
}
LOOK_S = 0.02
"""How often a waiting request looks whether its client took it back [s]."""
FEEDBACK_S = 0.5
"""How often the feedback of an action is repeated [s]."""

Request = Any
"""srv.Plan.Request or action.PlanTask.Goal: they have the same fields."""


class Planning(Protocol):
    """What the node needs of `gist.planning.TaskPlanner`."""

    def plan(
        self,
        request: str,
        scene: SceneGraph,
        domain: Domain,
        limits: PlanLimits | None = None,
        cancel: threading.Event | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> Answer:
        """Answer one request; see TaskPlanner.plan."""


class Busy(Exception):
    """The node takes no more requests now."""


class _Task:
    """A goal of the action while it is worked on.

    Feedback is sent at each stage and then twice a second: what is sent before the client has
    found the feedback topic is lost, and it shows that the node lives.
    """

    def __init__(self, goal: Any) -> None:
        self._goal = goal
        self._began = time.monotonic()
        self.progress("reading the request")

    def progress(self, stage: str) -> None:
        self._stage, self._sent = stage, time.monotonic()
        feedback = action.PlanTask.Feedback(stage=stage, elapsed=self._sent - self._began)
        self._goal.publish_feedback(feedback)

    def withdrawn(self) -> bool:
        if time.monotonic() - self._sent > FEEDBACK_S:
            self.progress(self._stage)
        return bool(self._goal.is_cancel_requested)


class PlannerNode(Node):  # type: ignore[misc]
    """Converts messages, has requests planned in worker threads, and keeps the current scene.

    Every request is answered: with an `Answer`, or with an `Error` that says why there is none.
    """

    def __init__(
        self,
        planning: Callable[[str, str, int], Planning],
        name: str = "planner",
        **node_options: Any,
    ) -> None:
        """Start serving as soon as an executor with `threads` threads spins the node.

        Args:
            planning: gives the planner for the names of a front end and of a planner, and for so
                many requests at once; raises BadInput for a name that it does not know.
            name: the node's name.
            node_options: go to rclpy's Node.
        """
        super().__init__(name, **node_options)
        self._planning = planning
        self._declare_parameters()
        self._max_requests: int = self.get_parameter("max_requests").value
        self.threads = self._max_requests + 4
        self._pool = ThreadPoolExecutor(self._max_requests, "plan")
        self._cancels: set[threading.Event] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._scene: SceneGraph | None = None
        self._own_stamps: deque[tuple[int, int]] = deque(maxlen=32)
        self._offer()
        self._pool.submit(self._planning_for, "", "")  # warms the defaults up
        if path := self.get_parameter("scene").value:
            self._load(path, self.get_parameter("robot_room").value)

    def _declare_parameters(self) -> None:
        def declare(name: str, default: Any, text: str, low: Any = None, high: Any = None) -> None:
            about = ParameterDescriptor(description=text)
            about.read_only = name in ("scene", "robot_room", "max_requests")
            if isinstance(default, float):
                about.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
            elif isinstance(default, int):
                about.integer_range = [IntegerRange(from_value=low, to_value=high, step=1)]
            self.declare_parameter(name, default, about)

        declare("scene", "", "scene file that is loaded at the start; empty: none")
        declare("robot_room", "", "where the robot is, for scene files that do not say so")
        declare("frame_id", "map", "TF frame of poses in published scenes that name none")
        declare("domain", "household", "domain of requests that name none")
        declare("frontend", "knowledge", "who reads requests that name no front end")
        declare("planner", "fast-downward", "who plans requests that name no planner")
        declare("limits.time_s", 30.0, "time for a whole answer [s]", 0.01, 3600.0)
        declare("limits.memory_mb", 4096, "memory of a planner process [MiB]", 64, 1 << 20)
        declare("limits.relaxations", 4, "how many times a goal may be made weaker", 0, 100)
        declare("limits.refinements", 4, "how many substitutes are tried at a level", 0, 100)
        declare("max_requests", 8, "requests that are planned at the same time", 1, 64)

    def _offer(self) -> None:
        group = ReentrantCallbackGroup()
        self._publisher = self.create_publisher(msg.SceneGraph, "scene_graph", SCENE_QOS)
        self.create_subscription(
            msg.SceneGraph,
            "scene_graph",
            self._on_scene,
            SCENE_QOS,
            callback_group=MutuallyExclusiveCallbackGroup(),
        )
        for kind, name, callback in (
            (srv.Plan, "~/plan", self._on_plan),
            (srv.LoadSceneGraph, "~/load_scene_graph", self._on_load),
            (srv.SaveSceneGraph, "~/save_scene_graph", self._on_save),
            (srv.GetSceneGraph, "~/get_scene_graph", self._on_get),
        ):
            self.create_service(kind, name, callback, callback_group=group)
        self._action = ActionServer(
            self,
            action.PlanTask,
            "~/plan_task",
            self._on_task,
            callback_group=group,
            cancel_callback=lambda _goal: CancelResponse.ACCEPT,
        )

    def close(self) -> None:
        """Stop every request and wait until the workers are free; later requests are refused."""
        with self._lock:
            self._closed = True
            for cancel in self._cancels:
                cancel.set()
        self._pool.shutdown()

    # --- planning

    def _on_plan(self, request: srv.Plan.Request, response: srv.Plan.Response) -> Any:
        response.answer, response.error = self._answer(request)
        return response

    def _on_task(self, goal: Any) -> action.PlanTask.Result:
        answer, error = self._answer(goal.request, _Task(goal))
        if error.code == msg.Error.NONE:
            goal.succeed()
        elif goal.is_cancel_requested:
            goal.canceled()
        else:
            goal.abort()
        return action.PlanTask.Result(answer=answer, error=error)

    def _answer(self, request: Request, task: _Task | None = None) -> tuple[msg.Answer, msg.Error]:
        """Return the answer to a request, or an empty one and the error; never raises."""
        cancel = threading.Event()
        try:
            with self._admitted(cancel):
                progress = task.progress if task else None
                work = self._pool.submit(self._plan, request, cancel, progress)
                while not wait([work], LOOK_S).done:
                    if task and task.withdrawn():
                        cancel.set()
                if not cancel.is_set():
                    return work.result(), msg.Error()
                error = msg.Error(code=msg.Error.CANCELLED, message="the request was cancelled")
                return msg.Answer(goal_text=request.goal), error
        except Exception as error:
            return msg.Answer(goal_text=request.goal), self._error(error)

    @contextmanager
    def _admitted(self, cancel: threading.Event) -> Iterator[None]:
        with self._lock:
            if self._closed:
                raise Busy("the node is shutting down")
            if len(self._cancels) >= self._max_requests:
                raise Busy(f"{self._max_requests} requests are at work; ask again later")
            self._cancels.add(cancel)
        try:
            yield
        finally:
            with self._lock:
                self._cancels.remove(cancel)

    def _plan(
        self,
        request: Request,
        cancel: threading.Event,
        progress: Callable[[str], None] | None,
    ) -> msg.Answer:
        if not request.goal.strip():
            raise BadInput("the goal is empty; say what is wanted, as in 'bring a cup to the desk'")
        scene = convert.scene_from_msg(request.scene) if request.scene.nodes else self._scene
        if scene is None:
            raise BadInput(
                "there is no scene: send one with the request, publish one on "
                f"{self._publisher.topic_name}, or load a file"
            )
        planning = self._planning_for(request.frontend, request.planner)
        domain = _domain(request.domain or self.get_parameter("domain").value)
        limits = convert.limits_from_msg(request.limits, self._limits())
        answer = planning.plan(request.goal, scene, domain, limits, cancel, progress)
        return convert.answer_to_msg(answer)

    def _planning_for(self, frontend: str, planner: str) -> Planning:
        return self._planning(
            frontend or self.get_parameter("frontend").value,
            planner or self.get_parameter("planner").value,
            self._max_requests,
        )

    def _limits(self) -> PlanLimits:
        names = ("time_s", "memory_mb", "relaxations", "refinements")
        return PlanLimits(*(self.get_parameter(f"limits.{name}").value for name in names))

    def _error(self, error: BaseException) -> msg.Error:
        if isinstance(error, Busy):
            return msg.Error(code=msg.Error.BUSY, message=str(error))
        if isinstance(error, BadInput | OSError):
            return msg.Error(code=msg.Error.BAD_INPUT, message=str(error))
        self.get_logger().error("".join(traceback.format_exception(error)))
        text = f"internal error, see the log of {self.get_fully_qualified_name()}: {error!r}"
        return msg.Error(code=msg.Error.INTERNAL, message=text)

    # --- the scene

    def _on_scene(self, message: msg.SceneGraph) -> None:
        stamp = message.header.stamp
        if (stamp.sec, stamp.nanosec) in self._own_stamps:
            return  # what this node published itself
        try:
            self._scene = convert.scene_from_msg(message)
        except BadInput as error:
            self.get_logger().error(f"the scene on the topic is refused: {error}")

    def _on_load(self, request: Any, response: Any) -> Any:
        try:
            findings = self._load(request.path, request.robot_room)
            assert self._scene is not None
            response.version, response.nodes = self._scene.version, len(self._scene)
            response.findings = [convert.finding_to_msg(finding) for finding in findings]
        except Exception as error:
            response.error = self._error(error)
        return response

    def _load(self, path: str, robot_room: str) -> Any:
        result = gist.load_scene(path, robot_room or None)
        self._scene = result.scene
        stamp = self.get_clock().now().to_msg()
        if stamp.sec or stamp.nanosec:  # simulated time may not have begun
            self._own_stamps.append((stamp.sec, stamp.nanosec))
        frame = self.get_parameter("frame_id").value
        self._publisher.publish(convert.scene_to_msg(result.scene, stamp, frame))
        return result.findings

    def _on_save(self, request: Any, response: Any) -> Any:
        try:
            scene = self._current()
            if Path(request.path).exists() and not request.overwrite:
                raise BadInput(f"{request.path} exists already; set overwrite to replace it")
            save_scene(scene, request.path)
            response.version = scene.version
        except Exception as error:
            response.error = self._error(error)
        return response

    def _on_get(self, _request: Any, response: Any) -> Any:
        try:
            stamp = self.get_clock().now().to_msg()
            frame = self.get_parameter("frame_id").value
            response.scene = convert.scene_to_msg(self._current(), stamp, frame)
        except Exception as error:
            response.error = self._error(error)
        return response

    def _current(self) -> SceneGraph:
        if self._scene is None:
            raise BadInput("there is no scene yet")
        return self._scene


class _Executor(Executor):  # type: ignore[misc]
    """A multi-threaded executor that can come to rest before it is shut down.

    rclpy's own gives up its guard condition while callbacks run, which then fail.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(threads, "callback")
        self._running: set[Future[Any]] = set()

    def spin_once(self, timeout_sec: float | None = None) -> None:
        """Give the next callback that is ready to a thread."""
        try:
            callback, _, _ = self.wait_for_ready_callbacks(timeout_sec=timeout_sec)
        except (ShutdownException, ExternalShutdownException, TimeoutException):
            return
        self._running = {work for work in self._running if not work.done()}
        self._running.add(self._threads.submit(callback))

    def drain(self, limit_s: float) -> None:
        """Finish what runs and what follows from it, such as sending results."""
        deadline = time.monotonic() + limit_s
        while (left := deadline - time.monotonic()) > 0:
            wait(self._running, left)
            self._running.clear()
            self.spin_once(0.05)
            if not self._running:
                return


@lru_cache(maxsize=16)
def task_planner(frontend: str, planner: str, requests: int) -> TaskPlanner:
    """Return the task planner for the names, with a process for each of `requests` at once."""
    if frontend not in FRONTENDS:
        raise unknown("front end", frontend, FRONTENDS)
    if planner not in PLANNERS:
        raise unknown("planner", planner, PLANNERS)
    return TaskPlanner(planner=PLANNERS[planner](workers=requests))


_domain = lru_cache(maxsize=64)(gist.load_domain)
"""Requests that name the same domain share it, and with it what the planner keeps about it."""


def main(
    arguments: list[str] | None = None,
    planning: Callable[[str, str, int], Planning] = task_planner,
) -> int:
    """Serve until SIGINT or SIGTERM; then stop all work and end."""
    use_profile()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    rclpy.init(args=arguments, signal_handler_options=SignalHandlerOptions.NO)
    try:
        node = PlannerNode(planning)
    except GistError as error:
        print(f"planner_node: {error}", file=sys.stderr)
        rclpy.shutdown()
        return 2
    node.get_logger().info(f"ready: service and action under {node.get_fully_qualified_name()}")
    return _serve(node, stop)


def _serve(node: PlannerNode, stop: threading.Event) -> int:
    executor = _Executor(node.threads)
    executor.add_node(node)
    failures: list[Exception] = []

    def spin() -> None:
        try:
            while not stop.is_set():
                executor.spin_once()
        except Exception as error:
            failures.append(error)
            stop.set()

    spinner = threading.Thread(target=spin, name="spin")
    spinner.start()
    stop.wait()
    executor.create_task(lambda: None)  # something to do, so that the spinner looks at `stop`
    spinner.join()
    node.close()
    executor.drain(2.0)
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown()
    for failure in failures:
        traceback.print_exception(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
