"""Which things a noun phrase means in the scene, how many, and which one of several is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

from gist.goals.goal import ALL, Assumption, Located, Quantifier, Selector
from gist.goals.predicates import predicates
from gist.knowledge import Knowledge
from gist.language.knowledge.lexicon import Lexicon
from gist.language.knowledge.phrases import Command, NounPhrase, Place, Refusal
from gist.language.knowledge.tokens import Token
from gist.language.knowledge.vocabulary import Vocabulary
from gist.scene.graph import Kind, Node, Pose, Relation, SceneGraph, natural_key

KEYS = count()
MOST_NAMED = 8
OPENING = frozenset({"open", "closed", "locked", "unlocked"})
SWITCHING = frozenset({"switched on", "switched off"})
SWITCHED = ("appliance", "electronics", "light source")


@dataclass
class Group:
    """Things as one clause speaks of them; a pronoun's group keeps the key of what it means."""

    selector: Selector
    quantifier: Quantifier
    phrase: NounPhrase
    soft: bool = False
    assumed: tuple[str, ...] = ()
    key: int = field(default_factory=lambda: next(KEYS))

    @property
    def is_many(self) -> bool:
        """Whether "them" fits."""
        if self.quantifier.kind != "all":
            return self.quantifier.n != 1
        return self.selector.names is None or len(self.selector.names) > 1


def union(selectors: Sequence[Selector]) -> Selector:
    """Return what any of the selectors means; labels are put together in one."""
    distinct = list(dict.fromkeys(selectors))
    if len(distinct) == 1:
        return distinct[0]
    context = distinct[0].context
    if all(s == Selector(names=s.names, context=context) and s.names for s in distinct):
        names = dict.fromkeys(name for s in distinct for name in s.names or ())
        return Selector(names=tuple(names), context=context)
    return Selector(any_of=tuple(distinct))


