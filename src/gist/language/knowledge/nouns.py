"""Noun phrases: how many, of what, in which state, where, and for whom."""

from __future__ import annotations

from gist.language.knowledge.lexicon import Form, Lexicon, Phrases
from gist.language.knowledge.phrases import Command, NounPhrase, Place, Refusal
from gist.language.knowledge.tokens import Token, spoken
from gist.language.knowledge.vocabulary import Vocabulary, singular


class NounParser:
    """The part of the parser that reads noun phrases; see Parser for the rest."""

    vocabulary: Vocabulary
    lexicon: Lexicon
    tokens: list[Token]
    at: int
    notes: list[tuple[str, list[Token]]]
    in_place: int

    # small steps

    def _takes(self, table: Phrases[str]) -> bool:
        length = table.length_at(self.tokens, self.at)
        self.at += length
        return length > 0

    def _words_at(self, start: int, words: tuple[str, ...]) -> bool:
        return tuple(t.low for t in self.tokens[start : start + len(words)]) == words

    def _set_aside(self, length: int, note: str) -> None:
        self.notes.append((note, self.tokens[self.at : self.at + length]))
        self.at += length

    def _form(self, at: int, form: str) -> str | None:
        if at >= len(self.tokens):
            return None
        wanted: Form = form  # type: ignore[assignment]
        return self.lexicon.verb(self.tokens[at].low, wanted)

    def _ends(self, at: int) -> bool:
        return at >= len(self.tokens) or not self.tokens[at].is_word

    def _number(self, at: int) -> tuple[int, int] | None:
        """Return a number and the words it takes, or None."""
        if at >= len(self.tokens):
            return None
        word = self.tokens[at].low
        if word == "a" and self._words_at(at + 1, ("dozen",)):
            return 12, 2
        if word.isdigit() and word.isascii():
            return (int(word), 1) if len(word) < 5 else None
        tens, _, ones = word.partition("-")
        if tens in self.lexicon.numbers and (not ones or ones in self.lexicon.numbers):
            return self.lexicon.numbers[tens] + self.lexicon.numbers.get(ones, 0), 1
        return None

    def _list_joint(self) -> str:
        """Read what joins the parts of a list: a comma, "and", "or" or both."""
        joint = ""
        if self.at < len(self.tokens) and self.tokens[self.at].text == ",":
            self.at += 1
            joint = ","
        words = [token.low for token in self.tokens[self.at : self.at + 3]]
        for phrase in (
            ["as", "well", "as"],
            ["along", "with"],
            ["together", "with"],
            ["and", "also"],
            ["and"],
            ["or"],
            ["plus"],
            ["&"],
        ):
            if words[: len(phrase)] == phrase:
                self.at += len(phrase)
                return "or" if phrase == ["or"] else "and"
        return joint

    # noun phrases

    def _starts_thing(self, at: int) -> bool:
        """Tell whether a noun phrase can begin here."""
        if at >= len(self.tokens) or not self.tokens[at].is_word:
            return False
        word = self.tokens[at].low
        if word in self.lexicon.generic or self.vocabulary.name_at(self.tokens, at):
            return True
        for table in (self.lexicon.quantifiers, self.lexicon.bounds, self.lexicon.pronouns):
            if table.length_at(self.tokens, at):
                return True
        if self._number(at) is not None:
            return True
        if word == "other":
            return at + 1 < len(self.tokens) and self._starts_core(at + 1)
        return word not in self.lexicon.closed and self._starts_core(at)

    def _starts_core(self, at: int) -> bool:
        token = self.tokens[at]
        return bool(
            self.vocabulary.state(token.low)
            or self.vocabulary.look(token.low)
            or self.lexicon.loose.length_at(self.tokens, at)
            or self.lexicon.earlier.length_at(self.tokens, at)
            or self.vocabulary.noun_at(self.tokens, at)
            or self._missing_name(at)
            or singular(self.vocabulary.knowledge, token.low)
            in self.lexicon.generic | self.lexicon.contents
            or token.low in self.lexicon.floors
            or token.low.endswith("'s")
        )

    def _thing(self) -> NounPhrase:
        """Read one noun phrase.

        Raises:
            Refusal: naming the word that does not fit.
        """
        start = self.at
        phrase = NounPhrase([])
        pronoun = self.lexicon.pronouns.at(self.tokens, self.at)
        if pronoun is not None and not self._noun_after_pronoun(self.at + pronoun[1]):
            phrase.pronoun = pronoun[0]
            phrase.plural = pronoun[0] == "many"
            self.at += pronoun[1]
            phrase.tokens = self.tokens[start : self.at]
            self._qualify(phrase)
            phrase.tokens = self.tokens[start : self.at]
            return phrase
        self._amount(phrase)
        self._core(phrase)
        phrase.tokens = self.tokens[start : self.at]
        self._qualify(phrase)
        phrase.tokens = self.tokens[start : self.at]
        return phrase

    def _noun_after_pronoun(self, at: int) -> bool:
        """Tell whether "these", "those" or "all" are said of a noun that follows."""
        word = self.tokens[at - 1].low
        return word in ("these", "those", "all") and self._starts_thing(at)

    def _amount(self, phrase: NounPhrase) -> None:
        """Read determiner, bound and number in any usual order."""
        for _ in range(3):
            number = self._number(self.at)
            bound = self.lexicon.bounds.at(self.tokens, self.at)
            determiner = self.lexicon.quantifiers.at(self.tokens, self.at)
            if bound is not None and self._number(self.at + bound[1]) is not None:
                phrase.bound = bound[0]
                self.at += bound[1]
            elif number is not None and phrase.number is None and not self._named_one():
                phrase.number = number[0]
                self.at += number[1]
                self._of_the()
            elif determiner is not None and self._may_determine(phrase, determiner[0]):
                phrase.determiner = determiner[0]
                phrase.more = phrase.more or self.tokens[self.at].low == "another"
                self.at += determiner[1]
            else:
                break
        if self._words_at(self.at, ("or", "more")) and phrase.number is not None:
            phrase.bound = "at_least"
            self.at += 2
        if self._words_at(self.at, ("more",)) and phrase.number is not None:
            phrase.more = True
            self.at += 1

    def _may_determine(self, phrase: NounPhrase, kind: str) -> bool:
        return not phrase.determiner or (
            phrase.determiner in ("all", "any", "both") and kind == "the"
        )

    def _named_one(self) -> bool:
        return self.tokens[self.at].low == "one" and (
            self._words_at(self.at + 1, ("of",))
            and not self._words_at(self.at, ("one", "of", "the"))
        )

    def _of_the(self) -> None:
        if self._words_at(self.at, ("of",)):
            self.at += 1
            found = self.lexicon.quantifiers.at(self.tokens, self.at)
            if found is not None and found[0] == "the":
                self.at += found[1]

    def _core(self, phrase: NounPhrase) -> None:
        """Read adjectives and nouns up to the head noun."""
        start = self.at
        while self.at < len(self.tokens):
            if not self._modifier(phrase):
                break
        earlier = self.tokens[start : self.at] if phrase.earlier else []
        if not self._head(phrase):
            at = min(self.at, len(self.tokens) - 1)
            first = at if self.at < len(self.tokens) else max(start - 1, 0)
            raise Refusal(self.tokens[first : at + 1], "a thing was expected here")
        if earlier and not (phrase.contents or phrase.generic):
            self.notes.append(("it is taken for the thing as it is", earlier))

    def _modifier(self, phrase: NounPhrase) -> bool:
        """Read one word before the head noun; tell whether there was one."""
        token = self.tokens[self.at]
        if not self._continues(self.at + 1):
            return False
        name = self.vocabulary.name_at(self.tokens, self.at)
        noun = self.vocabulary.noun_at(self.tokens, self.at)
        whole = noun.length if noun else 0
        if name is not None and name[1] >= whole and not self._continues(self.at + name[1]):
            return False
        if token.low == "other":
            phrase.other = True
            self.at += 1
        elif length := self.lexicon.earlier.length_at(self.tokens, self.at):
            phrase.earlier = True
            self.at += length
        elif (state := self.vocabulary.state(token.low)) and whole <= 1:
            phrase.states |= {state}
            self.at += 1
        elif (look := self.vocabulary.look(token.low)) and whole <= 1:
            phrase.attributes += (look,)
            self.at += 1
        elif token.low == "different" and phrase.determiner == "one":
            raise Refusal([token], "that they differ from each other cannot be said")
        elif (length := self.lexicon.loose.length_at(self.tokens, self.at)) and whole <= 1:
            if token.low == "single" and phrase.determiner == "one":
                phrase.number = 1
            self._set_aside(length, "it is not looked at; all are counted")
        elif (
            token.low == "and"
            and phrase.states
            and self.vocabulary.state(self.tokens[self.at + 1].low)
        ):
            self.at += 1
        elif token.low.endswith(("'s", "s'")) and whole <= 1:
            return self._owner_word(phrase)
        else:
            return self._noun_modifier(phrase)
        return True

    def _owner_word(self, phrase: NounPhrase) -> bool:
        """Read "the kids' toys", "John's cup" is refused."""
        tags = self.vocabulary.knowledge.context_of(self.tokens[self.at].low)
        if not tags:
            raise Refusal([self.tokens[self.at]], "whose it is, the scene does not say")
        phrase.context |= tags
        self.at += 1
        return True

    def _noun_modifier(self, phrase: NounPhrase) -> bool:
        """Read a noun before the head noun that says where or for whom ("kitchen sink")."""
        noun = self.vocabulary.noun_at(self.tokens, self.at)
        if noun is None or not self._noun_continues(self.at + noun.length):
            return False
        knowledge = self.vocabulary.knowledge
        words = noun.cls or noun.words
        kind = knowledge.kind(words)
        tags = knowledge.context_of(noun.words)
        if kind == "room":
            phrase.room = words
        elif tags and kind == "person":
            phrase.context |= tags
        else:
            return False
        self.at += noun.length
        return True

    def _continues(self, at: int) -> bool:
        """Tell whether a noun phrase that has begun can go on with this word."""
        if at >= len(self.tokens) or not self.tokens[at].is_word:
            return False
        word = self.tokens[at].low
        if word == "and":
            return at + 1 < len(self.tokens) and self._is_state_pair(at)
        if word in self.lexicon.closed and word not in ("other", "one", "ones"):
            return False
        return self._starts_core(at) or word in ("one", "ones") or word in self.lexicon.generic

    def _is_state_pair(self, at: int) -> bool:
        """Tell whether "and" joins two states of one noun ("dirty and wet towels")."""
        before, after = self.tokens[at - 1].low, self.tokens[at + 1].low
        states = self.vocabulary.state(before) and self.vocabulary.state(after)
        return bool(states) and self._form(at + 1, "base") is None

    def _noun_continues(self, at: int) -> bool:
        if at >= len(self.tokens) or not self.tokens[at].is_word:
            return False
        word = self.tokens[at].low
        if word in self.lexicon.floors or word in ("one", "ones"):
            return True
        if word in ("something", "anything", "everything"):
            return False
        return (
            word not in self.lexicon.closed and self.vocabulary.noun_at(self.tokens, at) is not None
        )

    def _head(self, phrase: NounPhrase) -> bool:
        """Read the head noun or a label of the scene."""
        if self.at >= len(self.tokens) or not self.tokens[self.at].is_word:
            return False
        name = self.vocabulary.name_at(self.tokens, self.at)
        noun = self.vocabulary.noun_at(self.tokens, self.at)
        if (
            name is not None
            and name[1] >= (noun.length if noun else 0)
            and self._takes_name(phrase, name[0])
        ):
            phrase.names = name[0]
            self.at += name[1]
            return True
        return (
            self._plain_head(phrase)
            or self._missing_label(phrase)
            or (noun is not None and self._noun_head(phrase))
        )

    def _takes_name(self, phrase: NounPhrase, names: tuple[str, ...]) -> bool:
        """A label that is also the bare class word is a label only when one thing is meant."""
        scene = self.vocabulary.scene
        is_class = any(spoken(name) == scene.nodes[name].cls for name in names)
        many = phrase.determiner in ("all", "each", "any", "some", "few", "couple", "one") or (
            phrase.number is not None
        )
        noun = self.vocabulary.noun_at(self.tokens, self.at)
        counted = phrase.number is not None and phrase.number > 1
        of_class = is_class and many
        if counted and len(names) == 1 and noun is not None and noun.plural:
            of_class = of_class or spoken(names[0]) == noun.words
        return not of_class and not (phrase.states or phrase.attributes)

    def _plain_head(self, phrase: NounPhrase) -> bool:
        """Read "things", "contents", "floor", "ones"."""
        word = self.tokens[self.at].low
        one = singular(self.vocabulary.knowledge, word)
        if {word, one} & self.vocabulary.classes:
            return False
        if one in self.lexicon.generic or word in self.lexicon.generic:
            phrase.generic = True
            phrase.plural = word != one or word in ("everything", "stuff", "anything")
        elif word in self.lexicon.contents:
            phrase.contents = phrase.plural = True
        elif word in self.lexicon.floors:
            phrase.floor = True
            phrase.plural = word.endswith("s")
        elif word in ("one", "ones"):
            phrase.pronoun = "kind"
            phrase.plural = word == "ones"
        else:
            return False
        self.at += 1
        return True

    def _missing_name(self, at: int) -> bool:
        """Tell whether a word is a label in form ("table_9") that the scene does not have."""
        parts = spoken(self.tokens[at].text).split()
        if len(parts) < 2 or not parts[-1].isdigit():
            return False
        return self.vocabulary.noun(" ".join(parts[:-1]), len(parts) - 1) is not None

    def _missing_label(self, phrase: NounPhrase) -> bool:
        if not self._missing_name(self.at):
            return False
        token = self.tokens[self.at]
        phrase.names = (token.text,)
        self.notes.append(("the scene has nothing of that name", [token]))
        self.at += 1
        return True

    def _noun_head(self, phrase: NounPhrase) -> bool:
        """Read the head noun, with the nouns before it that make one class with it."""
        words: list[str] = []
        items = False
        noun = self.vocabulary.noun_at(self.tokens, self.at)
        while noun is not None:
            last = noun
            words.append(noun.words)
            self.at += noun.length
            if self._generic_at(self.at):
                phrase.plural = self.tokens[self.at].low != "item"
                self.at += 1
                items = True
                break
            if not self._noun_continues(self.at) or (
                self._form(self.at, "base") and self._clause_like()
            ):
                break
            if self.tokens[self.at].low in self.lexicon.floors:
                self.at += 1
                phrase.floor = True
                break
            noun = self.vocabulary.noun_at(self.tokens, self.at)
        if len(set(words)) < len(words):
            raise Refusal(self.tokens[self.at - 1 : self.at], "it is said twice")
        many = phrase.plural
        self._use_noun(phrase, " ".join(words), last.words)
        phrase.plural = many if items else phrase.plural
        if phrase.context and self.vocabulary.knowledge.kind(phrase.cls) == "room":
            self._owned_room(phrase)
        self._numbered(phrase)
        number = self.tokens[self.at].low if self.at < len(self.tokens) else ""
        if (
            not phrase.names
            and number.isdigit()
            and phrase.cls
            and not last.plural
            and phrase.number is None
        ):
            phrase.names = (f"{phrase.cls}_{number}",)
            self.notes.append(
                ("the scene has nothing of that name", self.tokens[self.at - 1 : self.at + 1])
            )
            self.at += 1
        return True

    def _owned_room(self, phrase: NounPhrase) -> None:
        """Read "my daughter's room": the room whose class says that it is a child's."""
        scene, context_of = self.vocabulary.scene, self.vocabulary.knowledge.context_of
        rooms = [node.name for node in scene.rooms() if context_of(node.cls) & phrase.context]
        if not rooms:
            raise Refusal(self.tokens[self.at - 2 : self.at], "whose it is, the scene does not say")
        phrase.names, phrase.cls, phrase.context = tuple(rooms), "", frozenset()

    def _numbered(self, phrase: NounPhrase) -> None:
        """Read "number 3" after a class: the label of that number."""
        words = self.tokens[self.at : self.at + 2]
        if len(words) < 2 or words[0].low not in ("number", "no", "nr") or not phrase.cls:
            return
        if not words[1].low.isdigit():
            return
        names = self.vocabulary.names(f"{phrase.cls} {words[1].low}")
        if not names:
            raise Refusal(words, "the scene has nothing of that number")
        phrase.names, phrase.cls = names, ""
        self.at += 2

    def _generic_at(self, at: int) -> bool:
        """Tell whether "items" or the like follows a noun that says of what kind ("food items")."""
        word = self.tokens[at].low if at < len(self.tokens) else ""
        return word in ("item", "items", "things", "stuff", "objects", "articles")

    def _clause_like(self) -> bool:
        at = self.at + 1
        return at < len(self.tokens) and bool(
            self.lexicon.quantifiers.length_at(self.tokens, at)
            or self.lexicon.pronouns.length_at(self.tokens, at)
        )

    def _use_noun(self, phrase: NounPhrase, words: str, head: str) -> None:
        """Give the phrase the class, collective or set that the nouns mean together."""
        noun = self.vocabulary.noun(words) or self.vocabulary.noun(head)
        assert noun is not None
        phrase.plural = noun.plural
        one = singular(self.vocabulary.knowledge, head)
        if noun.words != words and one in self.lexicon.parts:
            whole = words[: -len(head)].strip()
            if self.vocabulary.knowledge.is_set(whole):
                phrase.set_name = whole
                phrase.plural = True
                return
        if noun.words != words and noun.cls is not None:
            phrase.cls = f"{words[: -len(head)].strip()} {noun.cls}"
        elif noun.words != words:
            raise Refusal(
                self.tokens[self.at - words.count(" ") - 1 : self.at],
                "no such group of things is known",
            )
        else:
            phrase.cls = noun.cls or ""
            phrase.collective = noun.collective or ""
            phrase.set_name = noun.set_name or ""

    # what follows a noun

    def _qualify(self, phrase: NounPhrase) -> None:
        """Read what follows the head: "of the shelf", "that are dirty", "except the red ones"."""
        while self.at < len(self.tokens):
            if self._words_at(self.at, ("of",)) and self._owner(phrase):
                continue
            if self._relative(phrase) or self._reduced_relative(phrase):
                continue
            if self._exception(phrase):
                continue
            length = self.lexicon.fillers.length_at(self.tokens, self.at)
            preposition = self.lexicon.prepositions.length_at(self.tokens, self.at + length)
            leads = self.lexicon.prepositions.length_at(self.tokens, self.at)
            if (
                length
                and not (leads and self._starts_thing(self.at + leads))
                and not (leads and preposition)
            ):
                self.at += length
                self._in_the_house()
                continue
            return

    def _in_the_house(self) -> None:
        """Skip "in the house" after words that already mean all of it."""
        start = self.at
        found = self.lexicon.prepositions.at(self.tokens, self.at)
        if self._words_at(self.at, ("of",)):
            self.at += 1
        elif found is not None and found[0] in ("in", "around", "from", "at"):
            self.at += found[1]
        else:
            return
        if not self._whole_words():
            self.at = start

    def _whole_words(self) -> bool:
        at = self.at
        if at < len(self.tokens) and self.tokens[at].low in ("the", "my", "our", "this"):
            at += 1
        length = self.lexicon.whole.length_at(self.tokens, at)
        if not length or self.vocabulary.name_at(self.tokens, at):
            return False
        self.at = at + length
        return True

    def _owner(self, phrase: NounPhrase) -> bool:
        """Read "of ..." after contents, parts, a floor, or a room."""
        start = self.at
        self.at += 1
        if self._whole_words():
            return True
        if not self._starts_thing(self.at):
            self.at = start
            return False
        if phrase.contents or phrase.floor or phrase.cls in self.lexicon.parts:
            phrase.owner = self._list_of_things()
            return True
        if phrase.generic:
            kind = self._thing()
            if not kind.determiner and not kind.names and not kind.generic:
                phrase.generic = False
                phrase.cls, phrase.collective = kind.cls, kind.collective
                phrase.states |= kind.states
                phrase.attributes += kind.attributes
                return True
        self.at = start
        raise Refusal([self.tokens[start]], "what belongs to what, the scene does not say")

    def _list_of_things(self) -> list[NounPhrase]:
        things = [self._thing()]
        while True:
            start = self.at
            if (
                not self._list_joint()
                or not self._starts_thing(self.at)
                or self._clause_at(self.at)
            ):
                self.at = start
                return things
            things.append(self._thing())

    def _clause_at(self, start: int) -> bool:
        raise NotImplementedError

    def _place_phrase(self, command: Command | None) -> Place | None:
        raise NotImplementedError

    def _is_place(self, thing: NounPhrase) -> bool:
        raise NotImplementedError

    def _relative(self, phrase: NounPhrase) -> bool:
        """Read "that are in the kitchen", "which you just moved", "that are dirty"."""
        start = self.at
        comma = self._words_at(self.at, (",",))
        self.at += comma
        if length := self.lexicon.origins.length_at(self.tokens, self.at):
            self.at += length
            phrase.origin = True
            return True
        if self.at >= len(self.tokens) or self.tokens[self.at].low not in ("that", "which", "who"):
            self.at = start
            return False
        filler = self.lexicon.fillers.length_at(self.tokens, self.at)
        self.at += 1
        if self._relative_body(phrase):
            self.at += comma and self._words_at(self.at, (",",))
            return True
        self.at = start
        if filler and not comma:
            self.at += filler
            return True
        if not comma and phrase.tokens == [] and self.tokens[self.at].low == "that":
            return False
        raise Refusal(
            self.tokens[start : min(self.at + 3, len(self.tokens))], "the clause is not understood"
        )

    def _relative_body(self, phrase: NounPhrase) -> bool:
        while self._takes(self.lexicon.times):
            pass
        word = self.tokens[self.at].low if self.at < len(self.tokens) else ""
        if word in ("you", "we", "i"):
            return self._moved_by_you(phrase)
        if word not in ("is", "are", "was", "were", "have", "has", "had"):
            return False
        self.at += 1
        if self._words_at(self.at, ("been",)):
            self.at += 1
        return self._predicate(phrase)

    def _predicate(self, phrase: NounPhrase) -> bool:
        """Read states and places after "that are"."""
        read = False
        while self.at < len(self.tokens):
            state = self.vocabulary.state(self.tokens[self.at].low)
            if self._takes(self.lexicon.times) or self._takes(self.lexicon.location):
                continue
            if state is not None:
                phrase.states |= {state}
                self.at += 1
                read = True
            elif self._words_at(self.at, ("not",)) and (away := self._state_at(self.at + 1)):
                phrase.not_states |= {away}
                self.at += 2
                read = True
            elif self._words_at(self.at, ("and",)) and self._next_is_state():
                self.at += 1
            elif not read:
                place = self._place_phrase(None)
                if place is None:
                    break
                if not place.whole:
                    phrase.places.append(place)
                read = True
            else:
                break
        return read

    def _state_at(self, at: int) -> str | None:
        return self.vocabulary.state(self.tokens[at].low) if at < len(self.tokens) else None

    def _next_is_state(self) -> bool:
        after = self.tokens[self.at + 1 : self.at + 2]
        return (
            bool(after)
            and self.vocabulary.state(after[0].low) is not None
            and (self._form(self.at + 1, "base") is None)
        )

    def _moved_by_you(self, phrase: NounPhrase) -> bool:
        """Read "you just moved", "you took from the shelf": things already spoken of."""
        self.at += 1
        self._takes_any_times()
        for helper in ("have", "had"):
            if self._words_at(self.at, (helper,)):
                self.at += 1
        self._takes_any_times()
        verb = self._form(self.at, "past") or self._form(self.at, "participle")
        if verb is None:
            return False
        self.at += 1
        for sense in self.lexicon.senses[verb]:
            if sense.particle and self._words_at(self.at, sense.particle):
                self.at += len(sense.particle)
                break
        phrase.spoken_of = True
        phrase.earlier = True
        found = self.lexicon.prepositions.at(self.tokens, self.at)
        if found is not None and found[0] == "from":
            place = self._place_phrase(None)
            if place is not None and not place.whole:
                phrase.places.append(place)
        self._takes_any_times()
        return True

    def _takes_any_times(self) -> None:
        while self._takes(self.lexicon.times):
            pass

    def _reduced_relative(self, phrase: NounPhrase) -> bool:
        """Read "located in the kitchen", "lying on the table"."""
        start = self.at
        self._takes_any_times()
        if not self._takes(self.lexicon.location):
            self.at = start
            return False
        self._takes_any_times()
        if self.lexicon.prepositions.length_at(self.tokens, self.at):
            place = self._place_phrase(None)
            if place is not None:
                if not place.whole:
                    phrase.places.append(place)
                return True
        if self._ends(self.at) or self.tokens[self.at - 1].low in ("scattered", "around"):
            return True
        self.at = start
        return False

    def _exception(self, phrase: NounPhrase) -> bool:
        """Read "except the red ones"."""
        start = self.at
        comma = self._words_at(self.at, (",",))
        self.at += comma
        length = self.lexicon.exceptions.length_at(self.tokens, self.at)
        if (
            not length
            or not self._starts_thing(self.at + length)
            or self._clause_at(self.at + length)
        ):
            self.at = start
            return False
        whole = phrase.determiner in ("all", "each", "any") or phrase.generic
        comma = comma or (self.at > 0 and self._words_at(self.at - 1, (",",)))
        if comma and length == 1 and self._words_at(self.at, ("but",)) and not whole:
            self.at = start
            return False
        self.at += length
        excluded = self._excluded_things()
        last = excluded[-1]
        if self.in_place and (comma or not self._are_some_of(phrase, excluded)):
            self.at = start
            return False
        found = self.lexicon.prepositions.at(self.tokens, self.at)
        if last.pronoun == "kind" and found is not None and found[0] in ("in", "on", "from"):
            before = self.at
            place = self._place_phrase(None)
            goes_on = self.lexicon.prepositions.length_at(self.tokens, self.at)
            if place is not None and (goes_on or not (last.states or last.attributes)):
                last.places.append(place)
            else:
                self.at = before
        phrase.but_not = excluded
        return True

    def _are_some_of(self, places: NounPhrase, excluded: list[NounPhrase]) -> bool:
        """Tell whether what is left out is some of the places, and not of the things there."""
        many = places.plural or places.determiner in ("all", "each", "any")
        return many and all(one.pronoun == "kind" or self._is_like(one, places) for one in excluded)

    def _is_like(self, one: NounPhrase, whole: NounPhrase) -> bool:
        knowledge = self.vocabulary.knowledge
        nodes = self.vocabulary.scene.nodes
        classes = {nodes[name].cls for name in one.names if name in nodes} or {one.cls} - {""}
        concept = whole.cls
        kinds = {knowledge.kind(cls) for cls in classes}
        if concept in ("room", "place") or whole.generic:
            return "room" in kinds
        return bool(concept) and all(knowledge.is_a(cls, concept) for cls in classes)

    def _excluded_things(self) -> list[NounPhrase]:
        """Read "chair_1 and chair_2"; a comma before "and" ends what is left out."""
        things = [self._thing()]
        while True:
            start = self.at
            comma = self._words_at(self.at, (",",))
            joint = self._list_joint()
            ends = not joint or (comma and joint != ",")
            if ends or not self._starts_thing(self.at) or self._clause_at(self.at):
                self.at = start
                return things
            things.append(self._thing())
