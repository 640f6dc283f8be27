"""What a clause presupposes and the scene does not have, before any planner is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gist.goals.goal import Clause, Item
from gist.goals.ground import Grounder
from gist.goals.selector import Selector
from gist.goals.words import is_plural, selector_words
from gist.scene.graph import SceneGraph

if TYPE_CHECKING:
    from gist.knowledge import Knowledge


@dataclass(frozen=True)
class Fault:
    """Something missing.

    part: "things" (too few or none), "targets" (none), or "some" (one of several kinds of things
    has no instance, so that the clause can be met but says less than it seems to).
    """

    part: Literal["things", "targets", "some"]
    asked: int
    found: int
    text: str


def faults(
    item: Item,
    scene: SceneGraph,
    knowledge: Knowledge,
    unusable: frozenset[str] = frozenset(),
    grounder: Grounder | None = None,
) -> tuple[Fault, ...]:
    """Return what the clause asks for and the scene lacks.

    A disjunction has only the faults of its best alternative. Things in `unusable` (found out of
    reach, say) count as absent.
    """
    ground = grounder or Grounder(scene, knowledge)
    clauses = (item,) if isinstance(item, Clause) else item.clauses
    return min((_clause_faults(clause, unusable, ground) for clause in clauses), key=len)


def _clause_faults(clause: Clause, unusable: frozenset[str], ground: Grounder) -> tuple[Fault, ...]:
    found: list[Fault] = []
    kind, n = clause.quantifier.kind, clause.quantifier.n
    asked = max(1, len(ground.names(clause.things))) if kind == "all" else n
    usable = len(ground.present(clause.things) - unusable)
    if kind != "at_most" and usable < asked:
        lack = _lack(clause.things, asked, usable, unusable, ground)
        found.append(Fault("things", asked, usable, lack))
    if clause.targets is not None and not ground.present(clause.targets) - unusable:
        found.append(Fault("targets", 1, 0, _lack(clause.targets, 1, 0, unusable, ground)))
    found += [
        Fault("some", 1, 0, _lack(part, 1, 0, unusable, ground))
        for part in clause.things.any_of
        if not found and not ground.present(part)
    ]
    return tuple(found)


def _lack(
    selector: Selector, asked: int, found: int, unusable: frozenset[str], ground: Grounder
) -> str:
    reach = " within reach" if ground.present(selector) & unusable else ""
    if found == 0:
        if selector.collective and is_plural(selector.collective):
            return f"there are no {selector_words(selector)}{reach}"
        return f"there is no {selector_words(selector, plural=False)}{reach}"
    are = "is" if found == 1 else "are"
    return f"there {are} {found} of {asked} {selector_words(selector, asked != 1)}{reach}"
