"""The relaxation operators: each yields goals that are proved weaker (METHODS.md A).

Cost, the price in lost intent by which candidates are ordered:

    drop_soft            5     a wish that even in part cannot be had is given up
    generalise_predicate 1     in, on or at -> to
    drop_same_target     1     one target for all -> a target each
    widen_target         1     this table -> any table; 1.5 the kitchen's sink -> any sink;
                         2.5   a cupboard -> also its kind or whatever plays the same role
    constant_to_type     2     cup_3 -> some cup
    widen_things         2     3 red cups -> 3 cups (only where so many of them are asked)
    drop_order           3     no order between stages, or nothing "immediately after"
    lower_count          3 + the share given up (4 -> 3: 3.25)
    shrink_universal     3 + the share given up
    raise_limit          3 + the share let through
    widen_things         4     3 apples -> 3 fruit; 4.5 -> what is above that
    disjunction          5     in the cupboard -> there, or at least in its room
    drop_conjunct        10    the clause is given up; never the last hard one
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from gist.goals.entailment import Proof, entails
from gist.goals.faults import faults
from gist.goals.goal import AnyOf, Clause, Goal, Item, Quantifier
from gist.goals.ground import Grounder
from gist.goals.predicates import predicate
from gist.goals.selector import RELATIONS, Selector
from gist.goals.words import describe, list_names, list_words, selector_words
from gist.scene.graph import Kind, SceneGraph, natural_key

if TYPE_CHECKING:
    from gist.knowledge import Knowledge

NEAREST = 2


@dataclass(frozen=True)
class Candidate:
    """A goal to try instead, and what it costs.

    kind: "relax" (weaker, with its proof) or "shift" (another way to the same intent, with the
    tier of the substitute: 1 same role, 2 neighbouring, 3 weak, and what to be careful about).
    """

    goal: Goal
    operator: str
    before: str
    after: str
    reason: str
    cost: float
    kind: Literal["relax", "shift"] = "relax"
    proof: Proof | None = None
    tier: int | None = None
    caution: str | None = None


@dataclass(frozen=True)
class Variant:
    """Another clause in place of one, before it stands in a goal."""

    clause: Clause
    operator: str
    reason: str
    cost: float


def relaxations(
    goal: Goal,
    clause_index: int,
    scene: SceneGraph,
    knowledge: Knowledge,
    unusable: frozenset[str] = frozenset(),
    grounder: Grounder | None = None,
) -> Iterator[Candidate]:
    """Yield goals proved weaker than `goal` by changing one clause (or the order), cheapest first.

    Args:
        scene: the scene at the start.
        unusable: things known to be out of reach; counts are lowered and universals shrunk to
            what is left. Without it only things that are not there are left out.
        grounder: of the same scene; shares resolved selectors between calls.

    Raises:
        IndexError: there is no such clause.
    """
    ground = grounder or Grounder(scene, knowledge)
    found = [*_goal_level(goal, clause_index)]
    item = goal.clauses[clause_index]
    for variant, changed in _changed_items(item, unusable, goal.context, ground):
        if _leaves_faults(item, changed, unusable, ground):
            continue
        found.append(
            Candidate(
                goal.with_clause(clause_index, changed),
                variant.operator,
                item.text(),
                changed.text(),
                variant.reason,
                variant.cost,
            )
        )
    for candidate in sorted(found, key=lambda c: c.cost):
        proof = entails(goal, candidate.goal, scene, knowledge, ground)
        if proof is not None:
            yield replace(candidate, proof=proof)


def _goal_level(goal: Goal, index: int) -> Iterator[Candidate]:
    item = goal.clauses[index]
    if item.soft and len(goal.clauses) > 1:
        rest = goal.without_clause(index)
        yield Candidate(rest, "drop_soft", item.text(), "nothing", "this wish is given up", 5)
    if goal.order:
        yield _whole(goal, "drop_order", replace(goal, order=()), 3, "what must follow immediately")
    if len(goal.stages()) > 1:
        merged = replace(goal, clauses=tuple(_at_first_stage(i) for i in goal.clauses))
        yield _whole(goal, "drop_order", merged, 3, "the order of the stages")
    if not item.soft and len(goal.hard()) > 1:
        rest = goal.without_clause(index)
        rest = replace(rest, order=tuple(o for o in goal.order if not _orders(o.after, item)))
        yield Candidate(rest, "drop_conjunct", item.text(), "nothing", "this part is given up", 10)


def _whole(goal: Goal, operator: str, after: Goal, cost: float, lost: str) -> Candidate:
    return Candidate(after, operator, describe(goal), describe(after), f"{lost}: given up", cost)


def _at_first_stage(item: Item) -> Item:
    if isinstance(item, Clause):
        return replace(item, stage=0)
    return AnyOf(tuple(replace(clause, stage=0) for clause in item.clauses))


def _orders(after: Clause, item: Item) -> bool:
    clauses = (item,) if isinstance(item, Clause) else item.clauses
    return any((c.predicate, c.things) == (after.predicate, after.things) for c in clauses)


def _changed_items(
    item: Item, unusable: frozenset[str], context: frozenset[str], ground: Grounder
) -> Iterator[tuple[Variant, Item]]:
    if isinstance(item, Clause):
        for variant in _variants(item, unusable, context, ground):
            wider = variant.clause
            changed = AnyOf((item, wider)) if variant.operator == "disjunction" else wider
            yield variant, changed
        return
    for i, clause in enumerate(item.clauses):
        for variant in _variants(clause, unusable, context, ground):
            kept = item.clauses[: i + (variant.operator == "disjunction")]
            yield variant, AnyOf((*kept, variant.clause, *item.clauses[i + 1 :]))


def _leaves_faults(before: Item, after: Item, unusable: frozenset[str], ground: Grounder) -> bool:
    """Tell whether something is missing for the clause and still is after the change."""
    old = {f.part for f in faults(before, ground.scene, ground.knowledge, unusable, ground)}
    new = {f.part for f in faults(after, ground.scene, ground.knowledge, unusable, ground)}
    hard = {"things", "targets"}
    return bool(old & hard) and (old & hard) <= new


def _variants(
    clause: Clause, unusable: frozenset[str], context: frozenset[str], ground: Grounder
) -> Iterator[Variant]:
    yield from _wider_predicate(clause)
    yield from _other_number(clause, unusable, ground)
    if clause.quantifier.kind == "all":
        yield from _shrink(clause, unusable, ground)
    lasting = predicate(clause.predicate).irreversible
    if not lasting:
        yield from _constant_to_type(clause, ground)
    if clause.quantifier.kind == "at_least" and not lasting:
        yield from _widen_things(clause, context | clause.things.context, ground)
    if clause.targets is not None:
        yield from _widen_target(clause, clause.targets, context, ground)
        yield from _or_in_the_room(clause, clause.targets, ground)


def _wider_predicate(clause: Clause) -> Iterator[Variant]:
    for wider in predicate(clause.predicate).generalises_to:
        if clause.targets is not None and 2 not in predicate(wider).arity:
            continue
        changed = replace(clause, predicate=wider)
        yield Variant(
            changed, "generalise_predicate", f"'{wider}' asks less than '{clause.predicate}'", 1
        )
    if clause.same_target:
        changed = replace(clause, same_target=False)
        yield Variant(changed, "drop_same_target", "each thing may have a target of its own", 1)


def _other_number(clause: Clause, unusable: frozenset[str], ground: Grounder) -> Iterator[Variant]:
    kind, n = clause.quantifier.kind, clause.quantifier.n
    things = ground.present(clause.things)
    usable = len(things - unusable)
    if kind in ("at_least", "exactly"):
        less = usable if usable < n else n if kind == "exactly" else n - 1
        if less >= 1:
            counted = Quantifier("at_least", less)
            reason = f"{less} instead of {n}"
            if usable < n:
                reason = f"only {usable} {'is' if usable == 1 else 'are'} to be had"
            yield _counted(clause, "lower_count", counted, reason, 1 - less / n)
    if kind in ("at_most", "exactly") and things & unusable:
        more = n + len(things & unusable)
        if more < len(things):
            reason = f"{len(things & unusable)} cannot be moved"
            share = (more - n) / len(things)
            yield _counted(clause, "raise_limit", Quantifier("at_most", more), reason, share)


def _counted(
    clause: Clause, operator: str, quantifier: Quantifier, reason: str, share: float
) -> Variant:
    return Variant(replace(clause, quantifier=quantifier), operator, reason, 3 + share)


def _shrink(clause: Clause, unusable: frozenset[str], ground: Grounder) -> Iterator[Variant]:
    asked = ground.names(clause.things)
    usable = ground.present(clause.things) - unusable
    if not usable or usable == asked:
        return
    lost = asked - usable
    absent = [name for name in sorted(lost, key=natural_key) if name not in ground.scene]
    out = [name for name in sorted(lost, key=natural_key) if name in ground.scene]
    said = [f"{list_names(absent, 'and')} not there"] if absent else []
    said += [f"{list_names(out, 'and')} out of reach"] if out else []
    yield Variant(
        replace(clause, things=_only(clause.things, usable, out, bool(absent))),
        "shrink_universal",
        "; ".join(said),
        3 + len(lost) / len(asked),
    )


def _only(things: Selector, usable: frozenset[str], out: list[str], by_name: bool) -> Selector:
    """Return the selection without what is lost, in its own words where they can still say it."""
    if things.names is not None:
        return Selector(names=tuple(name for name in things.names if name in usable))
    if by_name:
        return Selector(names=tuple(sorted(usable, key=natural_key)))
    whole = things if things.but_not is None else Selector(any_of=(things,))
    return replace(whole, but_not=Selector(names=tuple(out)))


def _constant_to_type(clause: Clause, ground: Grounder) -> Iterator[Variant]:
    names = clause.things.names
    if not names or clause.quantifier.kind not in ("all", "at_least"):
        return
    classes = {ground.scene.nodes[name].cls for name in names if name in ground.scene}
    if len(classes) != 1:
        return
    some = replace(clause.things, names=None, cls=classes.pop())
    n = len(set(names)) if clause.quantifier.kind == "all" else clause.quantifier.n
    words = selector_words(some, plural=n != 1)
    changed = replace(clause, things=some, quantifier=Quantifier("at_least", n))
    yield Variant(changed, "constant_to_type", f"any {words} will do", 2)


def _widen_things(clause: Clause, context: frozenset[str], ground: Grounder) -> Iterator[Variant]:
    things = clause.things
    if things.attributes or things.where:
        plain = replace(things, attributes=(), where=None)
        reason = f"{selector_words(plain)} of any sort, wherever they are"
        yield Variant(replace(clause, things=plain), "widen_things", reason, 2)
    if things.cls is None or ground.knowledge.no_substitute(things.cls):
        return
    for steps, wider in enumerate(_wider_classes(things.cls, context, ground)):
        reason = f"{things.cls} is a kind of {wider}"
        changed = replace(clause, things=replace(things, cls=wider))
        yield Variant(changed, "widen_things", reason, 4 + steps / 2)


def _wider_classes(cls: str, context: frozenset[str], ground: Grounder) -> Iterator[str]:
    """Yield the nearest concepts above a class that cover more of the scene and no vetoed class."""
    scene, knowledge = ground.scene, ground.knowledge
    covered = {c for c in scene.classes() if knowledge.is_a(c, cls)}
    for wider in knowledge.wider(cls)[:NEAREST]:
        more = {c for c in scene.classes() if knowledge.is_a(c, wider)} - covered
        if more and not any(knowledge.veto(cls, c, context) for c in more):
            yield wider


def _widen_target(
    clause: Clause, targets: Selector, context: frozenset[str], ground: Grounder
) -> Iterator[Variant]:
    def to(wider: Selector, reason: str, cost: float) -> Variant:
        return Variant(replace(clause, targets=wider), "widen_target", reason, cost)

    if targets.names:
        classes = {ground.scene.nodes[n].cls for n in targets.names if n in ground.scene}
        for cls in sorted(classes) if len(classes) == 1 else ():
            yield to(Selector(cls=cls), f"any {cls} will do", 1)
    if targets.cls is None:
        return
    if targets.attributes or targets.where or targets.states:
        yield to(Selector(cls=targets.cls), f"any {targets.cls} will do", 1.5)
    kin = _kin(clause, targets.cls, context, ground)
    if kin:
        any_of = (targets, *(Selector(cls=cls) for cls in kin))
        reason = f"{list_words(kin, 'or')} can serve as {targets.cls}"
        yield to(Selector(any_of=any_of), reason, 2.5)


def _kin(clause: Clause, cls: str, context: frozenset[str], ground: Grounder) -> list[str]:
    """Return the classes of the scene that serve the same purpose as a target."""
    scene, knowledge = ground.scene, ground.knowledge
    if knowledge.kind(cls) == "room" or knowledge.no_substitute(cls):
        return []
    roles = knowledge.roles(cls)
    return [
        c
        for c in scene.classes()
        if not knowledge.is_a(c, cls)
        and suits(c, clause.predicate, ground)
        and roles & knowledge.roles(c)
        and not knowledge.veto(cls, c, context)
    ]


def suits(cls: str, predicate_name: str, ground: Grounder) -> bool:
    """Tell whether a thing of that class can be the target of a predicate."""
    if predicate_name == "on":
        return ground.knowledge.surface(cls)
    holds = ground.knowledge.container(cls)
    return holds or (predicate_name in ("at", "to") and ground.knowledge.surface(cls))


def _or_in_the_room(clause: Clause, targets: Selector, ground: Grounder) -> Iterator[Variant]:
    scene = ground.scene
    present = ground.present(targets)
    kinds = {scene.nodes[name].kind for name in present}
    if clause.quantifier.kind not in ("all", "at_least"):
        return
    rooms = _rooms_of(present, scene)
    if rooms and not kinds & {Kind.ROOM, Kind.BUILDING} and clause.predicate in RELATIONS:
        changed = replace(clause, predicate="at", targets=Selector(names=rooms), same_target=False)
        yield Variant(changed, "disjunction", f"or at least in {list_words(rooms, 'or')}", 5)


def _rooms_of(names: Iterable[str], scene: SceneGraph) -> tuple[str, ...]:
    rooms = {room for name in names if (room := scene.room_of(name))}
    return tuple(node.name for node in scene.rooms() if node.name in rooms)
