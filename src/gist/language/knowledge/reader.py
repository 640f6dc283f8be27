"""From commands to clauses: what each verb asks for, of which things, where, and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from gist.goals.goal import (
    ALL,
    Assumption,
    Clause,
    Goal,
    Immediately,
    Located,
    Quantifier,
    Selector,
)
from gist.language.knowledge.phrases import Command, Item, NounPhrase, Place, Refusal
from gist.language.knowledge.things import KEYS, Group, Things, some_of, union
from gist.language.knowledge.timing import in_time
from gist.language.knowledge.tokens import Token
from gist.language.knowledge.vocabulary import Vocabulary
from gist.scene.graph import Kind, Relation, natural_key

GENERAL_BIN = "rubbish bin"
RUBBISH = "rubbish"
FETCHING = frozenset(("bring", "get", "fetch", "give", "hand", "pass", "pick", "grab", "lift"))
CARRYING = frozenset(("take", "move", "carry", "transport", "transfer"))
CARRIERS = ("tray", "cart", "trolley", "hand", "arm", "gripper", "wheelbarrow")
MANY_TARGETS = 40
MOVING = ("transfer", "fetch", "take", "gather", "hold", "store", "return")


@dataclass
class _Pending:
    """A command that waits for a later one to say where the things go."""

    command: Command
    groups: list[Group]
    stage: int
    at: int


@dataclass
class Reader(Things):
    """Reads the commands of one sentence into a goal."""

    vocabulary: Vocabulary
    text: str
    assumptions: list[Assumption] = field(default_factory=list)
    mentions: list[list[Group]] = field(default_factory=list)
    sources: list[list[Group]] = field(default_factory=list)
    current: list[Group] = field(default_factory=list)
    moved: set[int] = field(default_factory=set)
    clauses: list[Clause] = field(default_factory=list)
    order: list[Immediately] = field(default_factory=list)
    context: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    care: frozenset[str] = frozenset()
    keys: list[int] = field(default_factory=list)
    stage: int = 0
    pending: list[_Pending] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scene = self.vocabulary.scene
        self.knowledge = self.vocabulary.knowledge
        self.lexicon = self.vocabulary.lexicon

    def read(self, commands: Sequence[Command], notes: Iterable[tuple[str, list[Token]]]) -> Goal:
        """Return the goal that the commands ask for.

        Raises:
            Refusal: something is missing, such as where to put a thing.
        """
        for command in [*commands, *(sub for c in commands for _, sub in c.subs)]:
            self.context |= command.context
            if not command.to_person or any(item.thing.pronoun for item in command.items):
                self.shared |= command.context
        for command in commands:
            if command.later:
                self.stage += 1
            self._timed(command)
        self._read_pending()
        if not self.clauses:
            raise Refusal(commands[-1].tokens, "it asks for nothing that can be brought about")
        self._into_fitting_bins()
        recycles = any(command.sense.frame == "recycle" for command in commands)
        for note, tokens in notes:
            if recycles and tokens[0].low in ("properly", "correctly", "responsibly"):
                continue
            self._assume(f"'{' '.join(t.text for t in tokens)}': {note}", tokens)
        clauses = in_time(*self._distinct(), self._names)
        distinct = {assumption.text: assumption for assumption in reversed(self.assumptions)}
        assumptions = tuple(reversed(distinct.values()))
        return Goal(clauses, tuple(self.order), assumptions, self.text, self.context)

    def _read_pending(self) -> None:
        """Read the commands that still wait for a target, each where it was said."""
        for waiting in reversed(self.pending):
            clauses, keys = self.clauses[waiting.at :], self.keys[waiting.at :]
            del self.clauses[waiting.at :], self.keys[waiting.at :]
            self._without_target(waiting)
            self.clauses += clauses
            self.keys += keys

    def _distinct(self) -> tuple[list[Clause], list[int]]:
        """Return the clauses, each meaning once, and the keys of their groups."""
        found: dict[Clause, tuple[Clause, int]] = {}
        for clause, key in zip(self.clauses, self.keys, strict=True):
            found.setdefault(replace(clause, span=None, words=""), (clause, key))
        return [clause for clause, _ in found.values()], [key for _, key in found.values()]

    # time

    def _timed(self, command: Command) -> None:
        """Read a command with what comes before, after or at once after it."""
        start = self.stage
        subs = command.subs
        for i, (when, sub) in enumerate(subs):
            if when == "immediately" and sub.sense.frame != "state":
                self._assume("that nothing comes in between is not planned", sub.tokens)
                subs[i] = ("after", sub)
        waits = [sub for when, sub in subs if when == "after"]
        follows = [sub for when, sub in subs if when == "before"]
        ahead = [sub for sub in waits if sub.tokens[0].start < command.tokens[0].start]
        for sub in ahead:
            self._commanded(sub, start)
        main = start + (1 if waits else 0)
        produced = self._commanded(command, main)
        for sub in waits:
            if sub not in ahead:
                self._commanded(sub, start, unless_said=True)
        for sub in follows:
            self._commanded(sub, main + 1)
        for when, sub in subs:
            if when == "immediately":
                self._at_once(sub, produced)
        self.stage = main + (1 if follows else 0)

    def _at_once(self, sub: Command, then: Sequence[Clause]) -> None:
        """Add the order "then" at once after each time that the sub-command's clause comes true."""
        before = len(self.clauses)
        triggers = self._same_as_before(sub) or self._commanded(sub, self.stage)
        new = self.clauses[before:]
        for clause in then:
            if clause in new:
                continue
            follows = replace(clause, stage=0, span=None, words="")
            for trigger in triggers:
                after = Clause(trigger.predicate, ALL, trigger.things, trigger.targets)
                self.order.append(Immediately(after, follows))

    def _same_as_before(self, sub: Command) -> list[Clause]:
        """Return the earlier clauses that "cleaning each room" speaks of again."""
        if sub.sense.frame != "state" or not sub.items:
            return []
        thing = sub.items[0].thing
        general = thing.cls in ("room", "place") or thing.pronoun or thing.floor
        whole = thing.pronoun or thing.determiner in ("each", "all", "the", "")
        if not general or not whole:
            return []
        return [
            c
            for c in self.clauses
            if c.predicate == sub.sense.predicate and self._is_room(c.things)
        ]

    # one command

    def _commanded(self, command: Command, stage: int, unless_said: bool = False) -> list[Clause]:
        """Read one command; return the clauses that it adds."""
        before = len(self.clauses)
        if command.sense.assumes:
            self._assume(f"'{command.sense.verb}': {command.sense.assumes}", command.tokens[:1])
        frame = command.sense.frame
        cares = frame in (*MOVING, "set", "decorate", "statement", "assemble")
        self.current = []
        self.care = command.context | self.shared if cares else frozenset()
        self._left_aside(command)
        if frame in MOVING:
            self._moving(command, stage)
        else:
            getattr(self, f"_{frame}")(command, stage)
        new = self.clauses[before:]
        if unless_said:
            new = [clause for clause in new if not self._said(clause, self.clauses[:before])]
            self.keys[before:] = [
                key
                for clause, key in zip(self.clauses[before:], self.keys[before:], strict=True)
                if clause in new
            ]
            self.clauses[before:] = new
        return new

    def _left_aside(self, command: Command) -> None:
        """Name what is said with a command and cannot be part of its goal."""
        frame = command.sense.frame
        moves = frame in MOVING
        if command.tool and not moves and frame not in ("state", "decorate"):
            self._with_tool(command)
        if command.purpose is not None and not moves:
            raise Refusal(command.purpose.tokens, "what it is for cannot be planned")
        settles = frame == "set" or command.sense.verb in ("set", "lay")
        if command.occasion and not settles:
            self._assume("for what occasion it is, is not planned", command.tokens)
        if frame in ("set", "assemble", "decorate") and len(command.items) > 1:
            raise Refusal(command.items[1].thing.tokens, "only one thing can be prepared at a time")
        counted = any(i.thing.number is not None or i.thing.determiner for i in command.items)
        if command.people is not None and counted and not settles and frame != "statement":
            self._assume(f"for {command.people}: the number that was said is kept", command.tokens)

    def _said(self, clause: Clause, earlier: Sequence[Clause]) -> bool:
        things = self._names(clause.things)
        if clause.quantifier == Quantifier("at_most", 0) and not things:
            return True
        return any(
            old.predicate == clause.predicate
            and old.quantifier == clause.quantifier
            and self._names(old.things) == things
            for old in earlier
        )

    def _add(
        self,
        command: Command,
        stage: int,
        predicate: str,
        group: Group,
        targets: Selector | None = None,
        soft: bool = False,
        same_target: bool = False,
    ) -> None:
        start, end = command.span
        clause = Clause(
            predicate,
            group.quantifier,
            group.selector,
            targets,
            stage,
            soft=soft or command.soft or group.soft,
            same_target=same_target and group.quantifier != Quantifier("at_least", 1),
            span=command.span,
            words=self.text[start:end],
        )
        self.clauses.append(clause)
        self.keys.append(group.key)
        for assumed in group.assumed:
            self._assume(assumed, command.tokens, "default")

    # things that move

    def _moving(self, command: Command, stage: int) -> None:
        if not command.items:
            raise Refusal(command.tokens, "what it is about is not said")
        if self._is_setting(command):
            self._set(command, stage)
            return
        if command.sense.verb == "load" and self._loads(command):
            command = self._loaded(command)
        if command.shares:
            return
        for tool in command.tool:
            if not any(self._class_is(tool, carrier) for carrier in CARRIERS):
                raise Refusal(tool.tokens, "whether it is there, or goes there, is not clear")
        if command.tool:
            self._with_tool(command)
        goals = [place for place in command.places if place.preposition in ("in", "to")]
        if any(self._says_right_bins(p) or any(map(self._is_some_bin, p.things)) for p in goals):
            self._thrown(command, stage, recycle=False)
            return
        spoken: list[Group] = []
        for items, sources, goals in self._parts(command):
            if self._are_there(command, items, goals):
                sources, goals = sources + goals, []
            groups: list[Group] = []
            for item in items:
                early = self._early_target(item.thing, goals)
                groups += self._moved(command, item.thing, sources, early)
            self._note_moved(groups, sources)
            self._move(command, stage, groups, sources, goals)
            spoken += groups
        self._remember(spoken)

    def _are_there(self, command: Command, items: list[Item], goals: list[Place]) -> bool:
        """Tell whether "fetch the keys on the table" says where the keys are, not where to."""
        if (
            command.sense.verb not in FETCHING | CARRYING
            or not goals
            or goals[0].preposition not in ("in", "on")
        ):
            return False
        if self._all_rooms(goals[0]) or any(t.pronoun for t in goals[0].things):
            return False
        for item in items:
            if item.thing.pronoun or item.thing.other or item.thing.more or item.thing.set_name:
                return False
            if item.thing.names:
                named = Selector(names=item.thing.names)
                there = replace(named, where=self._located(goals[0], named, frozenset()))
            else:
                whole = self._selector(item.thing)
                there = self._narrowed(whole, goals[0], frozenset())
            if not self._names(there):
                return False
        return True

    def _note_moved(self, groups: Sequence[Group], sources: Sequence[Place]) -> None:
        """Note what was moved and from where, for a later "close it"."""
        self.moved |= {group.key for group in groups}
        moved = frozenset(name for group in groups for name in self._names(group.selector))
        for phrase in (thing for place in sources for thing in place.things):
            if not phrase.pronoun and not phrase.other:
                target = self._target(phrase, moved, quiet=True)
                self.sources.append([Group(target, ALL, phrase)])

    def _is_setting(self, command: Command) -> bool:
        thing = command.items[0].thing
        goals = [p for p in command.places if p.preposition != "from"]
        return (
            command.sense.verb in ("set", "lay")
            and len(command.items) == 1
            and self._class_is(thing, "table")
            and not any(self._is_target(p) for p in goals)
        )

    def _is_target(self, place: Place) -> bool:
        return place.preposition == "on" or not all(self._is_room_phrase(t) for t in place.things)

    def _loads(self, command: Command) -> bool:
        thing = command.items[0].thing
        return bool(command.tool) and not command.places and bool(self._class_of(thing))

    def _loaded(self, command: Command) -> Command:
        """Read "load the dishwasher with the plates" as "load the plates into the dishwasher"."""
        into = Place("in", [item.thing for item in command.items], command.tokens)
        items = [Item(thing) for thing in command.tool]
        return replace(command, items=items, places=[into], tool=[])

    def _parts(self, command: Command) -> list[tuple[list[Item], list[Place], list[Place]]]:
        """Return the objects with the places they come from and those they go to.

        Objects that go to the same place are together; "from" after the last of them holds for
        those before it that have no place of their own.
        """
        last_from, last_goals = self._split(command, command.places)
        parts: list[tuple[list[Item], list[Place], list[Place]]] = []
        together: list[Item] = []
        for index, item in enumerate(command.items):
            together.append(item)
            if index == len(command.items) - 1 or not item.places:
                continue
            own_from, own_goals = self._split(command, item.places)
            restricts = any(p.preposition != "from" for p in last_from) or (
                any(p.preposition == "to" for p in last_goals)
                and not any(p.preposition == "to" for p in own_goals)
            )
            if own_goals and restricts:
                own_from, own_goals = own_from + own_goals, []
            parts.append((together, own_from, own_goals or last_goals))
            together = []
        if parts and not last_from and not last_goals and not command.origin and not command.kept:
            last_goals = parts[-1][2]
        parts.append((together, last_from, last_goals))
        return parts

    def _split(self, command: Command, places: Sequence[Place]) -> tuple[list[Place], list[Place]]:
        """Split places into those that say where the things are and those where they go."""
        sources: list[Place] = []
        goals: list[Place] = []
        frame = command.sense.frame
        leaves = frame in ("remove", "state", "vacate")
        for place in places:
            previous = (goals or sources)[-1] if goals or sources else None
            in_room = place.preposition in ("in", "at", "on") and self._all_rooms(place)
            within = previous is not None and in_room and not self._all_rooms(previous)
            thrown = frame in ("dispose", "recycle") and not self._are_bins(place)
            if place.preposition == "from" or (place.source and not within) or thrown:
                sources.append(place)
            elif previous is not None and within:
                later_goal = places[-1] is not place or goals or leaves or place.source
                if previous in goals and not leaves and not self._is_there(previous, place):
                    sources.append(goals.pop())
                    goals.append(place)
                elif previous in goals or later_goal:
                    for thing in previous.things:
                        thing.places += [place] if place not in thing.places else []
                else:
                    goals.append(place)
            elif goals and goals[-1].preposition in ("in", "on", "at"):
                if any(thing.determiner == "one" for thing in goals[-1].things):
                    raise Refusal(
                        goals[-1].tokens, "whether it is there or goes there is not clear"
                    )
                sources.append(goals.pop())
                goals.append(place)
            elif goals and self._all_rooms(goals[-1]):
                for thing in place.things:
                    thing.places += [goals[-1]] if goals[-1] not in thing.places else []
                goals[-1] = place
            else:
                goals.append(place)
        if leaves:
            return sources + goals, []
        if len(goals) > 1:
            raise Refusal(goals[1].tokens, "where the things go is said twice")
        return sources, goals

    def _is_there(self, inner: Place, room: Place) -> bool:
        """Tell whether "on the couch in the bedroom" may be one place: no couch is elsewhere."""
        if any(thing.pronoun or thing.other or thing.floor for thing in inner.things):
            return True
        for thing in inner.things:
            here = self._selector(thing)
            if self._names(here) and not self._names(self._narrowed(here, room, frozenset())):
                return False
        return True

    def _moved(
        self, command: Command, thing: NounPhrase, sources: list[Place], early: frozenset[str]
    ) -> list[Group]:
        if command.purpose is not None:
            parts = self._for_purpose(command, thing)
            if parts:
                return parts
        groups = self._groups(command, thing, sources, early)
        if thing.more and not (command.places or command.sense.frame == "statement"):
            raise Refusal(thing.tokens, "on top of how many is not said")
        self._read_or_drop_pending(command, groups)
        self.current += groups
        return groups

    def _read_or_drop_pending(self, command: Command, groups: Sequence[Group]) -> None:
        """Forget what led up to this; "take it out and put it back" is two steps all the same."""
        mine = {group.key for group in groups}
        back = (command.origin or command.sense.frame == "return") and not command.places
        for waiting in list(self.pending):
            same = any(group.key in mine for group in waiting.groups)
            untouched = not any(key in mine for key in self.keys)
            left = waiting.command.places or waiting.command.sense.particle
            if same and ((back and untouched and left) or self._is_handed(waiting, command)):
                self.pending.remove(waiting)
                self._without_target(waiting)
        self._drop_pending(groups)

    def _is_handed(self, waiting: _Pending, command: Command) -> bool:
        """Tell whether things go to a person first ("bring it to me, then put it away")."""
        first = waiting.command
        hands = first.sense.verb in ("give", "hand", "pass")
        kept = command.sense.frame == "state" or command.later or not first.given or hands
        return first.to_person and kept

    def _move(
        self,
        command: Command,
        stage: int,
        groups: list[Group],
        sources: list[Place],
        goals: list[Place],
    ) -> None:
        if command.kept:
            self._store(command, stage, groups)
        elif command.origin or (command.sense.frame == "return" and not goals):
            self._back(command, stage, groups)
        elif goals:
            self._put(command, stage, groups, goals[0])
        elif command.sense.frame == "store":
            self._store(command, stage, groups)
        else:
            command = replace(command, places=sources)
            self.pending.append(_Pending(command, groups, stage, len(self.clauses)))

    def _early_target(self, thing: NounPhrase, goals: Sequence[Place]) -> frozenset[str]:
        """Return the names of the target where the things are "in other containers" than it."""
        other = any(t.other for place in thing.places for t in place.things) or thing.other
        if not other or not goals:
            return frozenset()
        return frozenset(
            n for t in goals[0].things for n in self._names(self._target(t, frozenset()))
        )

    def _drop_pending(self, groups: Sequence[Group]) -> None:
        """Forget commands that only lead up to this one ("collect the cups and put them ...")."""
        mine = {group.key for group in groups}
        self.pending = [
            waiting
            for waiting in self.pending
            if not any(group.key in mine for group in waiting.groups)
        ]

    def _put(self, command: Command, stage: int, groups: Sequence[Group], goal: Place) -> None:
        """Add "the things are in, on or at the target".

        Raises:
            Refusal: one thing is to be in several places.
        """
        moved = frozenset(name for group in groups for name in self._names(group.selector))
        each = [thing for thing in goal.things if thing.determiner == "each"]
        if each and len(goal.things) == 1:
            self._put_in_each(command, stage, groups, goal, each[0])
            return
        targets = [self._target(thing, moved) for thing in goal.things]
        several = len(targets) > 1 and not goal.any_one
        if several and any(self._is_single(group) for group in groups):
            raise Refusal(goal.tokens, "one thing cannot be in several places")
        if several and any(group.quantifier.kind == "all" for group in groups):
            self._assume("each of the places named is good enough", goal.tokens, "choice")
        split = several and all(group.quantifier.kind != "all" for group in groups)
        for selector in targets if split else [union(targets)]:
            predicate = self._relation(goal.preposition, selector)
            same = goal.things[0].number == 1 and not goal.things[0].bound
            for group in groups:
                own = replace(group, key=next(KEYS)) if split else group
                own = self._on_top(own, predicate, selector)
                self._add(command, stage, predicate, own, selector, same_target=same)
        self._remember_targets(goal, targets)

    def _is_single(self, group: Group) -> bool:
        """Tell whether one thing is meant, which cannot be in two places."""
        return group.quantifier.kind == "all" and len(self._sorted(group.selector)) == 1

    def _on_top(self, group: Group, predicate: str, targets: Selector) -> Group:
        """Return "two more" as so many on top of those that are at the target already."""
        if not group.phrase.more or group.quantifier.kind == "all":
            return group
        there = replace(group.selector, where=Located(predicate, targets))
        n = len(self._sorted(there)) + group.quantifier.n
        self._assume(f"'{group.phrase.text}' makes {n} there", group.phrase.tokens)
        return replace(group, quantifier=Quantifier("at_least", n))

    def _put_in_each(
        self, command: Command, stage: int, groups: Sequence[Group], goal: Place, each: NounPhrase
    ) -> None:
        names = self._sorted(self._selector(each))
        if len(names) > MANY_TARGETS:
            raise Refusal(each.tokens, f"there are {len(names)} of them, too many to serve each")
        for name in names:
            selector = Selector(names=(name,))
            for group in groups:
                if group.quantifier.kind == "all":
                    raise Refusal(each.tokens, "all the things cannot be in each of several places")
                own = replace(group, key=next(KEYS))
                self._add(command, stage, self._relation(goal.preposition, selector), own, selector)
        if not names:
            selector = self._selector(each)
            for group in groups:
                self._add(
                    command, stage, self._relation(goal.preposition, selector), group, selector
                )

    def _back(self, command: Command, stage: int, groups: Sequence[Group]) -> None:
        """Add "the things are where they were at the start", a clause for each place."""
        added = False
        for group in groups:
            places: dict[tuple[str, str], list[str]] = {}
            for name in self._sorted(group.selector):
                place = self.scene.places.get(name)
                if place is not None:
                    places.setdefault((place.relation.value, place.target), []).append(name)
            for (relation, target), names in sorted(
                places.items(), key=lambda p: natural_key(p[0][1])
            ):
                there = Selector(names=(target,))
                things = self._those_at(group.selector, relation, there, names)
                back = replace(group, selector=things, quantifier=ALL, key=next(KEYS))
                self._add(command, stage, self._back_relation(relation), back, there)
                added = True
        if not added:
            self._assume("there is nothing that has to go back", command.tokens)
            if not self.clauses:
                raise Refusal(command.tokens, "the scene shows no place that it came from")

    def _back_relation(self, relation: str) -> str:
        return "at" if relation == "held" else relation

    def _those_at(
        self, selector: Selector, relation: str, there: Selector, names: list[str]
    ) -> Selector:
        """Return the part of a selection that was in, on or at one place."""
        if selector.cls or selector.names or selector.any_of or selector.collective:
            return Selector(names=tuple(names))
        narrow = replace(selector, where=Located(relation, there))
        return narrow if self._sorted(narrow) == tuple(names) else Selector(names=tuple(names))

    def _store(self, command: Command, stage: int, groups: Sequence[Group]) -> None:
        """Add "the things are where such things are kept"."""
        for group in groups:
            cls = group.phrase.cls or group.phrase.collective
            target = self._usual_place(group)
            if target is None or not cls:
                raise Refusal(command.tokens, "where the things belong is not said")
            name = target.names[0] if target.names else ""
            self._assume(f"{name} is taken as the place for {cls}", command.tokens, "choice")
            self._add(command, stage, self._relation("to", target), group, target)

    def _without_target(self, waiting: _Pending) -> None:
        """Read a command that never came to say where the things go."""
        command, groups, stage = waiting.command, waiting.groups, waiting.stage
        frame = command.sense.frame
        out = any(token.low in ("out", "off") for place in command.places for token in place.tokens)
        leaves = frame in ("take", "transfer") or out
        places = [place for place in command.places if place.preposition == "from"]
        from_here = places or command.sense.particle
        if from_here and leaves and not command.to_person:
            for group in groups:
                self._leave(command, stage, group, command.places)
            return
        if frame == "hold" and sum(g.quantifier.n or 1 for g in groups) == 1:
            self._add(command, stage, "held", groups[0])
            return
        if frame == "transfer":
            raise Refusal(command.tokens, "where to put it is not said")
        robot = self._robot_room()
        if robot is None:
            raise Refusal(command.tokens, "where to bring it is not said")
        if command.receiver:
            why = f"'{command.receiver}' are taken to be"
        elif command.to_person or frame == "fetch":
            why = "you are taken to be"
        else:
            why = "they are gathered"
        self._assume(f"{why} in {robot}, where the robot is", command.tokens, "default")
        for group in groups:
            self._add(command, stage, "at", group, Selector(names=(robot,)))

    def _leave(self, command: Command, stage: int, group: Group, places: Sequence[Place]) -> None:
        """Add "the things are no longer there"; without places, where they are now."""
        phrases = [thing for place in places for thing in place.things]
        targets: Selector | None
        if phrases and group.selector.where is not None and len(places) == 1:
            targets = group.selector.where.target
        elif phrases:
            there = self._names(group.selector)
            targets = union([self._target(phrase, there) for phrase in phrases])
        else:
            targets = self._holders_of(group)
        if targets is None:
            raise Refusal(command.tokens, "where to take it from is not said")
        quantifier = Quantifier("at_most", 0)
        if group.quantifier.kind != "all":
            now = len(self._names(group.selector))
            quantifier = Quantifier("at_most", max(0, now - group.quantifier.n))
        left = replace(group, quantifier=quantifier)
        self._add(command, stage, self._held_relation(targets), left, targets)

    def _holders_of(self, group: Group) -> Selector | None:
        """Return the things in or on which the things of a group are, or None."""
        places = [self.scene.places.get(name) for name in self._sorted(group.selector)]
        holders = {p.target for p in places if p and p.relation in (Relation.IN, Relation.ON)}
        return Selector(names=tuple(sorted(holders, key=natural_key))) if holders else None

    def _for_purpose(self, command: Command, thing: NounPhrase) -> list[Group]:
        """Return the parts of what they are for, where the thing is just "the parts"."""
        purpose = command.purpose
        assert purpose is not None
        name = purpose.set_name or purpose.cls
        if not self.knowledge.is_set(name):
            raise Refusal(purpose.tokens, "what it is made of is not known")
        if thing.set_name or thing.generic or thing.cls.split(" ")[-1] in self.lexicon.parts:
            return self._members(name, 1, purpose)
        text = f"'{purpose.text}': what the things are for is not planned"
        self._assume(text, purpose.tokens)
        return []

    def _with_tool(self, command: Command) -> None:
        for tool in command.tool:
            self._assume(
                f"'{tool.text}': by what means it is done is left to the plan", tool.tokens
            )

    # things that leave

    def _remove(self, command: Command, stage: int) -> None:
        if not command.items:
            raise Refusal(command.tokens, "what to take away is not said")
        for item in command.items[:-1]:
            if item.places and item.places != command.places:
                self._remove(replace(command, items=[item], places=item.places), stage)
        items = [item for item in command.items[:-1] if not item.places] + command.items[-1:]
        sources, _ = self._split(command, command.places)
        groups: list[Group] = []
        for item in items:
            groups += self._groups(command, item.thing, sources)
        self._drop_pending(groups)
        rubbish = [g for g in groups if not sources and g.phrase.collective == "rubbish"]
        for group in rubbish:
            self._add(command, stage, "disposed", group)
        others = [group for group in groups if group not in rubbish]
        if others and command.sense.particle:
            taken = replace(command, sense=replace(command.sense, frame="take"), places=sources)
            self.pending.append(_Pending(taken, others, stage, len(self.clauses)))
        else:
            for group in others:
                self._leave(command, stage, group, sources)
        self._note_moved(groups, sources)
        self._remember(groups, [t for p in sources for t in p.things])

    def _vacate(self, command: Command, stage: int) -> None:
        if not command.items:
            raise Refusal(command.tokens, "what to empty is not said")
        goals = [p for p in command.places if p.preposition != "from" and not self._all_rooms(p)]
        for item in command.items:
            for place in item.places or command.places:
                if place not in goals:
                    item.thing.places.append(place)
            if self._is_room_phrase(item.thing):
                raise Refusal(item.thing.tokens, "emptying a whole room is not supported")
            kept = [] if self._are_of(item.thing) else item.thing.but_not
            if kept:
                item.thing = replace(item.thing, but_not=[])
            target = self._target(item.thing, frozenset())
            relation = self._held_relation(target)
            contents = Selector(where=Located(relation, target))
            contents = self._without_excluded(contents, replace(item.thing, but_not=kept))
            group = Group(contents, ALL, replace(item.thing, contents=True))
            self._remember([group])
            if goals:
                self._put(command, stage, [group], goals[0])
            else:
                self._add(
                    command,
                    stage,
                    relation,
                    replace(group, quantifier=Quantifier("at_most", 0)),
                    target,
                )
            self._remember_target(item.thing, target)

    def _are_of(self, phrase: NounPhrase) -> bool:
        """Tell whether what is left out are things of the phrase's own class ("the boxes")."""
        return phrase.plural and all(
            one.pronoun or (bool(phrase.cls) and self._class_is(one, phrase.cls))
            for one in phrase.but_not
        )

    def _dispose(self, command: Command, stage: int) -> None:
        self._thrown(command, stage, recycle=False)

    def _recycle(self, command: Command, stage: int) -> None:
        self._thrown(command, stage, recycle=True)

    def _are_bins(self, place: Place) -> bool:
        """Tell whether the place is one that things are thrown into."""
        return all(
            thing.collective == RUBBISH or self._class_is(thing, "bin") for thing in place.things
        )

    def _is_put(self, command: Command) -> bool:
        """Tell whether "toss X into the basket" puts things somewhere and throws nothing away."""
        if command.to_person and not command.sense.particle:
            raise Refusal(command.tokens, "nothing is thrown to a person")
        if any(place.things and self._are_bins(place) for place in command.places):
            return False
        for place in command.places:
            into = place.preposition == "to" or place.tokens[0].low in ("into", "onto")
            if place.preposition == "from":
                continue
            if command.sense.particle or command.sense.verb not in ("throw", "toss", "dump"):
                if into:
                    raise Refusal(place.tokens, "things are thrown away into bins only")
            elif into:
                return True
            elif not self._all_rooms(place):
                raise Refusal(place.tokens, "whether the things are there or go there is not clear")
        return False

    def _thrown(self, command: Command, stage: int, recycle: bool) -> None:
        if not command.items:
            raise Refusal(command.tokens, "what to throw away is not said")
        if command.sense.frame == "dispose" and self._is_put(command):
            sense = replace(command.sense, frame="transfer")
            self._moving(replace(command, sense=sense), stage)
            return
        spoken: list[Group] = []
        for items, sources, goals in self._parts(command):
            groups: list[Group] = []
            for item in items:
                groups += self._groups(command, item.thing, sources, keep_states=True)
            self._read_or_drop_pending(command, groups)
            if (recycle and not goals) or any(self._says_right_bins(p) for p in goals):
                self._recycled(command, stage, groups)
                spoken += groups
                continue
            moved = frozenset(n for g in groups for n in self._names(g.selector))
            named = [t for p in goals for t in p.things if not self._is_some_bin(t)]
            bins = [self._target(t, moved) for t in named]
            for group in groups:
                self._add(command, stage, "disposed", group, union(bins) if bins else None)
            spoken += groups
        self._remember(spoken)

    def _is_some_bin(self, phrase: NounPhrase) -> bool:
        """Tell whether the words name no bin of several: "in the trash", "in the bin"."""
        if phrase.collective == RUBBISH:
            return True
        told = phrase.states or phrase.attributes or phrase.places or phrase.room or phrase.other
        bins = [n for n in self.scene.things() if self.knowledge.is_a(self._cls(n), "bin")]
        return phrase.cls == "bin" and not phrase.names and not told and len(bins) > 1

    def _says_right_bins(self, place: Place) -> bool:
        """Tell whether the words are "the right bin" or the like: the one that fits each thing."""
        return self._are_bins(place) and any(
            token.low in self.lexicon.fitting for thing in place.things for token in thing.tokens
        )

    def _recycled(self, command: Command, stage: int, groups: Sequence[Group]) -> None:
        """Add a clause for each bin; it makes an earlier "throw it away" more exact."""
        for group in groups:
            names = self._sorted(group.selector)
            same = [
                c
                for c in self.clauses
                if c.predicate == "disposed" and not c.targets and self._sorted(c.things) == names
            ]
            stage = min([stage, *(c.stage for c in same)])
            kept = [i for i, c in enumerate(self.clauses) if c not in same]
            self.clauses = [self.clauses[i] for i in kept]
            self.keys = [self.keys[i] for i in kept]
            if not names or group.quantifier.kind != "all":
                self._add(command, stage, "disposed", group)
                continue
            for bins, things in self._by_bin(names).items():
                part = replace(group, selector=Selector(names=tuple(things)), key=next(KEYS))
                self._add(command, stage, "disposed", part, self._bins(bins))
                said = bins if isinstance(bins, str) else " or ".join(bins)
                self._assume(
                    f"{some_of(things)} can be recycled in {said}", command.tokens, "vocabulary"
                )

    def _into_fitting_bins(self) -> None:
        """Give each "thrown away" without a bin those of the scene that the things fit in.

        Nothing is added where every bin fits, or none does.
        """
        clauses: list[Clause] = []
        keys: list[int] = []
        for clause, key in zip(self.clauses, self.keys, strict=True):
            parts = [clause]
            if clause.predicate == "disposed" and clause.targets is None:
                parts = self._with_bins(clause)
            clauses += parts
            keys += [key] if len(parts) == 1 else [next(KEYS) for _ in parts]
        self.clauses, self.keys = clauses, keys

    def _with_bins(self, clause: Clause) -> list[Clause]:
        bins = {n for n in self.scene.things() if self.knowledge.is_a(self._cls(n), "bin")}
        names = self._sorted(clause.things)
        fitting = {name: self._fitting_bins(name) & bins or bins for name in names}
        if clause.quantifier.kind != "all":
            fitting = dict.fromkeys(names, bins.intersection(*fitting.values()) or bins)
        if not names or all(fits == bins for fits in fitting.values()):
            return [clause]
        groups: dict[frozenset[str], list[str]] = {}
        for name, fits in fitting.items():
            groups.setdefault(frozenset(fits), []).append(name)
        if len(groups) == 1:
            return [replace(clause, targets=self._in_order(next(iter(groups))))]
        return [
            replace(clause, things=Selector(names=tuple(some)), targets=self._in_order(fits))
            for fits, some in groups.items()
        ]

    def _cls(self, name: str) -> str:
        cls: str = self.scene.nodes[name].cls
        return cls

    def _in_order(self, names: Iterable[str]) -> Selector:
        return Selector(names=tuple(sorted(names, key=natural_key)))

    def _fitting_bins(self, name: str) -> set[str]:
        node = self.scene.nodes[name]
        fitting = self.knowledge.recycling_bin(node.cls, node.states, node.attributes)
        return {found for cls in fitting for found in self._bins_of(cls)}

    def _by_bin(self, names: Sequence[str]) -> dict[str | tuple[str, ...], list[str]]:
        """Return the things by the bins of the scene that fit best, or by the class that would.

        A bin for anything recycles nothing: it can only stand in for the missing one, by name.
        """
        found: dict[str | tuple[str, ...], list[str]] = {}
        for name in names:
            node = self.scene.nodes[name]
            fitting = self.knowledge.recycling_bin(node.cls, node.states, node.attributes)
            proper = [cls for cls in fitting if cls != GENERAL_BIN] or [GENERAL_BIN]
            present = next((tuple(b) for cls in proper if (b := self._bins_of(cls))), None)
            found.setdefault(present or proper[0], []).append(name)
        return found

    def _bins_of(self, cls: str) -> tuple[str, ...]:
        exact = self.scene.of_class(cls)
        return exact or tuple(
            n
            for c in self.scene.classes()
            if self.knowledge.canonical(c) == cls
            for n in self.scene.of_class(c)
        )

    def _bins(self, bins: str | tuple[str, ...]) -> Selector:
        return Selector(cls=bins) if isinstance(bins, str) else Selector(names=bins)

    # states

    def _state(self, command: Command, stage: int) -> None:
        if not command.items:
            raise Refusal(command.tokens, "what it is about is not said")
        self._instrument(command)
        spoken: list[Group] = []
        for item in command.items:
            if item.thing.floor or self._is_room_phrase(item.thing):
                groups = self._rooms(item, command)
            else:
                sources, _ = self._split(command, item.places or command.places)
                groups = self._groups(command, item.thing, sources)
            self._read_or_drop_pending(command, groups)
            for group in groups:
                self._add(command, stage, command.sense.predicate, group)
            spoken += groups
        self._remember(spoken)

    def _instrument(self, command: Command) -> None:
        """Set aside what it is done with or in: "using the washing machine"."""
        inside = [
            place
            for place in command.places
            if place.preposition == "in" and all(self._is_cleaner(t) for t in place.things)
        ]
        if command.sense.predicate in ("clean", "cooked"):
            command.places = [place for place in command.places if place not in inside]
            command.tool = command.tool + [thing for place in inside for thing in place.things]
        for tool in command.tool:
            self._assume(
                f"'{tool.text}': by what means it is done is left to the plan{self._there(tool)}",
                tool.tokens,
            )

    def _there(self, tool: NounPhrase) -> str:
        if tool.pronoun:
            return ""
        names = self._sorted(self._selector(tool))
        return f"; the scene has {some_of(names)}" if names else "; the scene has none"

    def _rooms(self, item: Item, command: Command) -> list[Group]:
        """Return the rooms whose floor, or which, is spoken of, each as a group."""
        thing = item.thing
        own = item.places or command.places
        phrases = [t for p in (*thing.places, *own) for t in p.things]
        phrases = [*thing.owner, *phrases]
        if thing.cls or not thing.floor:
            place_phrases, phrases = phrases, [thing]
            if any(not self._is_room_phrase(p) for p in place_phrases):
                raise Refusal(place_phrases[0].tokens, "it has no place here")
        elif thing.room:
            return [self._room_group(replace(thing, cls=thing.room, room="", plural=False))]
        elif not phrases:
            everywhere = any(
                self.lexicon.whole.length_at(command.tokens, at)
                for at in range(len(command.tokens))
            )
            if everywhere or thing.plural or thing.determiner in ("all", "each"):
                return [Group(Selector(cls="room"), ALL, thing)]
            room = self._robot_room()
            if room is None:
                raise Refusal(thing.tokens, "which room is meant is not said")
            self._assume(
                f"'{thing.text}' is taken as that of {room}, where the robot is",
                thing.tokens,
                "choice",
            )
            return [Group(Selector(names=(room,)), ALL, thing)]
        return [self._room_group(phrase) for phrase in phrases]

    def _room_group(self, phrase: NounPhrase) -> Group:
        if not self._is_room_phrase(phrase):
            raise Refusal(phrase.tokens, "a room was expected here")
        if (
            phrase.plural
            or phrase.determiner in ("each", "all", "any")
            or phrase.number is not None
        ):
            return Group(
                self._selector(phrase), self._quantity(phrase, self._selector(phrase))[0], phrase
            )
        return Group(self._target(phrase, frozenset()), ALL, phrase)

    # sets of things

    def _set(self, command: Command, stage: int) -> None:
        if not command.items:
            raise Refusal(command.tokens, "what to prepare is not said")
        thing = command.items[0].thing
        if not (self._class_is(thing, "table") or self._class_is(thing, "desk")):
            raise Refusal(thing.tokens, "only a table can be prepared")
        for place in command.places:
            thing.places.append(place)
        thing.for_eating = True
        name = command.occasion or "place setting"
        members = [m.cls for m in self.knowledge.members(name)]
        settled = frozenset(n for cls in members for n in self._names(Selector(cls=cls)))
        target = self._target(thing, settled)
        people = command.people
        if people is None and command.for_two:
            people = 2
            self._assume("such an occasion is taken to be for two", command.tokens, "default")
        if people is None:
            people = max(len(self._names(Selector(cls=members[0]))), 1)
            self._assume(
                f"for how many is not said: for {people}, as many as there are "
                f"{self.knowledge.plural(members[0])}",
                command.tokens,
                "default",
            )
        groups = self._members(name, people, thing)
        for group in groups:
            self._add(command, stage, self._relation("on", target), group, target)
        self._remember(groups)
        self._remember_target(thing, target)

    def _assemble(self, command: Command, stage: int) -> None:
        if not command.items:
            raise Refusal(command.tokens, "what to assemble is not said")
        thing = command.items[0].thing
        name = thing.set_name or thing.cls
        if not self.knowledge.is_set(name):
            raise Refusal(thing.tokens, "what it is made of is not known")
        groups = self._members(name, 1, thing)
        self._assume("its parts are brought together; joining them is not planned", command.tokens)
        _, goals = self._split(command, command.places)
        if goals:
            self._put(command, stage, groups, goals[0])
        else:
            self.pending.append(
                _Pending(
                    replace(command, sense=replace(command.sense, frame="gather")),
                    groups,
                    stage,
                    len(self.clauses),
                )
            )
        self._remember(groups)

    def _decorate(self, command: Command, stage: int) -> None:
        """Add wishes for decoration; with "with X" the X are asked for."""
        if not command.items:
            raise Refusal(command.tokens, "what to decorate is not said")
        thing = command.items[0].thing
        target = self._target(thing, frozenset())
        if command.tool:
            for tool in command.tool:
                for group in self._groups(command, tool, []):
                    self._add(command, stage, self._relation("on", target), group, target)
            return
        members = [m.cls for m in self.knowledge.members("party decoration")]
        present = [cls for cls in members if self._names(Selector(cls=cls))]
        if not command.soft:
            some = union([Selector(cls=cls) for cls in present or members])
            self._add(
                command,
                stage,
                self._relation("on", target),
                Group(some, Quantifier("at_least", 1), thing),
                target,
            )
        for cls in present or members[:1]:
            wish = Group(Selector(cls=cls), ALL if present else Quantifier("at_least", 1), thing)
            self._add(command, stage, self._relation("on", target), wish, target, soft=True)
        self._assume(
            "decoration is what the knowledge base counts as such; it is a wish",
            command.tokens,
            "vocabulary",
        )

    # the robot and statements

    def _go(self, command: Command, stage: int) -> None:
        goals = [p for p in command.places if p.preposition in ("to", "in", "at")]
        if command.items or len(goals) != 1:
            raise Refusal(command.tokens, "where to go is not said")
        robots = [node.name for node in self.scene.robots()]
        robot = Selector(names=(robots[0],)) if robots else Selector(cls="robot")
        target = self._target(goals[0].things[0], frozenset())
        if not self._is_room(target):
            rooms = {room for name in self._names(target) if (room := self.scene.room_of(name))}
            if len(rooms) != 1:
                raise Refusal(goals[0].tokens, "in which room that is is not known")
            target = Selector(names=tuple(rooms))
        self._add(command, stage, "at", Group(robot, ALL, goals[0].things[0]), target)
        self.stage = stage + 1

    def _statement(self, command: Command, stage: int) -> None:
        if command.states:
            for item in command.items:
                groups = self._groups(command, item.thing, [])
                for group in groups:
                    for state in sorted(command.states):
                        self._add(command, stage, self._state_predicate(state, command), group)
                self._remember(groups)
        if command.places:
            self._moving(replace(command, sense=replace(command.sense, frame="transfer")), stage)
        elif not command.states:
            raise Refusal(command.tokens, "what is to hold of it is not said")

    def _is_room(self, selector: Selector) -> bool:
        names = self._names(selector)
        if names:
            return all(self.scene.nodes[name].kind is Kind.ROOM for name in names)
        return bool(selector.cls) and self.knowledge.kind(selector.cls or "") == "room"
