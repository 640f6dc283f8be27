from __future__ import annotations

from gist import knowledge
from gist.pddl.encode import Encoder
from gist.pddl.parser import parse_domain
from gist.planning.relevance import Relevance
from gist.scene import Place, Relation

from .scenes import DOMAIN_TEXT, LAUNDRY_TEXT, scene_of, snacks

KNOWLEDGE = knowledge.default()


def relevance(text: str = DOMAIN_TEXT) -> Relevance:
    return Relevance(Encoder(parse_domain(text), KNOWLEDGE))


def test_what_carries_a_thing_and_its_room_matter_and_nothing_else() -> None:
    names = relevance().select(snacks(), ["snack_3", "table_2"], ["is-on"], {})
    assert set(names) == {"snack_3", "table_2", "table_3", "robot", "kitchen_1", "playroom_1"}


def test_what_the_robot_holds_matters_with_places_to_put_it() -> None:
    scene = snacks().moved("cola_can_13", Place(Relation.HELD, "robot"))
    names = relevance().select(scene, ["snack_3", "table_2"], ["is-on"], {})
    assert "cola_can_13" in names


def test_tools_that_no_goal_names_are_offered_nearest_first() -> None:
    things = {f"detergent_{n}": ("detergent", "at", f"hall_{n}") for n in range(1, 7)}
    things["shirt_1"] = ("shirt", "at", "hall_6")
    things["washing_machine_1"] = ("washing machine", "at", "hall_6")
    scene = scene_of([f"hall_{n}" for n in range(1, 7)], things)
    names = relevance(LAUNDRY_TEXT).select(scene, ["shirt_1"], ["is-clean"], {})
    offered = [name for name in names if name.startswith("detergent")]
    assert set(offered[:2]) == {"detergent_1", "detergent_6"}  # the rooms of robot and machine
    assert len(offered) < 6
    assert "washing_machine_1" in names


def test_contents_matter_where_an_action_looks_at_them() -> None:
    pushing = DOMAIN_TEXT.rstrip()[:-1] + (
        """(:action push :parameters (?who - robot ?c - container ?a - room ?b - room)
             :precondition (and (at ?who ?a) (at ?c ?a)
               (forall (?x - grabbable) (not (inside ?x ?c))))
             :effect (and (not (at ?c ?a)) (at ?c ?b) (not (at ?who ?a)) (at ?who ?b))))"""
    )
    scene = scene_of(
        ["hall_1", "attic_1"],
        {
            "cupboard_1": ("cupboard", "at", "hall_1"),
            "cup_1": ("cup", "in", "cupboard_1"),
            "plate_1": ("plate", "at", "hall_1"),
        },
    )
    named = ["cupboard_1", "plate_1", "attic_1"]
    assert "cup_1" in relevance(pushing).select(scene, named, ["at"], {})
    assert "cup_1" not in relevance().select(scene, named, ["at"], {})


def test_the_whole_scene_is_all_of_it_but_the_building() -> None:
    assert set(relevance().whole(snacks())) == set(snacks().nodes)