def some_of(names: Sequence[str]) -> str:
    """Return the names for a person to read, the first few where there are many."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


class Things:
    """The part of the reader that finds things; see Reader for the rest."""

    vocabulary: Vocabulary
    scene: SceneGraph
    knowledge: Knowledge
    lexicon: Lexicon
    assumptions: list[Assumption]
    mentions: list[list[Group]]
    sources: list[list[Group]]
    current: list[Group]
    moved: set[int]
    care: frozenset[str]

    # look-ups

    def _sorted(self, selector: Selector) -> tuple[str, ...]:
        return self.vocabulary.resolve(selector)

    def _names(self, selector: Selector) -> frozenset[str]:
        return frozenset(self._sorted(selector))

    def _assume(
        self,
        text: str,
        tokens: Sequence[Token],
        kind: Literal["reading", "choice", "default", "vocabulary"] = "reading",
    ) -> None:
        span = (tokens[0].start, tokens[-1].end) if tokens else None
        self.assumptions.append(Assumption(text, span, kind))

    def _remember(self, groups: list[Group], places: Sequence[NounPhrase] = ()) -> None:
        """Note what was spoken of, for later pronouns; the last is the most likely meant."""
        for place in places:
            if not place.pronoun:
                self._remember_target(place, self._target(place, frozenset(), quiet=True))
        if groups:
            self.mentions.append(groups)

    def _remember_target(self, phrase: NounPhrase, selector: Selector) -> None:
        self.mentions.append([Group(selector, ALL, phrase)])

    def _remember_targets(self, goal: Place, selectors: Sequence[Selector]) -> None:
        for phrase, selector in zip(goal.things, selectors, strict=True):
            if not phrase.pronoun:
                self._remember_target(phrase, selector)

    def _robot_room(self) -> str | None:
        for robot in self.scene.robots():
            room = self.scene.room_of(robot.name)
            if room is not None:
                return room
        return None

    # what a phrase is about

    def _class_of(self, phrase: NounPhrase) -> str:
        if phrase.names:
            node = self.scene.nodes.get(phrase.names[0])
            return node.cls if node else phrase.names[0].rsplit("_", 1)[0].replace("_", " ")
        return phrase.cls

    def _class_is(self, phrase: NounPhrase, concept: str) -> bool:
        cls = self._class_of(phrase)
        return bool(cls) and self.knowledge.is_a(cls, concept)

    def _is_room_phrase(self, phrase: NounPhrase) -> bool:
        if phrase.floor or phrase.pronoun:
            return phrase.floor
        if phrase.names and phrase.names[0] in self.scene:
            return self.scene.nodes[phrase.names[0]].kind is Kind.ROOM
        cls = self._class_of(phrase)
        return bool(cls) and (cls == "room" or self.knowledge.kind(cls) == "room")

    def _all_rooms(self, place: Place) -> bool:
        return all(self._is_room_phrase(thing) for thing in place.things)

    def _is_cleaner(self, phrase: NounPhrase) -> bool:
        cls = self._class_of(phrase)
        appliances = (
            "washing machine",
            "dishwasher",
            "sink",
            "oven",
            "stove",
            "microwave",
            "bucket",
        )
        return bool(cls) and any(self.knowledge.is_a(cls, kind) for kind in appliances)

    # groups of things

    def _groups(
        self,
        command: Command,
        phrase: NounPhrase,
        sources: Sequence[Place],
        target: frozenset[str] = frozenset(),
        keep_states: bool = False,
    ) -> list[Group]:
        """Return what a phrase means as the object of a command, a group for each clause."""
        if phrase.pronoun:
            spoken = self._spoken_of(phrase, command.sense.predicate)
            narrowed = [self._still_narrowed(g, [*phrase.places, *sources]) for g in spoken]
            return [self._still_without(group, phrase) for group in narrowed]
        of = phrase.owner[0] if phrase.owner else phrase
        whole = of.set_name or of.cls
        if phrase.owner and phrase.cls in self.lexicon.parts and self.knowledge.is_set(whole):
            return self._members(whole, 1, of)
        if phrase.owner and not phrase.contents:
            raise Refusal(of.tokens, "what belongs to it is not known")
        if phrase.set_name:
            count = phrase.number or command.people or 1
            return self._members(phrase.set_name, count, phrase)
        again = self._again(phrase, sources)
        if again:
            return again
        selector = self._selector(phrase, sources, target)
        if not keep_states:
            selector = self._without_unsaid(selector, phrase)
        if self._is_one_definite(phrase):
            return [self._definite(phrase, selector)]
        quantifier, assumed = self._quantity(phrase, selector, command.people)
        if phrase.collective and quantifier.kind == "all":
            self._note_doubts(phrase, selector)
        return [Group(selector, quantifier, phrase, assumed=assumed)]

    def _spoken_of(self, phrase: NounPhrase, predicate_name: str) -> list[Group]:
        """Return the groups that "them" or "it" means: the last that can be what is asked."""
        many = phrase.pronoun == "many"
        if phrase.pronoun == "kind":
            return [self._of_that_kind(phrase)]
        latest = list(reversed(self.mentions))
        operates = predicate_name in OPENING | SWITCHING
        if operates:
            latest = self._operated(phrase, predicate_name)
        fitting = [g for g in latest if self._fits_pronoun(g, many)]
        if operates and not fitting:
            raise Refusal(phrase.tokens, "which of the things it stands for is not clear")
        for groups in fitting or latest:
            return list(groups) if many or len(groups) == 1 else [groups[-1]]
        raise Refusal(phrase.tokens, "what it stands for was not spoken of")

    def _still_narrowed(self, group: Group, places: Sequence[Place]) -> Group:
        """Return what a pronoun means with the places said after it."""
        selector = group.selector
        for place in places:
            if place.preposition == "from":
                selector = self._narrowed(selector, place, frozenset())
            else:
                self._assume("where it is done is left to the plan", place.tokens)
        return group if selector == group.selector else replace(group, selector=selector)

    def _still_without(self, group: Group, phrase: NounPhrase) -> Group:
        selector = self._without_excluded(group.selector, phrase)
        return group if selector == group.selector else replace(group, selector=selector)

    def _fits_pronoun(self, groups: Sequence[Group], many: bool) -> bool:
        """Tell whether "them" (many) or "it" fits; both do for milk, rubbish, every cup."""
        phrase = groups[0].phrase
        either = phrase.collective or phrase.determiner in ("each", "any") or self._is_mass(phrase)
        if len(groups) == 1 and either:
            return True
        return (len(groups) > 1 or groups[0].is_many) == many

    def _operated(self, phrase: NounPhrase, predicate_name: str) -> list[list[Group]]:
        """Return what was spoken of and can be opened, or switched.

        To be closed, what holds things comes before what it holds.
        """
        closing = predicate_name in ("closed", "locked")
        held = [groups for groups in reversed(self.mentions) if self._are_moved(groups)]
        still = [groups for groups in reversed(self.mentions) if not self._are_moved(groups)]
        held_first = [*reversed(self.mentions), *reversed(self.sources)]
        ordered = [*still, *reversed(self.sources), *held] if closing else held_first
        found = [groups for groups in ordered if self._can_be(predicate_name, groups)]
        if not found:
            able = "opened and closed" if predicate_name in OPENING else "switched"
            raise Refusal(phrase.tokens, f"nothing that can be {able} was spoken of")
        return found

    def _are_moved(self, groups: Sequence[Group]) -> bool:
        return any(group.key in self.moved for group in groups)

    def _can_be(self, predicate_name: str, groups: Sequence[Group]) -> bool:
        nodes = [self.scene.nodes[name] for g in groups for name in self._sorted(g.selector)]
        able = self._opens if predicate_name in OPENING else self._switches
        return bool(nodes) and all(able(node) for node in nodes)

    def _switches(self, node: Node) -> bool:
        return bool(node.states & SWITCHING) or any(
            self.knowledge.is_a(node.cls, kind) for kind in SWITCHED
        )

    def _opens(self, node: Node) -> bool:
        """Tell whether a thing can be opened, by its states, what it affords, or its class."""
        if node.states & OPENING or set(node.affordances) & {"open", "close"}:
            return True
        return self.knowledge.openable(node.cls) and node.kind is Kind.FURNITURE

    def _of_that_kind(self, phrase: NounPhrase) -> Group:
        """Return what "the dirty ones" are: those of the things last spoken of."""
        told = phrase.states or phrase.attributes or phrase.places or phrase.not_states
        for groups in reversed(self.mentions) if told and phrase.number is None else ():
            whole = union([group.selector for group in groups])
            selector = whole
            if phrase.states or phrase.attributes:
                selector = replace(
                    whole,
                    states=whole.states | phrase.states,
                    attributes=whole.attributes + phrase.attributes,
                )
            for place in phrase.places:
                selector = self._narrowed(selector, place, frozenset())
            if phrase.not_states:
                selector = replace(selector, but_not=replace(whole, states=phrase.not_states))
            if self._sorted(selector):
                quantifier = ALL if phrase.plural else Quantifier("at_least", 1)
                return Group(selector, quantifier, phrase)
        raise Refusal(phrase.tokens, "what it stands for was not spoken of")

    def _again(self, phrase: NounPhrase, sources: Sequence[Place]) -> list[Group]:
        """Return the groups that "the objects" means when such were spoken of before."""
        if not phrase.generic or phrase.places or sources or phrase.states or phrase.other:
            return []
        for groups in reversed(self.mentions):
            if all(g.phrase.generic or g.phrase.contents for g in groups):
                return list(groups)
        return []

    def _selector(
        self,
        phrase: NounPhrase,
        sources: Sequence[Place] = (),
        target: frozenset[str] = frozenset(),
    ) -> Selector:
        """Return the selection that a phrase and the places of its things mean."""
        selector = Selector(
            cls=phrase.cls or None,
            names=phrase.names or None,
            states=phrase.states,
            attributes=phrase.attributes,
            collective=phrase.collective or None,
            context=phrase.context | (self.care if self._for_persons(phrase) else frozenset()),
        )
        if phrase.contents:
            return Selector(where=self._contents_place(phrase), context=self.care)
        if phrase.room:
            selector = replace(selector, where=Located("at", Selector(cls=phrase.room)))
        for place in (*phrase.places, *sources):
            selector = self._narrowed(selector, place, target)
        if phrase.other and not phrase.places:
            selector = replace(selector, but_not=self._others(phrase, selector))
        if phrase.names and selector.where is not None and self._sorted(selector):
            selector = replace(selector, where=None)
        if phrase.not_states:
            alike = replace(selector, states=phrase.not_states, where=None)
            selector = replace(selector, but_not=alike)
        return self._without_excluded(selector, phrase)

    def _without_excluded(self, selector: Selector, phrase: NounPhrase) -> Selector:
        """Leave out what was said to be; what is not among the things changes nothing."""
        if not phrase.but_not:
            return selector
        left_out = union([self._excluded(phrase, one) for one in phrase.but_not])
        before, excluded = self._names(selector), self._names(left_out)
        tokens = [token for one in phrase.but_not for token in one.tokens]
        if before and not excluded:
            raise Refusal(tokens, "there is no such thing to leave out")
        if before and before <= excluded:
            raise Refusal(tokens, "nothing is left of the things without it")
        if before and not before & excluded:
            return selector
        if selector.but_not is not None:
            left_out = union([selector.but_not, left_out])
        return replace(selector, but_not=left_out)

    def _for_persons(self, phrase: NounPhrase) -> bool:
        """Tell whether what persons call for bears on the things (food, not furniture)."""
        cls = self._class_of(phrase)
        return (
            bool(self.care)
            and bool(phrase.collective or cls or phrase.generic)
            and (self.knowledge.kind(cls) == "object" if cls else True)
        )

    def _narrowed(self, selector: Selector, place: Place, target: frozenset[str]) -> Selector:
        where = self._located(place, selector, target)
        if where is None:
            return selector
        if selector.where is None:
            return replace(selector, where=where)
        return Selector(any_of=(selector,), where=where)

    def _located(self, place: Place, things: Selector, target: frozenset[str]) -> Located | None:
        """Return where things are, or None where the place says nothing (every room)."""
        if place.whole or all(t.cls == "room" and not t.states for t in place.things):
            return None
        others = [t for t in place.things if t.other]
        if others:
            names = self._other_containers(others[0], target)
            return Located(self._held_relation(names), names)
        moved = frozenset(self._sorted(things)) if self._says_what(things) else frozenset()
        targets = union([self._target(thing, moved) for thing in place.things])
        if place.preposition in ("from", "to"):
            return Located(self._held_relation(targets), targets)
        return Located(self._relation(place.preposition, targets), targets)

    def _says_what(self, selector: Selector) -> bool:
        return bool(selector.cls or selector.names or selector.any_of or selector.collective)

    def _other_containers(self, phrase: NounPhrase, target: frozenset[str]) -> Selector:
        """Return the containers spoken of, or else all that hold something, but not the target."""
        spoken = [n for n in self._containers_spoken_of() if n not in target]
        if not spoken:
            spoken = [
                name
                for name in self.scene.things()
                if name not in target and self.scene.children(name, Relation.IN)
            ]
        named = ", ".join(spoken) or "none"
        self._assume(f"'{phrase.text}' are {named}", phrase.tokens)
        return Selector(names=tuple(spoken))

    def _containers_spoken_of(self) -> list[str]:
        """Return the things spoken of that hold something, in natural order."""
        found = {
            name
            for groups in self.mentions
            for group in groups
            for name in (*self._sorted(group.selector), *self._holders(group.selector))
            if name in self.scene
            and self.scene.nodes[name].kind in (Kind.FURNITURE, Kind.OBJECT)
            and self.scene.children(name)
        }
        return sorted(found, key=natural_key)

    def _holders(self, selector: Selector) -> tuple[str, ...]:
        return self._sorted(selector.where.target) if selector.where is not None else ()

    def _contents_place(self, phrase: NounPhrase) -> Located:
        if phrase.owner:
            targets = union([self._target(owner, frozenset()) for owner in phrase.owner])
        else:
            spoken = self._containers_spoken_of()
            if not spoken:
                raise Refusal(phrase.tokens, "of what they are the contents is not said")
            targets = Selector(names=tuple(spoken))
            self._assume(f"'{phrase.text}' are those of {', '.join(spoken)}", phrase.tokens)
        return Located(self._held_relation(targets), targets)

    def _others(self, phrase: NounPhrase, selector: Selector) -> Selector:
        """Return those spoken of before of the kind, other than which the phrase means."""
        whole = self._names(selector)
        spoken = [g for groups in (*self.mentions, *self.sources, self.current) for g in groups]
        alike = [g for g in spoken if self._names(g.selector) & whole]
        if not alike:
            raise Refusal(phrase.tokens, "other than what is not said")
        if any(g.quantifier.kind != "all" for g in alike):
            raise Refusal(phrase.tokens, "which are the others is left open")
        found = {name for g in alike for name in self._names(g.selector) & whole}
        if found == whole:
            raise Refusal(phrase.tokens, "there are no others")
        return Selector(names=tuple(sorted(found, key=natural_key)))

    def _excluded(self, phrase: NounPhrase, excluded: NounPhrase) -> Selector:
        if excluded.pronoun == "kind":
            excluded = replace(
                excluded, pronoun="", cls=phrase.cls, collective=phrase.collective, names=()
            )
        if excluded.pronoun:
            raise Refusal(excluded.tokens, "what is left out is not clear")
        selector = self._selector(excluded)
        if self._is_one_definite(excluded):
            return self._definite(excluded, selector).selector
        return selector

    def _without_unsaid(self, selector: Selector, phrase: NounPhrase) -> Selector:
        """Drop states of which the scene says nothing at all, and say so."""
        for state in sorted(selector.states & self.lexicon.unsaid_states):
            if not {state, self.knowledge.opposite(state)} & self.vocabulary.states():
                selector = replace(selector, states=selector.states - {state})
                what = replace(selector, where=None).text()
                self._assume(
                    f"the scene says nothing about '{state}'; all {what} are counted", phrase.tokens
                )
        return selector

    def _note_doubts(self, phrase: NounPhrase, selector: Selector) -> None:
        """Name the things of a collective that are counted in for want of better knowledge."""
        doubts: dict[str, list[str]] = {}
        for name in self._sorted(selector):
            node = self.scene.nodes[name]
            doubt = self.knowledge.doubt(phrase.collective, node.cls, node.states, node.attributes)
            if doubt:
                doubts.setdefault(doubt, []).append(name)
        for doubt, names in doubts.items():
            text = f"{some_of(names)} count as {phrase.collective}: {doubt}"
            self._assume(text, phrase.tokens, "vocabulary")

    # how many

    def _is_one_definite(self, phrase: NounPhrase) -> bool:
        """Tell whether one particular thing is meant: a label, or "the cup"."""
        if phrase.names:
            return True
        return (
            bool(phrase.cls)
            and phrase.determiner == "the"
            and phrase.number in (None, 1)
            and not phrase.plural
            and not phrase.bound
        )

    def _definite(self, phrase: NounPhrase, selector: Selector) -> Group:
        if phrase.names:
            names = selector.names or ()
            if phrase.number not in (None, 1):
                raise Refusal(phrase.tokens, "so many of one name there cannot be")
            if len(names) > 1:
                self._assume(f"'{phrase.text}' is taken as {names[0]}", phrase.tokens, "choice")
                selector = replace(selector, names=names[:1])
            return Group(selector, ALL, phrase)
        chosen = self._choose(phrase, selector, frozenset())
        if chosen is None:
            return Group(selector, Quantifier("at_least", 1), phrase)
        return Group(Selector(names=(chosen,), context=selector.context), ALL, phrase)

    def _quantity(
        self, phrase: NounPhrase, selector: Selector, people: int | None = None
    ) -> tuple[Quantifier, tuple[str, ...]]:
        """Return how many of the things are meant and what was assumed for it."""
        kind = phrase.determiner
        if phrase.tokens[0].low in ("something", "anything") and kind == "":
            return Quantifier("at_least", 1), ()
        if phrase.number is not None:
            return self._counted(phrase, selector, phrase.number), ()
        if people is not None and kind == "" and phrase.plural and not phrase.states:
            n = 1 if self._is_mass(phrase) else people
            return Quantifier("at_least", n), (f"'{phrase.text}' for {people}: at least {n}",)
        if kind in ("couple", "few") or (
            kind == "some" and phrase.plural and not self._is_mass(phrase)
        ):
            n = self.lexicon.amounts[kind]
            return Quantifier("at_least", n), (f"'{phrase.text}' is taken as at least {n}",)
        if kind == "both":
            there = len(self._sorted(selector))
            if there == 2:
                return ALL, ()
            return Quantifier("at_least", 2), (f"the scene has {there} of them, not two",)
        if kind == "none":
            return Quantifier("at_most", 0), ()
        if kind in ("one", "some") or (kind == "any" and not phrase.plural):
            return Quantifier("at_least", 1), ()
        if kind in ("all", "each", "any"):
            return ALL, ()
        if not phrase.plural and not phrase.collective and not phrase.generic and kind == "":
            return Quantifier("at_least", 1), ()
        return ALL, ()

    def _is_mass(self, phrase: NounPhrase) -> bool:
        return bool(phrase.cls) and self.knowledge.plural(phrase.cls) == phrase.cls

    def _counted(self, phrase: NounPhrase, selector: Selector, number: int) -> Quantifier:
        if number == 0 and phrase.bound not in ("at_most", "exactly"):
            raise Refusal(phrase.tokens, "that asks for nothing")
        if phrase.bound:
            kinds: dict[str, Quantifier] = {
                "at_least": Quantifier("at_least", number),
                "at_most": Quantifier("at_most", number),
                "exactly": Quantifier("exactly", number),
            }
            return kinds[phrase.bound]
        definite = phrase.determiner in ("the", "all", "both", "each")
        if definite and len(self._sorted(selector)) == number:
            return ALL
        return Quantifier("at_least", number)

    # sets

    def _members(self, name: str, count: int, phrase: NounPhrase) -> list[Group]:
        """Return a group for each part of a set; optional parts are wishes."""
        if phrase.but_not:
            raise Refusal(phrase.but_not[0].tokens, "what is left of the parts is not known")
        groups = []
        wishes = []
        for member in self.knowledge.members(name):
            wanted = count * member.per_person if member.per_person else member.count
            selector = Selector(cls=member.cls, context=self.care)
            if member.optional:
                if not self._sorted(selector):
                    continue
                wishes.append(member.cls)
            groups.append(
                Group(selector, Quantifier("at_least", wanted), phrase, soft=member.optional)
            )
        if not groups:
            raise Refusal(phrase.tokens, "what belongs to it is not known")
        hard = ", ".join(self._counted_words(group) for group in groups if not group.soft)
        wish = f"; if possible {', '.join(wishes)}" if wishes else ""
        self._assume(f"'{name}' is: {hard}{wish}", phrase.tokens, "vocabulary")
        return groups

    def _counted_words(self, group: Group) -> str:
        n, cls = group.quantifier.n, group.selector.cls or ""
        return f"{n} {cls if n == 1 else self.knowledge.plural(cls)}"

    # targets

    def _target(self, phrase: NounPhrase, moved: frozenset[str], quiet: bool = False) -> Selector:
        """Return the place that a phrase means: one thing where one is meant, else any of them."""
        if phrase.pronoun:
            return self._target_spoken_of(phrase, moved)
        if phrase.floor and (phrase.owner or phrase.room or phrase.places):
            rooms = [*phrase.owner, *(t for p in phrase.places for t in p.things)]
            if phrase.room:
                rooms = [replace(phrase, cls=phrase.room, room="", floor=False)]
            return union([self._target(room, moved) for room in rooms])
        if phrase.floor and not phrase.cls:
            raise Refusal(phrase.tokens, "of which room is not said")
        if phrase.generic or phrase.contents or phrase.set_name:
            raise Refusal(phrase.tokens, "it does not say a place")
        if phrase.spoken_of:
            again = self._spoken_target(phrase)
            if again is not None:
                return again
        selector = replace(self._selector(phrase), context=phrase.context)
        self._check_place(phrase, selector)
        if phrase.names:
            return self._definite(phrase, selector).selector if len(phrase.names) > 1 else selector
        several = phrase.plural or phrase.determiner in ("all", "each", "any", "one", "some")
        several = several or (phrase.number == 1 and phrase.determiner != "the")
        if several or phrase.collective:
            return selector
        before = len(self.assumptions)
        chosen = self._choose(phrase, selector, moved)
        if quiet:
            del self.assumptions[before:]
        return selector if chosen is None else Selector(names=(chosen,))

    def _check_place(self, phrase: NounPhrase, selector: Selector) -> None:
        """Refuse what cannot be a place ("in a circle"), unless the scene has such a thing."""
        cls = phrase.cls
        if cls == "place":
            raise Refusal(phrase.tokens, "which place is meant is not said")
        if phrase.names or (cls and self._sorted(selector)):
            return
        if phrase.collective:
            members = self._sorted(selector)
            if members and all(self._holds_things(self.scene.nodes[n].cls) for n in members):
                return
        elif self._holds_things(cls) or self.knowledge.kind(cls) == "furniture":
            return
        raise Refusal(phrase.tokens, "it is not known as a place")

    def _spoken_target(self, phrase: NounPhrase) -> Selector | None:
        """Return the thing of that class that was spoken of before."""
        for groups in reversed(self.mentions):
            for group in groups:
                for name in self._sorted(group.selector):
                    if phrase.cls and self.knowledge.is_a(self.scene.nodes[name].cls, phrase.cls):
                        return Selector(names=(name,))
        return None

    def _target_spoken_of(self, phrase: NounPhrase, moved: frozenset[str]) -> Selector:
        for groups in reversed(self.mentions):
            selectors = [g.selector for g in groups]
            names = [n for s in selectors for n in self._sorted(s)]
            if moved and moved & set(names):
                continue
            classes = {self.scene.nodes[n].cls for n in names} | {
                s.cls for s in selectors if s.cls and not names
            }
            if any(self._holds_things(cls) for cls in classes):
                return union(selectors)
        raise Refusal(phrase.tokens, "what place it stands for was not spoken of")

    def _holds_things(self, cls: str) -> bool:
        know = self.knowledge
        return know.kind(cls) == "room" or know.container(cls) or know.surface(cls)

    def _relation(self, preposition: str, targets: Selector) -> str:
        """Return the predicate that a preposition means with this target."""
        classes = self._classes(targets)
        rooms = {cls for cls in classes if self.knowledge.kind(cls) == "room"}
        if rooms:
            return "at" if rooms == classes else "to"
        if preposition in ("in", "on"):
            return preposition
        return self._fitting(classes)

    def _fitting(self, classes: frozenset[str]) -> str:
        inside = all(self.knowledge.container(cls) for cls in classes)
        above = all(self.knowledge.surface(cls) for cls in classes)
        if not classes or inside == above:
            return "to"
        return "in" if inside else "on"

    def _classes(self, targets: Selector) -> frozenset[str]:
        found = {self.scene.nodes[name].cls for name in self._sorted(targets)}
        for name in self._sorted(targets):
            if self.scene.nodes[name].kind is Kind.ROOM:
                found = (found - {self.scene.nodes[name].cls}) | {"room"}
        if found:
            return frozenset(found)
        parts = targets.any_of or (targets,)
        own = {part.cls for part in parts if part.cls}
        named = {n.rsplit("_", 1)[0].replace("_", " ") for part in parts for n in part.names or ()}
        return frozenset(own | named)

    def _held_relation(self, targets: Selector) -> str:
        """Return how things are at the targets now, or how they would be."""
        names = self._sorted(targets)
        if names and all(self.scene.nodes[name].kind is Kind.ROOM for name in names):
            return "at"
        now: set[str] = {
            relation.value
            for name in names
            for relation in (Relation.IN, Relation.ON)
            if self.scene.children(name, relation)
        }
        if len(now) == 1:
            return next(iter(now))
        return "to" if now else self._relation("to", targets)

    # one of several

    def _choose(self, phrase: NounPhrase, selector: Selector, moved: frozenset[str]) -> str | None:
        """Choose the one thing that "the table" means, or None where there is none.

        The rule: things whose class is the very word; the one spoken of before; the one in the
        room where most of the things are that go there; the one nearest to them; the one in the
        robot's room; natural order.
        """
        names = self._sorted(selector)
        if len(names) < 2:
            return names[0] if names else None
        cls = phrase.cls or ""
        exact = tuple(n for n in names if self.scene.nodes[n].cls == cls)
        close = tuple(n for n in names if self.scene.nodes[n].cls.endswith(f" {cls}"))
        pool = exact or self._for_eating(phrase, close) or close or names
        if len(pool) == 1:
            chosen, why = pool[0], "its class fits the words best"
        else:
            chosen, why = self._best(pool, moved)
        others = some_of([n for n in names if n != chosen])
        self._assume(
            f"'{phrase.text}' is taken as {chosen} ({why}), not {others}", phrase.tokens, "choice"
        )
        return chosen

    def _best(self, names: Sequence[str], moved: frozenset[str]) -> tuple[str, str]:
        spoken = [n for n in self._spoken_names() if n in names]
        if spoken:
            return spoken[0], "it was spoken of before"
        rooms = {name: self.scene.room_of(name) for name in names}
        counts: dict[str | None, int] = {}
        for thing in moved:
            room = self.scene.room_of(thing)
            counts[room] = counts.get(room, 0) + 1
        robot = self._robot_room()
        centre = self._centre(moved) or self._centre([robot] if robot else [])

        def rank(name: str) -> tuple[int, float, bool]:
            return -counts.get(rooms[name], 0), self._far(name, centre), rooms[name] != robot

        best = min(names, key=lambda name: (*rank(name), natural_key(name)))
        if moved and counts.get(rooms[best], 0) > 0:
            return best, "most of the things are in its room"
        if centre is not None:
            return best, "it is nearest"
        return best, "the first of them" if rooms[best] != robot else "it is in the robot's room"

    def _spoken_names(self) -> list[str]:
        return [
            name
            for groups in (*reversed(self.mentions), *reversed(self.sources))
            for group in groups
            if len(self._sorted(group.selector)) == 1
            for name in self._sorted(group.selector)
        ]

    def _centre(self, names: Iterable[str]) -> tuple[float, float, float] | None:
        poses = [p.position for name in names if (p := self._pose(name)) is not None]
        if not poses:
            return None
        x, y, z = (sum(axis) / len(poses) for axis in zip(*poses, strict=True))
        return x, y, z

    def _pose(self, name: str) -> Pose | None:
        pose: Pose | None = self.scene.nodes[name].pose
        if pose is None:
            room = self.scene.room_of(name)
            pose = self.scene.nodes[room].pose if room else None
        return pose

    def _far(self, name: str, centre: tuple[float, float, float] | None) -> float:
        pose = self._pose(name)
        if pose is None or centre is None:
            return 0.0
        return sum((a - b) ** 2 for a, b in zip(pose.position, centre, strict=True))

    def _for_eating(self, phrase: NounPhrase, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the tables to eat at, where a table is to be set."""
        if not phrase.for_eating:
            return ()
        nodes = self.scene.nodes
        return tuple(n for n in names if self.knowledge.is_a(nodes[n].cls, "dining table"))

    def _usual_place(self, group: Group) -> Selector | None:
        """Return where such things are kept (data/homes.yaml), else their usual room."""
        names = self._sorted(group.selector)
        cls = self.scene.nodes[names[0]].cls if names else group.phrase.cls
        if not cls:
            return None
        for home in self.lexicon.homes:
            if any(self.knowledge.is_a(cls, concept) for concept in home["is"]):
                stores = self._stores(home["role"], names)
                if stores:
                    return Selector(names=(self._best(stores, frozenset(names))[0],))
                break
        for room in self.knowledge.usual_rooms(cls):
            found = self._sorted(Selector(cls=room))
            if found:
                return Selector(names=(self._best(found, frozenset(names))[0],))
        return None

    def _stores(self, role: str, but: tuple[str, ...]) -> list[str]:
        nodes = self.scene.nodes
        fitting = {cls for cls in self.scene.classes() if role in self.knowledge.roles(cls)}
        return [n for n in self.scene.things() if nodes[n].cls in fitting and n not in but]

    def _state_predicate(self, state: str, command: Command) -> str:
        if state not in predicates():
            raise Refusal(command.tokens, f"no goal can say '{state}'")
        return state
