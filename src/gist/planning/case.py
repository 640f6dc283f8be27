"""One node of the relaxation graph: a goal over a scene, either blocked or ready to be planned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, field, replace

from gist.goals import Clause, Goal, Immediately, Item, faults
from gist.goals.ground import GroundClause, Grounder
from gist.pddl.encode import Demands, Encoder, Literal, Restriction, Types
from gist.pddl.formula import Atom, Formula, Not, conjunction
from gist.planning.allocation import share_out
from gist.planning.selection import already, rank_targets, rank_things
from gist.scene import Kind, Place, SceneGraph, natural_key
from gist.scene.graph import Relation

Unreachable = Mapping[Atom, str]
"""Facts (over scene names) that a proof has shown to be out of reach, with the reason."""


OFFERED = 200
"""How many of many things are looked at when clauses have to share them."""


@dataclass(frozen=True)
class Blocker:
    """Why a clause cannot be reached: a proof over the whole scene, in words.

    ``unusable`` are names that exist but cannot serve; ``short`` says how much is missing;
    ``joint`` marks a clause that is out of reach only together with the others; ``proof`` is the
    chain of needs that shows it, in PDDL's words. Only what Gist's reading of the domain's names
    leaves open is not ``proved``.
    """

    index: int
    reason: str
    short: int
    unusable: frozenset[str] = frozenset()
    joint: bool = False
    proof: str = ""
    proved: bool = True


@dataclass(frozen=True)
class Choice:
    """The facts that were chosen to satisfy one clause: these hold, those do not."""

    index: int
    item: Clause
    hold: tuple[Literal, ...]
    avoid: tuple[Literal, ...] = ()
    alternatives: int = 0

    @property
    def literals(self) -> tuple[Literal, ...]:
        """All facts that the choice speaks of."""
        return self.hold + self.avoid

    def formula(self) -> Formula:
        """Return the condition over scene names."""
        return conjunction(
            (*(literal.atom for literal in self.hold), *(Not(lit.atom) for lit in self.avoid))
        )


@dataclass
class Case:
    """A goal grounded in a scene: for every clause either a choice of facts or a blocker."""

    goal: Goal
    scene: SceneGraph
    encoder: Encoder
    grounder: Grounder
    unreachable: Unreachable = field(default_factory=dict)
    choices: list[Choice] = field(default_factory=list)
    blockers: list[Blocker] = field(default_factory=list)

    def __post_init__(self) -> None:
        for index, item in enumerate(self.goal.clauses):
            found = self._choose_item(index, item)
            if isinstance(found, Blocker):
                self.blockers.append(found)
            else:
                self.choices.append(found)
        self._share_out()

    def of_facts(self, facts: Iterable[tuple[Choice, Literal]]) -> Case:
        """Return the case in which only these of the chosen facts are wanted."""
        part = copy(self)
        part.goal = replace(self.goal, order=())
        part.choices = [replace(choice, hold=(fact,), avoid=()) for choice, fact in facts]
        return part

    def facts_by_thing(self) -> dict[str, list[tuple[Choice, Literal]]]:
        """Return for each thing the facts that are wanted of it in the end."""
        found: dict[str, list[tuple[Choice, Literal]]] = {}
        for choice in self.choices:
            for literal in choice.hold if not choice.item.transient else ():
                found.setdefault(literal.thing, []).append((choice, literal))
        return found

    # --- what the planner needs to know

    def names(self) -> tuple[str, ...]:
        """Return the scene names that the chosen facts speak of."""
        found: dict[str, None] = {}
        for literal in self.literals():
            found.update(dict.fromkeys(literal.atom.args))
            for restriction in literal.restrictions:
                found.update(dict.fromkeys(sorted(restriction.allowed)))
        return tuple(found)

    def literals(self) -> tuple[Literal, ...]:
        """Return all the facts chosen, of clauses and of ordering rules."""
        return tuple(lit for choice in self.choices for lit in choice.literals) + tuple(
            lit for _, choice in self.rules() for lit in choice.literals
        )

    def rules(self) -> tuple[tuple[Immediately, Choice], ...]:
        """Return each ordering rule with the facts that have to come next."""
        found = ((rule, self._choose(-1, rule.then)) for rule in self.goal.order)
        return tuple((rule, choice) for rule, choice in found if isinstance(choice, Choice))

    def demands(self) -> Demands:
        """Return the types that the chosen facts ask of each name."""
        found: dict[str, set[Types]] = {}
        for literal in self.literals():
            for name, types in literal.demands:
                found.setdefault(name, set()).add(types)
        return {name: frozenset(types) for name, types in found.items()}

    def wanted(self) -> frozenset[tuple[str, str]]:
        """Return (meaning, name) pairs that the goal asks for."""
        return frozenset((lit.meaning, arg) for lit in self.literals() for arg in lit.atom.args)

    def restrictions(self) -> tuple[Restriction, ...]:
        """Return what the actions are bound to."""
        return tuple(r for literal in self.literals() for r in literal.restrictions)

    def stages(self) -> tuple[Formula, ...]:
        """Return the condition that has to hold when each stage ends, in order.

        A stage with clauses under an ordering rule becomes one stage for each of their facts,
        each followed by the facts that the rule wants next.
        """
        conditions: list[Formula] = []
        kept: list[Formula] = []
        for number in self.goal.stages():
            chosen = [c for c in self.choices if c.item.stage == number]
            conditions += self._interleaved(chosen, kept)
            lasting = [c.formula() for c in chosen if not c.item.transient]
            passing = [c.formula() for c in chosen if c.item.transient]
            kept += lasting
            whole = conjunction((*kept, *passing))
            if not conditions or whole != conditions[-1]:
                conditions.append(whole)
        return tuple(conditions)

    def _interleaved(self, chosen: Sequence[Choice], kept: Sequence[Formula]) -> list[Formula]:
        conditions: list[Formula] = []
        done = list(kept)
        for rule, then in self.rules():
            facts = [
                literal
                for choice in chosen
                if choice.item.predicate == rule.after.predicate
                for literal in choice.hold
                if literal.thing in self.grounder.names(rule.after.things)
            ]
            for literal in facts:
                done.append(literal.atom)
                conditions += [conjunction(done), conjunction((*done, then.formula()))]
        return conditions

    # --- choosing

    def _choose_item(self, index: int, item: Item) -> Choice | Blocker:
        clauses = (item,) if isinstance(item, Clause) else item.clauses
        found = [self._choose(index, clause) for clause in clauses]
        return next((f for f in found if isinstance(f, Choice)), found[0])

    def _choose(self, index: int, clause: Clause) -> Choice | Blocker:
        ground = self.grounder.clause(clause)
        things = [name for name in ground.things if name in self.scene]
        targets = [name for name in ground.targets or () if name in self.scene]
        absent = self._absent(index, ground)
        if absent is not None:
            return absent
        ranked = rank_targets(self.scene, things, targets)
        if ground.quantifier.kind == "at_most":
            return self._choose_to_avoid(index, ground, things, ranked)
        refused: list[Blocker] = []
        for target in ranked or (None,):
            found = self._choose_for(index, ground, things, target, ranked)
            if isinstance(found, Choice):
                return found
            refused.append(found)
        spread = self._choose_spread(index, ground, things, ranked)
        return spread or min(refused, key=lambda blocker: blocker.short)

    def _share_out(self) -> None:
        """Give clauses that want a thing in different places things of their own.

        What a clause wants of all things is fixed; where some of many do, they are chosen anew.
        """
        lasting = [c for c in self.choices if not c.item.transient and c.item.targets is not None]
        wanted: dict[str, set[Atom]] = {}
        for choice in lasting:
            for literal in choice.hold:
                wanted.setdefault(literal.thing, set()).add(literal.atom)
        if all(len(atoms) == 1 for atoms in wanted.values()):
            return
        free = [c for c in lasting if c.item.quantifier.kind in ("at_least", "exactly")]
        fixed = {lit.thing for c in lasting if c not in free for lit in c.hold}
        offers = [self._offers(choice, fixed) for choice in free]
        given = share_out([(len(c.hold), tuple(o)) for c, o in zip(free, offers, strict=True)])
        for choice, offer, names in zip(free, offers, given, strict=True):
            short = len(choice.hold) - len(names)
            self.choices.remove(choice)
            if short:
                reason = f"not enough {choice.item.things.text()} for all that is asked"
                others = frozenset(offer) - set(names)
                self.blockers.append(Blocker(choice.index, reason, short, others | fixed))
            else:
                hold = tuple(offer[name] for name in names)
                self.choices.append(replace(choice, hold=hold))
        self.choices.sort(key=lambda choice: choice.index)

    def _offers(self, choice: Choice, fixed: Set[str]) -> dict[str, Literal]:
        """Return the things that could serve the clause at the target chosen, best first."""
        ground = self.grounder.clause(choice.item)
        targets = sorted(ground.targets or (), key=natural_key)
        used = next((t for lit in choice.hold for t in targets if t in lit.atom.args), None)
        things = (name for name in ground.things if name in self.scene and name not in fixed)
        ranked = rank_things(self.scene, ground.predicate, things, [used] if used else [])
        found = {n: self._literal(ground.predicate, n, used, targets) for n in ranked[:OFFERED]}
        return {name: lit for name, lit in found.items() if isinstance(lit, Literal)}

    def _absent(self, index: int, ground: GroundClause) -> Blocker | None:
        """Return what the scene lacks for the clause, before any planner is asked."""
        scene, knowledge = self.grounder.scene, self.grounder.knowledge
        for fault in faults(ground.source, scene, knowledge, grounder=self.grounder):
            if fault.part == "things":
                return Blocker(index, fault.text, fault.asked - fault.found)
            if fault.part == "targets":
                return Blocker(index, fault.text, ground.least() + 1)
        return None

    def _choose_for(
        self,
        index: int,
        ground: GroundClause,
        things: Sequence[str],
        target: str | None,
        targets: Sequence[str],
    ) -> Choice | Blocker:
        """Choose the things for one target, or say how many are short."""
        wanted = ground.least()
        ranked = rank_things(self.scene, ground.predicate, things, [target] if target else [])
        hold: list[Literal] = []
        refused: dict[str, str] = {}
        for name in ranked:
            if len(hold) == wanted:
                break
            found = self._literal(ground.predicate, name, target, targets)
            if isinstance(found, Literal):
                hold.append(found)
            else:
                refused[name] = found
        if len(hold) < wanted:
            reason = next(iter(refused.values()), "too few things")
            more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
            short = wanted - len(hold)
            sayable = self.encoder.can_say(self.scene, ground.predicate, target)
            chain = self._chain(refused)
            return Blocker(
                index, reason + more, short, frozenset(refused), proof=chain, proved=sayable
            )
        rest = [name for name in ranked if name not in {lit.thing for lit in hold}]
        avoid: tuple[Literal, ...] = ()
        if ground.quantifier.kind == "exactly":
            avoid = self._to_avoid(ground.predicate, rest, targets)
        return Choice(index, ground.source, tuple(hold), avoid, len(things) - wanted)

    def _chain(self, names: Iterable[str]) -> str:
        about = set(names)
        chains = (why for fact, why in self.unreachable.items() if about & set(fact.args))
        return next(chains, "")

    def _choose_spread(
        self, index: int, ground: GroundClause, things: Sequence[str], targets: Sequence[str]
    ) -> Choice | None:
        """Choose for each thing a target of its own, where the clause allows several."""
        if ground.same_target or len(targets) < 2:
            return None
        hold: list[Literal] = []
        for name in rank_things(self.scene, ground.predicate, things, targets):
            for target in targets:
                found = self._literal(ground.predicate, name, target, targets)
                if isinstance(found, Literal):
                    hold.append(found)
                    break
            if len(hold) == ground.least():
                break
        if len(hold) < ground.least():
            return None
        return Choice(index, ground.source, tuple(hold))

    def _choose_to_avoid(
        self, index: int, ground: GroundClause, things: Sequence[str], targets: Sequence[str]
    ) -> Choice:
        """Choose which things stay where they are and which must not be there at the end."""
        there = [
            name
            for name in rank_things(self.scene, ground.predicate, things, targets)
            if any(already(self.scene, ground.predicate, name, t) for t in targets or (None,))
        ]
        leave = there[ground.quantifier.n :]
        never = [name for name in things if name not in there] if ground.quantifier.n == 0 else []
        avoid = self._to_avoid(ground.predicate, [*leave, *never], targets)
        if ground.targets is not None:
            avoid += self._to_avoid("held", leave, ())
        return Choice(index, ground.source, (), avoid)

    def _to_avoid(
        self, predicate: str, things: Iterable[str], targets: Sequence[str]
    ) -> tuple[Literal, ...]:
        found = (
            self.encoder.express(self.scene, predicate, name, target)
            for name in things
            for target in targets or (None,)
        )
        return tuple(literal for literal in found if literal is not None)

    def _as_it_is(self, name: str, target: str | None) -> Literal | None:
        """Return the fact that keeps a thing where it is, if that is where it is wanted.

        Domains say `at` only of what stands on nothing, but what stands on a table is in its room;
        and what lies in a shelf is on it. Nobody wants it put on the floor, or on top, for that.
        """
        place = self.scene.place_of(name)
        if target is None or place is None or place.relation is Relation.AT:
            return None
        carrier, vocabulary = place.target, self.encoder.vocabulary
        if self.scene.node(target).kind is Kind.ROOM:
            fixed = self.scene.place_of(carrier) == Place(Relation.AT, target)
            fixed = fixed and not vocabulary.able(self.scene.node(carrier), "portable")
            movers = (vocabulary.mover_types(p.name) for p in vocabulary.predicates("at"))
            if not fixed or any(True in kinds.values() for kinds in movers):
                return None
        elif carrier != target or not vocabulary.able(self.scene.node(carrier), "surface"):
            return None
        return self.encoder.express(self.scene, place.relation.value, name, carrier)

    def _literal(
        self, predicate: str, name: str, target: str | None, targets: Sequence[str]
    ) -> Literal | str:
        """Return the fact for a thing, or in words why it is out of reach."""
        literal = self._as_it_is(name, target) if predicate in ("at", "to", "in", "on") else None
        literal = literal or self.encoder.express(self.scene, predicate, name, target)
        where = f" {predicate} {target}" if target else f" {predicate}"
        if literal is None and not self.encoder.can_say(self.scene, predicate, target):
            return f"the domain has no predicate that is known to mean '{predicate}'"
        if literal is None:
            return f"the robot has no action to get {name}{where}"
        if literal.atom in self.unreachable:
            if self.scene.room_of(name) is None:
                return f"nobody knows where {name} is"
            done = "get" if target else "be made"
            return f"{name} cannot {done}{where}{_root_cause(self.unreachable[literal.atom])}"
        if not literal.restrictions:
            return literal
        allowed = frozenset(targets)
        widened = tuple(replace(r, allowed=allowed) for r in literal.restrictions)
        return replace(literal, restrictions=widened)


def _root_cause(chain: str) -> str:
    """Return what a proof that a fact is out of reach comes down to, in a few words."""
    last = chain.rsplit("which needs ", 1)[-1]
    if last.endswith(", and there is none"):
        return f": that needs {last.replace('-', ' ')}"
    _, never, why = chain.partition("can never become true: ")
    return f": {why}" if never else ": no action leads there"
