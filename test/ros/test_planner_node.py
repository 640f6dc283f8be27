"""The node as other processes see it, with a stand-in for the planner behind it."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest
import rclpy
from builtin_interfaces.msg import Time
from gist_ros import msg, srv
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future

import gist
from gist.errors import BadInput
from gist.planning import PlanLimits
from gist.planning.answer import Status
from gist.ros import convert
from gist.ros.client import (
    Client,
    DeadlineExceeded,
    PlannerLost,
    RequestCancelled,
    RequestFailed,
)
from gist.ros.planner_node import SCENE_QOS
from gist.scene import Kind, Place, Relation, SceneGraph, save_scene
from gist.scene import Node as SceneNode

pytestmark = pytest.mark.ros
WAIT_S = 30.0
DOMAIN = "(define (domain tiny) (:requirements :strips) (:predicates (p)))"
TOWERS = """
(define (domain towers) (:requirements :strips)
  (:predicates (clear ?x) (on ?x ?y) (less ?x ?y))
  (:action move :parameters (?disc ?from ?to)
    :precondition (and (less ?disc ?to) (on ?disc ?from) (clear ?disc) (clear ?to))
    :effect (and (clear ?from) (on ?disc ?to) (not (on ?disc ?from)) (not (clear ?to)))))
"""
SCENE = SceneGraph(
    [
        SceneNode("kitchen_1", Kind.ROOM, "kitchen"),
        SceneNode("robot", Kind.ROBOT, "robot"),
        SceneNode("cup_1", Kind.OBJECT, "cup"),
    ],
    {
        "robot": Place(Relation.AT, "kitchen_1"),
        "cup_1": Place(Relation.AT, "kitchen_1"),
    },
)


@pytest.fixture(scope="module")
def node(start_shared: Any) -> Any:
    """One node for all tests that leave it as it was."""
    return start_shared()


@pytest.fixture(scope="module")
def client(node: Any) -> Iterator[Client]:
    with Client(node.name, wait_s=WAIT_S) as connected:
        yield connected


class Slow:
    """A slow request by the action, with the planner process that the stand-in started."""

    def __init__(self, client: Client, **options: Any) -> None:
        self.cancel = threading.Event()
        self._process: psutil.Process | None = None
        self._working = threading.Event()
        self.pool = ThreadPoolExecutor(1)
        self.answer = self.pool.submit(
            client.plan_task,
            "slow",
            SCENE,
            domain=DOMAIN,
            progress=self._progress,
            cancel=self.cancel,
            **options,
        )

    def _progress(self, stage: str, elapsed: float) -> None:
        assert 0.0 <= elapsed < WAIT_S
        if found := re.fullmatch(r"working in (\d+)", stage):
            self._process = psutil.Process(int(found[1]))
            self._working.set()

    @property
    def process(self) -> psutil.Process:
        assert self._working.wait(WAIT_S), "no feedback"
        assert self._process is not None
        return self._process


def test_plan_answers_with_what_the_library_answered(client: Client) -> None:
    limits = PlanLimits(time_s=7.0, memory_mb=99, relaxations=0, refinements=1)
    answer = client.plan("bring the cup", SCENE, domain=DOMAIN, limits=limits)
    assert answer.status is Status.SOLVED
    assert answer.text == "bring the cup"
    assert answer.summary == f"3 nodes, tiny, {limits}"


def test_limits_left_open_are_the_nodes_own(client: Client) -> None:
    answer = client.plan("bring the cup", SCENE, domain=DOMAIN)
    assert answer.summary == f"3 nodes, tiny, {PlanLimits()}"


@pytest.mark.parametrize(
    ("goal", "options", "says"),
    [
        ("  ", {}, "the goal is empty"),
        ("odd", {}, "odd indeed"),
        ("x", {"domain": "no_such_domain"}, "unknown domain 'no_such_domain'"),
        ("x", {"domain": "../secrets"}, "unknown domain"),
        ("x", {"domain": "(define (domain"}, "line 1"),
    ],
)
def test_a_bad_request_gets_an_error_and_the_node_lives_on(
    client: Client, goal: str, options: dict[str, str], says: str
) -> None:
    with pytest.raises(BadInput, match=re.escape(says)):
        client.plan(goal, SCENE, **{"domain": DOMAIN, **options})
    assert client.plan("x", SCENE, domain=DOMAIN).status is Status.SOLVED


def test_a_defect_is_answered_and_logged_and_the_node_lives_on(client: Client, node: Any) -> None:
    with pytest.raises(RequestFailed, match="a defect"):
        client.plan("crash", SCENE, domain=DOMAIN)
    with pytest.raises(RequestFailed, match="a defect"):
        client.plan_task("crash", SCENE, domain=DOMAIN)
    assert "RuntimeError: a defect" in node.output
    assert client.plan("x", SCENE, domain=DOMAIN).status is Status.SOLVED


def test_a_broken_scene_in_a_request_is_named(node: Any) -> None:
    message = convert.scene_to_msg(SCENE, Time())
    next(node for node in message.nodes if node.name == "cup_1").target = "cellar_9"
    request = srv.Plan.Request(goal="x", scene=message, domain=DOMAIN)
    with rclpy_node() as (other, spin):
        plan = other.create_client(srv.Plan, f"{node.name}/plan")
        assert plan.wait_for_service(WAIT_S)
        response = spin(plan.call_async(request))
    assert response.error.code == msg.Error.BAD_INPUT
    assert "cellar_9" in response.error.message


def test_cancel_frees_the_planner_process(client: Client) -> None:
    slow = Slow(client)
    process = slow.process
    began = time.monotonic()
    slow.cancel.set()
    process.wait(timeout=5.0)
    freed = time.monotonic() - began
    with pytest.raises(RequestCancelled):
        slow.answer.result(WAIT_S)
    assert freed < 0.2


def test_cancel_frees_a_real_planner(node: Any, client: Client) -> None:
    cancel, searching = threading.Event(), threading.Event()

    def progress(stage: str, elapsed: float) -> None:
        if stage == "searching" and elapsed > 1.0:
            searching.set()

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(
            client.plan_task, "hard", SCENE, domain=TOWERS, progress=progress, cancel=cancel
        )
        assert searching.wait(WAIT_S)
        assert not asked.done()
        working = node.children()
        assert all(process.is_running() for process in working)
        cancel.set()
        freed, _ = psutil.wait_procs(working, timeout=0.2)
        assert freed
        with pytest.raises(RequestCancelled):
            asked.result(WAIT_S)


def test_the_clients_deadline_frees_the_planner_process(client: Client) -> None:
    slow = Slow(client, timeout_s=2.0)
    process = slow.process
    with pytest.raises(DeadlineExceeded):
        slow.answer.result(WAIT_S)
    process.wait(timeout=2.0)


def test_slow_plans_block_no_one(client: Client, node: Any) -> None:
    slow = [Slow(client) for _ in range(4)]
    assert len({one.process.pid for one in slow}) == 4
    with Client(node.name, wait_s=WAIT_S) as second:
        second.plan("x", SCENE, domain=DOMAIN)
        began = time.monotonic()
        assert second.plan("x", SCENE, domain=DOMAIN).status is Status.SOLVED
        assert client.plan("x", SCENE, domain=DOMAIN).status is Status.SOLVED
        took = time.monotonic() - began
    assert not any(one.answer.done() for one in slow)
    assert took < 1.0
    for one in slow:
        one.cancel.set()
    for one in slow:
        with pytest.raises(RequestCancelled):
            one.answer.result(WAIT_S)


def test_many_clients_at_once_each_get_their_own_answer(node: Any) -> None:
    def ask(number: int) -> list[str]:
        with Client(node.name, wait_s=WAIT_S) as own:
            texts = [f"goal {number}.{i}" for i in range(5)]
            return [own.plan(text, SCENE, domain=DOMAIN).text for text in texts]

    with ThreadPoolExecutor(4) as pool:
        for number, answers in enumerate(pool.map(ask, range(4))):
            assert answers == [f"goal {number}.{i}" for i in range(5)]


def test_more_requests_than_allowed_are_refused_at_once(start: Any) -> None:
    with Client(start("max_requests:=1").name, wait_s=WAIT_S) as client:
        slow = Slow(client)
        assert slow.process.is_running()
        with pytest.raises(RequestFailed, match="1 requests are at work"):
            client.plan("x", SCENE, domain=DOMAIN)
        slow.cancel.set()
        with pytest.raises(RequestCancelled):
            slow.answer.result(WAIT_S)


def test_a_request_ends_at_its_time_limit(client: Client) -> None:
    answer = client.plan("slow", SCENE, domain=DOMAIN, limits=PlanLimits(time_s=0.3))
    assert answer.status is Status.UNKNOWN


# --- scenes


@pytest.fixture
def scene_file(tmp_path: Path) -> Path:
    """A file with SCENE in it."""
    path = tmp_path / "scene.json"
    save_scene(SCENE, path)
    return path


def test_a_scene_is_loaded_saved_and_got(start: Any, tmp_path: Path, scene_file: Path) -> None:
    with Client(start().name, wait_s=WAIT_S) as client:
        with pytest.raises(BadInput, match="no scene"):
            client.scene()
        with pytest.raises(BadInput, match="no scene"):
            client.plan("x", domain=DOMAIN)
        with pytest.raises(BadInput, match="nowhere"):
            client.load_scene("/nowhere.json")
        client.load_scene(scene_file)
        assert client.scene() == SCENE
        assert client.plan("x", domain=DOMAIN).summary.startswith("3 nodes")
        saved = tmp_path / "saved.json"
        client.save_scene(saved)
        with pytest.raises(BadInput, match="exists already"):
            client.save_scene(saved)
        client.save_scene(saved, overwrite=True)
        assert gist.load_scene(saved).scene == SCENE


def test_a_late_joiner_gets_the_scene_and_a_published_one_is_taken(
    start: Any, scene_file: Path
) -> None:
    process = start(f"scene:={scene_file}")
    other_scene = SCENE.without("cup_1")
    with Client(process.name, wait_s=WAIT_S) as client, rclpy_node() as (other, spin):
        assert client.scene() == SCENE
        received = Future()
        other.create_subscription(msg.SceneGraph, "scene_graph", received.set_result, SCENE_QOS)
        assert convert.scene_from_msg(spin(received)) == SCENE
        publisher = other.create_publisher(msg.SceneGraph, "scene_graph", SCENE_QOS)
        publisher.publish(convert.scene_to_msg(other_scene, Time()))
        eventually(lambda: client.scene() == other_scene)
        broken = convert.scene_to_msg(SCENE, Time())
        broken.nodes[0].name = ""
        publisher.publish(broken)
        eventually(lambda: "refused" in process.output)
        assert client.scene() == other_scene


def test_a_scene_that_cannot_be_loaded_ends_the_node_with_a_sentence(start: Any) -> None:
    process = start("scene:=/nowhere.json")
    assert process.popen.wait(timeout=WAIT_S) == 2
    assert "/nowhere.json" in process.output
    assert "Traceback" not in process.output


# --- the end


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_node_quietly_and_leaves_no_orphan(
    start: Any, number: signal.Signals
) -> None:
    process = start()
    with Client(process.name, wait_s=WAIT_S) as client:
        slow = Slow(client)
        working = slow.process
        children = process.children()
        assert working in children
        assert process.end(number) == 0
        _, alive = psutil.wait_procs(children, timeout=2.0)
        assert not alive
        with pytest.raises((RequestCancelled, PlannerLost)):
            slow.answer.result(WAIT_S)
    assert process.output == ""


def test_a_node_that_is_killed_is_an_error_and_no_hang(start: Any) -> None:
    process = start()
    with Client(process.name, wait_s=WAIT_S) as client:
        slow = Slow(client)
        working = slow.process
        process.end(signal.SIGKILL)
        killed = time.monotonic()
        with pytest.raises(PlannerLost):
            slow.answer.result(WAIT_S)
        assert time.monotonic() - killed < 8.0  # Fast DDS misses it after 3 s, as the profile says
        working.kill()


def test_no_node_is_an_error_and_no_hang() -> None:
    with (
        Client("nobody", wait_s=0.5) as client,
        pytest.raises(PlannerLost, match="no node 'nobody'"),
    ):
        client.plan("x", SCENE)


# --- helpers


class rclpy_node:  # noqa: N801
    """A plain rclpy node, and a function that spins it until a future is done."""

    def __enter__(self) -> tuple[Node, Callable[[Any], Any]]:
        self._context = Context()
        rclpy.init(context=self._context)
        self._node = Node("other", context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)

        def spin(future: Any) -> Any:
            self._executor.spin_until_future_complete(future, WAIT_S)
            assert future.done(), "no answer"
            return future.result()

        return self._node, spin

    def __exit__(self, *_error: object) -> None:
        self._executor.shutdown()
        self._node.destroy_node()
        rclpy.shutdown(context=self._context)


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something holds that another process brings about."""
    deadline = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < deadline, "it did not come to hold"
        time.sleep(0.02)
