"""The proof that one goal is weaker than another (METHODS.md A, the relaxation preorder).

G' is weaker than G iff every run of states that satisfies G satisfies G'. The proof works clause
by clause on ground extensions. It is sound; what it cannot prove it does not claim. Three things
are deliberately left unused: that a thing is in one place only, that opposites exclude each other,
and that a clause nothing can satisfy would imply anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from gist.goals.goal import Goal, Immediately, Item, Selector
from gist.goals.ground import GroundClause, Grounder, serves
from gist.scene.graph import SceneGraph

if TYPE_CHECKING:
    from gist.knowledge import Knowledge

MAX_CASES = 64


@dataclass(frozen=True)
class ProofStep:
    """Why one clause of the weaker goal holds: the clause in words and the rule."""

    clause: str
    rule: str


@dataclass(frozen=True)
class Proof:
    """Why a goal is weaker than another, a step for each of its clauses."""

    steps: tuple[ProofStep, ...]

    @property
    def text(self) -> str:
        return "; ".join(f"{step.clause}: {step.rule}" for step in self.steps)


@dataclass(frozen=True)
class _Stage:
    """What is known at the end of a stage, each as alternatives, and what lasts from there on."""

    now: tuple[tuple[GroundClause, ...], ...]
    lasting: tuple[tuple[GroundClause, ...], ...]


def entails(
    stronger: Goal,
    weaker: Goal,
    scene: SceneGraph,
    knowledge: Knowledge,
    grounder: Grounder | None = None,
) -> Proof | None:
    """Return the proof that every run that satisfies `stronger` satisfies `weaker`, or None.

    Args:
        scene: the scene at the start; it says which things the selectors mean.
        grounder: of the same scene; shares resolved selectors between calls.
    """
    ground = grounder or Grounder(scene, knowledge)
    known = [_known_at(stronger, stage, ground) for stage in _hard_stages(stronger)]
    steps: list[ProofStep] = []
    position = 0
    for stage in _hard_stages(weaker):
        items = [item for item in weaker.hard() if item.stage == stage]
        for index in range(position, len(known)):
            proved = [_prove_item(item, known[index], ground) for item in items]
            if all(proved):
                steps += [step for step in proved if step]
                position = index
                break
        else:
            return None
    for rule in weaker.order:
        step = _prove_order(rule, stronger.order, ground)
        if step is None:
            return None
        steps.append(step)
    return Proof(tuple(steps))


def _hard_stages(goal: Goal) -> list[int]:
    return sorted({item.stage for item in goal.hard()})


def _known_at(goal: Goal, stage: int, ground: Grounder) -> _Stage:
    hard = goal.hard()
    lasting = tuple(ground.item(i) for i in hard if not i.transient and i.stage <= stage)
    passing = tuple(ground.item(i) for i in hard if i.transient and i.stage == stage)
    return _Stage(lasting + passing, lasting)


def _prove_item(item: Item, known: _Stage, ground: Grounder) -> ProofStep | None:
    context = known.now if item.transient else known.lasting
    rule = _prove_any(ground.item(item), context, ground)
    return ProofStep(item.text(), rule) if rule else None


def _prove_any(
    wanted: Sequence[GroundClause], context: Sequence[tuple[GroundClause, ...]], ground: Grounder
) -> str | None:
    """Prove one of `wanted`, splitting into cases where the context has alternatives."""
    plain = [alternatives[0] for alternatives in context if len(alternatives) == 1]
    rule = _first_rule(wanted, plain, ground)
    if rule:
        return rule
    splits = [alternatives for alternatives in context if len(alternatives) > 1]
    for split in splits:
        rules = [_first_rule(wanted, [*plain, case], ground) for case in split]
        if all(rules):
            return f"in each case of an alternative: {_join(rules)}"
    cases = 1
    for split in splits:
        cases *= len(split)
    if len(splits) < 2 or cases > MAX_CASES:
        return None
    rules = [_first_rule(wanted, [*plain, *case], ground) for case in product(*splits)]
    return f"in each of {cases} cases: {_join(rules)}" if all(rules) else None


def _join(rules: Iterable[str | None]) -> str:
    return "; ".join(dict.fromkeys(rule for rule in rules if rule))


def _first_rule(
    wanted: Sequence[GroundClause], context: Sequence[GroundClause], ground: Grounder
) -> str | None:
    for clause in wanted:
        rule = _prove_clause(clause, context, ground)
        if rule:
            return rule if len(wanted) == 1 else f"one alternative is enough ({rule})"
    return None


def _prove_clause(
    wanted: GroundClause, context: Sequence[GroundClause], ground: Grounder
) -> str | None:
    for clause in context:
        if _same(clause, wanted):
            return "unchanged"
    if _always_true(wanted):
        return "asks for nothing"
    for clause in context:
        rule = _from_one(clause, wanted, ground)
        if rule:
            return rule
    if wanted.same_target:
        return None
    return _from_counts(wanted, context, ground)


def _same(a: GroundClause, b: GroundClause) -> bool:
    """Tell whether two clauses mean the same: by their names, or by their very wording."""
    wordings = [
        (c.source.predicate, c.source.quantifier, c.source.things, c.source.targets, c.same_target)
        for c in (a, b)
    ]
    if wordings[0] == wordings[1]:
        return True
    return bool(a.things and a.targets != frozenset()) and replace(a, source=b.source) == b


def _always_true(clause: GroundClause) -> bool:
    if clause.same_target and not clause.targets:
        return False
    kind, n = clause.quantifier.kind, clause.quantifier.n
    return (kind == "at_least" and n == 0) or (kind == "at_most" and n >= len(clause.things))


def _from_one(strong: GroundClause, weak: GroundClause, ground: Grounder) -> str | None:
    """Prove `weak` from a single clause; the only rule where one target must serve all."""
    room = weak.quantifier.n - len(weak.things - strong.things)
    if weak.same_target:
        if not (_keeps_target(strong) and _targets_within(strong, weak, ground)):
            return None
        lower = serves(strong, weak) and _enough(strong, weak, ground)
        upper = serves(weak, strong) and strong.most() <= room
    else:
        lower = _serves(strong, weak, ground) and _enough(strong, weak, ground)
        upper = not strong.same_target and _serves(weak, strong, ground) and strong.most() <= room
    proved = {"at_most": upper, "exactly": lower and upper}.get(weak.quantifier.kind, lower)
    return _why(strong, weak) if proved else None


def _keeps_target(strong: GroundClause) -> bool:
    return strong.same_target or (strong.targets is not None and len(strong.targets) == 1)


def _enough(strong: GroundClause, weak: GroundClause, ground: Grounder) -> bool:
    """Tell whether as many things as `weak` asks for are among those of `strong`."""
    if (strong.quantifier, strong.source.things) == (weak.quantifier, weak.source.things):
        return True
    if not strong.things and not _within(strong.source.things, weak.source.things, ground):
        return False
    if weak.quantifier.kind == "all":
        every = strong.least() == len(strong.things)
        return bool(weak.things) and every and weak.things <= strong.things
    return strong.least() - len(strong.things - weak.things) >= weak.least()


def _serves(strong: GroundClause, weak: GroundClause, ground: Grounder) -> bool:
    """Tell whether whatever satisfies `strong` at one of its targets satisfies `weak`."""
    return serves(strong, weak) and _targets_within(strong, weak, ground)


def _targets_within(strong: GroundClause, weak: GroundClause, ground: Grounder) -> bool:
    if strong.targets is None or weak.targets is None or strong.targets:
        return weak.targets is None or (strong.targets or frozenset()) <= weak.targets
    assert strong.source.targets is not None and weak.source.targets is not None
    return _within(strong.source.targets, weak.source.targets, ground)


def _within(narrow: Selector, wide: Selector, ground: Grounder) -> bool:
    """Tell whether a selection lies within another in every scene, by its wording."""
    if narrow == wide or (narrow in wide.any_of and wide == Selector(any_of=wide.any_of)):
        return True
    if narrow.cls is None or wide.cls is None or narrow.collective or wide.collective:
        return False
    return (
        (narrow.cls == wide.cls or ground.knowledge.is_a(narrow.cls, wide.cls))
        and replace(narrow, cls=wide.cls, states=wide.states, attributes=wide.attributes) == wide
        and wide.states <= narrow.states
        and set(wide.attributes) <= set(narrow.attributes)
    )


def _from_counts(
    wanted: GroundClause, context: Sequence[GroundClause], ground: Grounder
) -> str | None:
    """Prove `wanted` from several clauses by bounding how many things satisfy it."""
    kind = wanted.quantifier.kind
    if kind in ("all", "at_least", "exactly"):
        certain, least = _lower_bound(wanted, context, ground)
        enough = wanted.things <= certain if kind == "all" else least >= wanted.quantifier.n
        if not enough or (kind == "all" and not wanted.things):
            return None
        if kind != "exactly":
            return f"at least {least} of the {len(wanted.things)} follow from the goal's clauses"
    if _upper_bound(wanted, context, ground) > wanted.quantifier.n:
        return None
    return f"no more than {wanted.quantifier.n} are possible under the goal's clauses"


def _lower_bound(
    wanted: GroundClause, context: Sequence[GroundClause], ground: Grounder
) -> tuple[frozenset[str], int]:
    """Return the things sure to satisfy `wanted`, and at least how many of its things do."""
    serving = [c for c in context if c.things and _serves(c, wanted, ground)]
    certain = frozenset().union(*(c.things for c in serving if c.least() == len(c.things)))
    open_things = wanted.things - certain
    gains = []
    for clause in serving:
        outside = replace(clause, things=clause.things - open_things, same_target=False)
        gain = clause.least() - _upper_bound(outside, context, ground)
        if gain > 0:
            gains.append((gain, clause.things & open_things))
    return certain, len(wanted.things & certain) + _disjoint_sum(gains)


def _upper_bound(wanted: GroundClause, context: Sequence[GroundClause], ground: Grounder) -> int:
    """Return a number that the things satisfying `wanted` cannot exceed."""
    limiting = [c for c in context if not c.same_target and _serves(wanted, c, ground)]
    never = frozenset().union(*(c.things for c in limiting if c.most() == 0))
    possible = wanted.things - never
    savings = []
    for clause in limiting:
        saving = len(clause.things & possible) - clause.most()
        if saving > 0:
            savings.append((saving, clause.things & possible))
    return len(possible) - _disjoint_sum(savings)


def _disjoint_sum(parts: list[tuple[int, frozenset[str]]]) -> int:
    """Return the sum over disjoint parts, the greatest first."""
    used: frozenset[str] = frozenset()
    total = 0
    for value, things in sorted(parts, key=lambda part: (-part[0], len(part[1]))):
        if not used & things:
            used |= things
            total += value
    return total


def _why(strong: GroundClause, weak: GroundClause) -> str:
    reasons = []
    if strong.predicate != weak.predicate:
        reasons.append(f"'{strong.predicate}' implies '{weak.predicate}'")
    if strong.targets != weak.targets or strong.source.targets != weak.source.targets:
        reasons.append("every earlier target is still allowed")
    if strong.same_target and not weak.same_target:
        reasons.append("one target for all is no longer asked")
    if strong.things != weak.things or strong.source.things != weak.source.things:
        reasons.append(_why_things(strong, weak))
    if strong.quantifier != weak.quantifier:
        reasons.append(f"{_count(strong)} implies {_count(weak)}")
    return f'follows from "{strong.source.text()}": ' + (", ".join(reasons) or "same meaning")


def _why_things(strong: GroundClause, weak: GroundClause) -> str:
    if weak.things < strong.things:
        return f"{len(weak.things)} of the {len(strong.things)} things"
    if strong.things < weak.things:
        return "the earlier things are among those that count"
    return "the same things count" if strong.things == weak.things else "enough things are shared"


def _count(clause: GroundClause) -> str:
    kind, n = clause.quantifier.kind, clause.quantifier.n
    return f"all {len(clause.things)}" if kind == "all" else f"{kind.replace('_', ' ')} {n}"


def _prove_order(
    wanted: Immediately, known: Sequence[Immediately], ground: Grounder
) -> ProofStep | None:
    """An order is weaker when fewer things trigger it and less must follow."""
    after, then = ground.clause(wanted.after), ground.clause(wanted.then)
    for rule in known:
        trigger = ground.clause(rule.after)
        fewer = (
            trigger.predicate == after.predicate
            and after.things <= trigger.things
            and (after.targets == trigger.targets)
        )
        why = _prove_clause(then, [ground.clause(rule.then)], ground) if fewer else None
        if why:
            same = rule == wanted
            return ProofStep("order", "unchanged" if same else f"fewer occasions; {why}")
    return None
