"""Recursive descent over a sentence: every word is used or the sentence is refused."""

from __future__ import annotations

from dataclasses import dataclass, field

from gist.language.knowledge.lexicon import Lexicon, Phrases, Sense
from gist.language.knowledge.nouns import NounParser
from gist.language.knowledge.phrases import Command, Item, NounPhrase, Place, Refusal
from gist.language.knowledge.tokens import Token
from gist.language.knowledge.vocabulary import Vocabulary
from gist.scene.graph import Kind

GIVING = frozenset({"fetch", "take", "gather", "hold"})
MOVING = frozenset({"transfer", "fetch", "take", "gather", "return", "store", "hold", "go"})
EACH = ("each", "both", "couple", "few", "some")
STATEMENT = Sense("be", "statement")


@dataclass
class Parser(NounParser):
    """Reads one sentence; `notes` are the words that were set aside, with what is assumed."""

    vocabulary: Vocabulary
    lexicon: Lexicon
    tokens: list[Token]
    at: int = 0
    notes: list[tuple[str, list[Token]]] = field(default_factory=list)
    in_place: int = 0

    def parse(self) -> list[Command]:
        """Return the commands in the order they were said.

        Raises:
            Refusal: a word has no place in the sentence.
        """
        commands: list[Command] = []
        later, soft = False, False
        while True:
            joined_later, joined_soft = self._skip_joints()
            later, soft = later or joined_later, soft or joined_soft
            if self.at >= len(self.tokens):
                break
            for command in self._clause(soft):
                command.later = later and not commands_follow(commands, command)
                commands.append(command)
                later = False
            soft = False
        if not commands:
            raise Refusal(self.tokens, "there is nothing to do in it")
        return commands

    # between the clauses

    def _skip_joints(self) -> tuple[bool, bool]:
        """Skip what joins clauses; tell whether the next one comes later, and is only a wish."""
        later = soft = False
        while self.at < len(self.tokens):
            if not self.tokens[self.at].is_word:
                if self.tokens[self.at].text == "?" and not self._politely_asked():
                    raise Refusal([self.tokens[self.at]], "questions are not answered")
                self.at += 1
            elif joint := self._joint(self.at):
                later = later or joint[0] == "later"
                self.at += joint[1]
            elif self._takes(self.lexicon.soft):
                soft = True
            elif self.lexicon.courtesy.length_at(self.tokens, self.at) and not self._verb_here():
                self._takes(self.lexicon.courtesy)
            elif self._manner_before_verb():
                continue
            else:
                break
        return later, soft

    def _joint(self, at: int) -> tuple[str, int] | None:
        """Return how a joint there orders the clauses, unless a longer phrase begins with it."""
        found = self.lexicon.joints.at(self.tokens, at)
        if found is None or self.lexicon.unsupported.length_at(self.tokens, at) > found[1]:
            return None
        return found

    def _politely_asked(self) -> bool:
        return any(token.low in ("could", "can", "would", "will", "mind") for token in self.tokens)

    def _manner_before_verb(self) -> bool:
        length = self.lexicon.manner.length_at(self.tokens, self.at)
        if not length or self._verb_at(self.at) or self._subordinate_at(self.at):
            return False
        if self._starts_thing(self.at):
            return False
        self._set_aside(length, "how it is done is not planned")
        return True

    # clauses

    def _clause(self, soft: bool) -> list[Command]:
        sub = self._subordinate()
        if sub is not None:
            when, commands = sub
            self._skip_joints()
            if self.at >= len(self.tokens):
                raise Refusal(self.tokens[-1:], "what is to be done then is not said")
            main = self._clause(soft)
            main[0].subs += [(when, command) for command in commands]
            return main
        if self.tokens[self.at].low in self.lexicon.questions and not self._starts_statement():
            raise Refusal([self.tokens[self.at]], "questions are not answered")
        if self._takes(self.lexicon.make_sure):
            self._takes(self.lexicon.make_sure)
            return [self._statement(soft)]
        verbs = self._verbs() or (self._verbs("gerund") if soft or self._by() else [])
        if not verbs:
            if self._starts_statement():
                return [self._statement(soft)]
            raise Refusal([self.tokens[self.at]], "a command was expected here")
        return self._command(verbs, soft)

    def _by(self) -> bool:
        """Tell whether "mind" or "by" stands before, after which a verb ends in -ing."""
        return self.at > 0 and self.tokens[self.at - 1].low in ("mind", "by")

    def _verbs(self, form: str = "base") -> list[tuple[str, int]]:
        """Read one verb or several that share their object ("sweep and mop the kitchen")."""
        verbs: list[tuple[str, int]] = []
        while (verb := self._form(self.at, form)) is not None:
            if verbs and not self._looks_like_verb(self.at):
                break
            verbs.append((verb, self.at))
            self.at += 1
            ahead = self.at
            while ahead < len(self.tokens) and self.tokens[ahead].low in (",", "and", "then"):
                ahead += 1
            if ahead == self.at or self._form(ahead, form) is None or not self._verb_at(ahead):
                break
            self.at = ahead
        return verbs

    def _command(self, verbs: list[tuple[str, int]], soft: bool) -> list[Command]:
        verb, start = verbs[-1]
        command = Command([self.tokens[start]], Sense(verb, ""), soft=soft)
        senses = self.lexicon.senses[verb]
        particle = self._joined_particle(senses)
        self._arguments(command, senses, particle)
        command.tokens = self.tokens[verbs[0][1] : self.at]
        first = [
            Command(command.tokens, self._plain_sense(name), items=command.items, shares=True)
            for name, _ in verbs[:-1]
        ]
        for one in first:
            moves = one.sense.frame in MOVING or command.sense.frame in MOVING
            one.places = [] if moves else command.places
        return [*first, command]

    def _plain_sense(self, verb: str) -> Sense:
        return next(
            (s for s in self.lexicon.senses[verb] if not s.particle), self.lexicon.senses[verb][0]
        )

    def _joined_particle(self, senses: list[Sense]) -> tuple[str, ...]:
        """Read a particle right after the verb, unless a longer preposition stands there."""
        if self.tokens[self.at - 1].low in ("organize", "organise", "arrange"):
            return ()
        return self._particle(senses, right_after=True)

    def _particle(self, senses: list[Sense], right_after: bool) -> tuple[str, ...]:
        for sense in senses:
            n = len(sense.particle)
            words = tuple(token.low for token in self.tokens[self.at : self.at + n])
            if not n or words != sense.particle or (sense.joined and not right_after):
                continue
            longer = self.lexicon.prepositions.length_at(self.tokens, self.at) > n
            leads = (
                not right_after and words[0] in ("off", "on") and self._starts_thing(self.at + n)
            )
            if (longer and words[0] != "back") or leads:
                continue
            self.at += n
            return sense.particle
        return ()

    def _arguments(self, command: Command, senses: list[Sense], particle: tuple[str, ...]) -> None:
        while self.at < len(self.tokens) and not self._boundary():
            if not particle and (found := self._particle(senses, right_after=False)):
                particle = found
            elif not self._argument(command):
                raise Refusal([self.tokens[self.at]], "it has no place here")
        matching = [sense for sense in senses if sense.particle == particle]
        if not matching:
            words = " ".join(sense.verb + " " + " ".join(sense.particle) for sense in senses)
            raise Refusal(command.tokens, f"the verb is known only as: {words}")
        command.sense = matching[0]
        if command.given and command.sense.frame in GIVING:
            self._are_sources(command)

    def _are_sources(self, command: Command) -> None:
        """Mark the places read so far as those where the things are: the target is a person."""
        for place in (*command.places, *(p for item in command.items for p in item.places)):
            place.source = place.source or place.preposition != "to"

    def _argument(self, command: Command) -> bool:
        """Read one part of a command after its verb; tell whether there was one."""
        token = self.tokens[self.at]
        if command.items and self._left_out(command):
            return True
        if token.text == ",":
            self.at += 1
            return True
        for read in (
            self._there,
            self._origin,
            self._subclause,
            self._purpose,
            self._for_whom,
            self._place,
        ):
            if read(command):
                return True
        if self._takes(self.lexicon.soft):
            command.soft = True
            return True
        if self._person_object(command):
            return True
        if self._adverb(command):
            return True
        if self._starts_thing(self.at):
            if command.items and not self._given_to(command):
                raise Refusal([token], "it has no place here")
            command.items = self._items()
            return True
        return False

    def _given_to(self, command: Command) -> bool:
        """Turn the first object into who gets the second ("give the kids three snacks")."""
        first = command.items[0].thing
        knowledge = self.vocabulary.knowledge
        if len(command.items) > 1 or not first.cls or knowledge.kind(first.cls) != "person":
            return False
        if first.determiner in EACH or first.number is not None:
            raise Refusal(first.tokens, "how many each of them gets cannot be said")
        command.context |= knowledge.context_of(first.text)
        command.to_person = command.given = True
        command.receiver = first.text
        return True

    def _left_out(self, command: Command) -> bool:
        """Read "..., but not chair_1" after the places: it is said of the objects."""
        phrase = NounPhrase([])
        if not self._exception(phrase):
            return False
        for item in command.items:
            item.thing.but_not = phrase.but_not
        return True

    def _there(self, command: Command) -> bool:
        """Read "there", the place last spoken of, or "here", where the speaker is."""
        word = self.tokens[self.at].low
        if word not in ("there", "here") or not command.items:
            return False
        self.at += 1
        if word == "here":
            command.to_person = True
            self._are_sources(command)
        else:
            tokens = self.tokens[self.at - 1 : self.at]
            place = NounPhrase(tokens, pronoun="one")
            command.places.append(Place("to", [place], tokens))
        return True

    def _adverb(self, command: Command) -> bool:
        """Set aside words that say how, or courtesy inside the sentence."""
        if not command.items and self._starts_thing(self.at):
            return False
        courtesy = self.lexicon.courtesy.length_at(self.tokens, self.at)
        manner = self.lexicon.manner.length_at(self.tokens, self.at)
        filler = self.lexicon.fillers.length_at(self.tokens, self.at)
        if courtesy >= max(manner, filler, 1):
            self.at += courtesy
        elif manner >= max(filler, 1):
            self._set_aside(manner, "how it is done is not planned")
        elif filler:
            self.at += filler
        else:
            return False
        return True

    def _person_object(self, command: Command) -> bool:
        """Read the person in "bring me a cup"."""
        length = self.lexicon.persons.length_at(self.tokens, self.at)
        if not length or command.items:
            return False
        self.at += length
        command.to_person = command.given = True
        return True

    # what goes with a command

    def _origin(self, command: Command) -> bool:
        """Read "where they were": the places of the start."""
        if self._takes(self.lexicon.belongs):
            command.kept = True
        elif self._takes(self.lexicon.origins):
            command.origin = True
        else:
            return False
        return True

    def _subclause(self, command: Command) -> bool:
        sub = self._subordinate()
        if sub is None:
            return False
        command.subs += [(sub[0], one) for one in sub[1]]
        return True

    def _subordinate_at(self, start: int) -> tuple[str, int] | None:
        """Return the kind and the end of a lead such as "immediately after" before a verb."""
        at_once = self.lexicon.at_once.length_at(self.tokens, start)
        for table, kind in ((self.lexicon.after, "after"), (self.lexicon.before, "before")):
            length = table.length_at(self.tokens, start + at_once)
            at = start + at_once + length
            if length and (self._form(at, "gerund") or self._you_have(at)):
                return ("immediately" if at_once and kind == "after" else kind), at
        return None

    def _you_have(self, start: int) -> int:
        """Return the length of "you have" before a participle, 0 where there is none."""
        words = [token.low for token in self.tokens[start : start + 2]]
        for lead in (["you", "have"], ["you've"], ["you"], ["having"], ["you", "had"]):
            if words[: len(lead)] == lead and self._form(start + len(lead), "participle"):
                return len(lead)
        return 0

    def _subordinate(self) -> tuple[str, list[Command]] | None:
        lead = self._subordinate_at(self.at)
        if lead is None:
            return None
        kind, self.at = lead
        have = self._you_have(self.at)
        self.at += have
        verbs = self._verbs("participle" if have else "gerund")
        return kind, self._command(verbs, soft=False)

    def _purpose(self, command: Command) -> bool:
        """Read "to assemble a computer": it says which parts are meant."""
        if self.tokens[self.at].low == "in" and self._words_at(self.at + 1, ("order", "to")):
            lead = 3
        elif self.tokens[self.at].low in ("to", "for"):
            lead = 1
        else:
            return False
        form = "gerund" if self.tokens[self.at].low == "for" else "base"
        verb = self._form(self.at + lead, form)
        if verb is None or not command.items:
            return False
        frames = {sense.frame for sense in self.lexicon.senses[verb]}
        if "assemble" not in frames or not self._starts_thing(self.at + lead + 1):
            return False
        self.at += lead + 1
        command.purpose = self._thing()
        return True

    def _for_whom(self, command: Command) -> bool:
        """Read "for two people", "for a party", "for the kids", "to me"."""
        word = self.tokens[self.at].low
        if word not in ("for", "to"):
            return False
        start = self.at
        self.at += 1
        if self._whom(command, word):
            return True
        self.at = start
        return False

    def _whom(self, command: Command, word: str) -> bool:
        if length := self.lexicon.persons.length_at(self.tokens, self.at):
            self.at += length
            if word == "to":
                command.to_person = True
                self._are_sources(command)
            return True
        if word == "to":
            return self._to_person(command)
        number: int | None = None
        if self.tokens[self.at : self.at + 1] and self.tokens[self.at].low in (
            "a",
            "an",
            "the",
            "our",
            "my",
        ):
            number = 1 if self.tokens[self.at].low in ("a", "an") else None
            self.at += 1
        read = self._number(self.at)
        if read is not None:
            number = read[0]
            self.at += read[1]
        if self.at < len(self.tokens) and self.tokens[self.at].low.endswith("'"):
            command.context |= self.vocabulary.knowledge.context_of(self.tokens[self.at].low)
            self.at += bool(command.context)
        if length := self.lexicon.occasions.length_at(self.tokens, self.at):
            found = self.lexicon.occasions.at(self.tokens, self.at)
            command.occasion = found[0] if found else ""
            command.for_two = bool(self.lexicon.for_two.length_at(self.tokens, self.at))
            self.at += length
            more = self.tokens[self.at].low if self.at < len(self.tokens) else ""
            return more not in ("for", "of", "with") or self._whom_more(command)
        if length := self.lexicon.people.length_at(self.tokens, self.at):
            words = " ".join(t.low for t in self.tokens[self.at : self.at + length])
            command.people = number
            command.context |= self.vocabulary.knowledge.context_of(words)
            self.at += length
            return True
        if read is not None and self._ends(self.at):
            command.people = number
            return True
        return self._in_need(command)

    def _to_person(self, command: Command) -> bool:
        """Read the persons in "bring milk to the kids"; where they are is taken for granted."""
        start = self.at
        determiner = self.lexicon.quantifiers.at(self.tokens, self.at)
        self._takes(self.lexicon.quantifiers)
        noun = self.vocabulary.noun_at(self.tokens, self.at)
        length = self.lexicon.people.length_at(self.tokens, self.at)
        if noun is not None and noun.cls and self.vocabulary.knowledge.kind(noun.cls) == "person":
            length = noun.length
        here = self.vocabulary.name_at(self.tokens, self.at)
        if not length or here or self._noun_goes_on(self.at + length):
            self.at = start
            return False
        self.at += length
        words = self.tokens[start : self.at]
        if determiner is not None and determiner[0] in EACH:
            raise Refusal(words, "how many each of them gets cannot be said")
        command.receiver = " ".join(token.text for token in words)
        command.context |= self.vocabulary.knowledge.context_of(command.receiver)
        command.to_person = True
        self._are_sources(command)
        return True

    def _whom_more(self, command: Command) -> bool:
        start = self.at
        self.at += 1
        if self._whom(command, "for"):
            return True
        self.at = start
        return True

    def _in_need(self, command: Command) -> bool:
        """Read "for the toddler", "for my daughter": persons that call for care."""
        noun = self.vocabulary.noun_at(self.tokens, self.at)
        words = noun.words if noun else ""
        tags = self.vocabulary.knowledge.context_of(words)
        if (
            noun is None
            or not tags
            or self.vocabulary.knowledge.kind(words) not in ("person", "object")
        ):
            return False
        if self.vocabulary.knowledge.kind(words) == "object" and not noun.cls:
            return False
        self.at += noun.length
        command.context |= tags
        return True

    def _place(self, command: Command) -> bool:
        place = self._place_phrase(command)
        if place is None:
            return False
        if place.preposition == "with":
            command.tool += place.things
        elif not place.whole:
            command.places.append(place)
        return True

    def _place_phrase(self, command: Command | None) -> Place | None:
        """Read a preposition and its things; "around the house" is the whole scene."""
        found = self.lexicon.prepositions.at(self.tokens, self.at)
        if found is None or found[0] == "for":
            return None
        bound = self.lexicon.bounds.length_at(self.tokens, self.at)
        if bound and self._number(self.at + bound) is not None:
            return None
        start = self.at
        preposition = found[0]
        self.at += found[1]
        if self._whole():
            return Place(preposition, [], self.tokens[start : self.at], whole=True)
        if length := self.lexicon.origins.length_at(self.tokens, self.at):
            self.at += length
            if command is not None:
                command.origin = True
            return Place(preposition, [], self.tokens[start : self.at], whole=True, origin=True)
        if preposition == "around" and not self._starts_thing(self.at):
            return Place(preposition, [], self.tokens[start : self.at], whole=True)
        if not self._starts_thing(self.at):
            at = min(self.at, len(self.tokens) - 1)
            raise Refusal(self.tokens[start : at + 1], "a place was expected here")
        preposition = "in" if preposition == "around" else preposition
        self.in_place += 1
        try:
            place = Place(preposition, [self._thing()], [])
            self._more_places(place)
        finally:
            self.in_place -= 1
        if self._is_origin(place.things[0]) and command is not None:
            command.origin = True
            return Place(preposition, [], self.tokens[start : self.at], whole=True, origin=True)
        place.tokens = self.tokens[start : self.at]
        return place

    def _is_origin(self, thing: NounPhrase) -> bool:
        """Tell whether the words say "its original place" or "the container where it was"."""
        words = {token.low for token in thing.tokens}
        if thing.earlier and words & {"its", "their"}:
            return True
        spots = {
            "place",
            "places",
            "location",
            "locations",
            "position",
            "positions",
            "spot",
            "spots",
        }
        return thing.origin or bool(words & spots and (thing.earlier or words & {"its", "their"}))

    def _whole(self) -> bool:
        """Skip words that mean the whole scene ("the house", "every room in the house")."""
        at = self.at
        if at < len(self.tokens) and self.tokens[at].low in ("the", "my", "our", "this", "all"):
            at += 1
        for start in (self.at, at):
            length = self.lexicon.whole.length_at(self.tokens, start)
            if length and not self.vocabulary.name_at(self.tokens, start):
                end = start + length
                if self._noun_goes_on(end):
                    continue
                self.at = end
                self._in_the_house()
                return True
        return False

    def _noun_goes_on(self, end: int) -> bool:
        if end >= len(self.tokens) or self._form(end, "base"):
            return False
        return self.vocabulary.noun_at(self.tokens, end) is not None

    def _more_places(self, place: Place) -> None:
        """Read further things after the same preposition: "in the kitchen and living room"."""
        while True:
            start = self.at
            joint = self._list_joint()
            again = self.lexicon.prepositions.at(self.tokens, self.at) if joint == "or" else None
            if again is not None and again[0] == place.preposition:
                self.at += again[1]
            left_out = self.lexicon.exceptions.length_at(self.tokens, self.at)
            more = joint and not left_out and self._starts_thing(self.at)
            if not more or self._clause_at(self.at):
                self.at = start
                return
            thing = self._thing()
            if not self._like(place, thing) or self._goal_follows(place):
                self.at = start
                return
            if place.preposition != "from" and not self._same_kind(place.things[0], thing):
                raise Refusal(thing.tokens, "whether it goes there or is a place too is not clear")
            place.things.append(thing)
            place.any_one = place.any_one or joint == "or"

    def _like(self, place: Place, thing: NounPhrase) -> bool:
        """Tell whether a thing can be a place as the earlier ones are, and is no further object."""
        if thing.pronoun or place.preposition == "with":
            return True
        return self._is_place(thing)

    def _same_kind(self, first: NounPhrase, second: NounPhrase) -> bool:
        """Tell whether both are furniture or rooms, or neither: "the table and the glasses"."""
        return (
            first.pronoun != ""
            or second.pronoun != ""
            or (self._stands(first) == self._stands(second))
        )

    def _stands(self, thing: NounPhrase) -> bool:
        nodes = self.vocabulary.scene.nodes
        if thing.names and thing.names[0] in nodes:
            return nodes[thing.names[0]].kind in (Kind.ROOM, Kind.FURNITURE)
        return self.vocabulary.knowledge.kind(thing.cls) in ("room", "furniture")

    def _is_place(self, thing: NounPhrase) -> bool:
        knowledge = self.vocabulary.knowledge
        if thing.names:
            classes = {
                self.vocabulary.scene.nodes[name].cls
                for name in thing.names
                if name in self.vocabulary.scene
            }
        else:
            classes = {thing.cls} - {""}
        return any(
            knowledge.kind(cls) in ("room", "furniture")
            or knowledge.container(cls)
            or knowledge.surface(cls)
            for cls in classes
        )

    def _goal_follows(self, place: Place) -> bool:
        found = self.lexicon.prepositions.at(self.tokens, self.at)
        if found is None or place.preposition == "from":
            return False
        return found[0] in ("in", "on", "at", "to")

    # objects

    def _items(self) -> list[Item]:
        """Read the objects of a verb, each with the places said right after it."""
        items = [Item(self._thing())]
        while True:
            before = self.at
            places = self._places_between()
            joint_at = self.at
            joint = self._list_joint()
            left_out = self.lexicon.exceptions.length_at(self.tokens, self.at)
            more = joint and not left_out and self._starts_thing(self.at)
            more = more and not self._clause_at(self.at)
            if not more:
                self.at = before if places else joint_at
                self._share_exception(items)
                return items
            if joint == "or":
                raise Refusal(
                    [self.tokens[self.at - 1]], "a choice between things is not supported"
                )
            items[-1].places = places
            items.append(Item(self._thing()))
            self._share_look(items[-2].thing, items[-1].thing)

    def _share_look(self, first: NounPhrase, second: NounPhrase) -> None:
        """Let "the dirty shirts and socks" be dirty both, for the socks come with no word of it."""
        bare = not (second.determiner or second.number or second.bound or second.names)
        bare = bare and not (second.states or second.attributes or second.pronoun)
        plain = second.tokens and self.vocabulary.noun_at(second.tokens, 0) is not None
        if not (bare and plain and first.plural and second.plural):
            return
        if (
            (first.states or first.attributes)
            and not first.places
            and (second.cls or second.collective)
        ):
            words = " ".join([*sorted(first.states), *(value for _, value in first.attributes)])
            self.notes.append((f"they are taken to be {words} too", second.tokens))
            second.states, second.attributes = first.states, first.attributes

    def _share_exception(self, items: list[Item]) -> None:
        """Let "the cups and the plates, except plate_1" leave it out of all of them."""
        last = items[-1].thing
        for item in items[:-1]:
            item.thing.but_not = item.thing.but_not or last.but_not

    def _places_between(self) -> list[Place]:
        """Read places that may belong to the object before a further one."""
        places: list[Place] = []
        while self.lexicon.prepositions.at(self.tokens, self.at):
            start = self.at
            try:
                place = self._place_phrase(None)
            except Refusal:
                place = None
            if place is None or place.preposition == "with":
                self.at = start
                break
            if not place.whole:
                places.append(place)
        return places

    # statements

    def _starts_statement(self) -> bool:
        """Tell whether a thing and "should be" stand here."""
        start = self.at
        if not self._starts_thing(start):
            return False
        try:
            self._items()
            return bool(self.lexicon.modals.length_at(self.tokens, self.at))
        except Refusal:
            return False
        finally:
            self.at = start

    def _statement(self, soft: bool) -> Command:
        """Read "the cups should be in the sink", "the windows closed"."""
        start = self.at
        if not self._starts_thing(start):
            raise Refusal(
                [self.tokens[min(start, len(self.tokens) - 1)]], "a thing was expected here"
            )
        command = Command([], STATEMENT, soft=soft)
        command.items = self._items()
        self._takes(self.lexicon.modals)
        while self.at < len(self.tokens) and not self._boundary():
            state = self.vocabulary.state(self.tokens[self.at].low)
            if state is not None:
                command.states |= {state}
                self.at += 1
            elif not self._takes(self.lexicon.location) and not self._argument(command):
                raise Refusal([self.tokens[self.at]], "it has no place here")
        command.tokens = self.tokens[start : self.at]
        return command

    # where clauses end

    def _boundary(self) -> bool:
        """Tell whether the clause ends here."""
        token = self.tokens[self.at]
        if token.text in (".", ";", ":", "!", "?"):
            return True
        at = self.at
        joined = False
        while at < len(self.tokens):
            joint = self._joint(at)
            if joint is not None:
                if joint[0] == "later":
                    return True
                joined = True
                at += joint[1]
            elif self.tokens[at].text == ",":
                joined = True
                at += 1
            else:
                break
        return joined and (at >= len(self.tokens) or self._clause_at(at))

    def _clause_at(self, start: int) -> bool:
        """Tell whether a clause begins here: its verb, a wish, or a statement."""
        at = start
        wish = False
        while at < len(self.tokens):
            tables: tuple[Phrases[str], ...] = (
                self.lexicon.courtesy,
                self.lexicon.soft,
                self.lexicon.manner,
            )
            joint = self._joint(at)
            skip = max([joint[1] if joint else 0, *(t.length_at(self.tokens, at) for t in tables)])
            if not skip or self._verb_at(at):
                break
            wish = wish or bool(self.lexicon.soft.length_at(self.tokens, at))
            at += skip
        if at >= len(self.tokens):
            return True
        if self.lexicon.make_sure.length_at(self.tokens, at) or self._subordinate_at(at):
            return True
        if self._verb_at(at) or (wish and self._form(at, "gerund")):
            return True
        return self._statement_at(at)

    def _statement_at(self, start: int) -> bool:
        saved, self.at = self.at, start
        try:
            return self._modal_ahead() and self._starts_statement()
        finally:
            self.at = saved

    def _modal_ahead(self) -> bool:
        for token in self.tokens[self.at : self.at + 12]:
            if token.low in ("should", "must", "needs", "need", "ought", "belong", "belongs"):
                return True
            if not token.is_word:
                return False
        return False

    def _verb_here(self) -> bool:
        return self._verb_at(self.at)

    def _verb_at(self, at: int) -> bool:
        return self._form(at, "base") is not None and self._looks_like_verb(at)

    def _looks_like_verb(self, at: int) -> bool:
        """Tell a verb from the noun or adjective of the same form by what follows it."""
        word = self.tokens[at].low
        verb = self.lexicon.forms[word][0][0]
        if at + 1 >= len(self.tokens):
            return not self._can_be_thing(at)
        ahead = self.tokens[at + 1]
        if any(s.particle and s.particle[0] == ahead.low for s in self.lexicon.senses[verb]):
            return True
        if not self._can_be_thing(at):
            return True
        if self._determined(at + 1):
            return True
        noun_next = self.vocabulary.noun_at(self.tokens, at + 1) is not None
        return noun_next and self.vocabulary.state(word) is None and not self._compound(at)

    def _compound(self, at: int) -> bool:
        noun = self.vocabulary.noun_at(self.tokens, at)
        return noun is not None and noun.length > 1

    def _can_be_thing(self, at: int) -> bool:
        word = self.tokens[at].low
        return (
            self.vocabulary.state(word) is not None
            or self.vocabulary.noun(word) is not None
            or self.vocabulary.name_at(self.tokens, at) is not None
        )

    def _determined(self, at: int) -> bool:
        token = self.tokens[at]
        return bool(
            self.lexicon.quantifiers.length_at(self.tokens, at)
            or self.lexicon.bounds.length_at(self.tokens, at)
            or self.lexicon.pronouns.length_at(self.tokens, at)
            or self.lexicon.persons.length_at(self.tokens, at)
            or token.low in self.lexicon.numbers
            or token.low.isdigit()
            or any(ch.isdigit() for ch in token.low)
        )


def commands_follow(earlier: list[Command], command: Command) -> bool:
    """Tell whether nothing comes before the command, so that "then" says nothing."""
    return not earlier and not command.subs
