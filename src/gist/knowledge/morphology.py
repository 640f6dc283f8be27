"""Singular and plural of English nouns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gist.knowledge._data import load
from gist.knowledge.lexicon import lexicon

_HISSING = ("s", "x", "z", "ch", "sh")
_LINKS = frozenset({"of", "for", "with", "into", "in", "on", "from", "to", "without"})


def plain(words: str) -> str:
    """Return class words in lower case, with one space between words ("Cola_Can" -> "cola can")."""
    return " ".join(words.replace("_", " ").lower().split())


def head_span(parts: list[str]) -> int:
    """Return how many of the words reach up to the head noun ("bag of chips" -> 1)."""
    for i, word in enumerate(parts):
        if word in _LINKS and i:
            return i
    return len(parts)


def plural(words: str) -> str:
    """Return the plural of a noun or compound; a mass noun or a plural stays as it is."""
    parts = plain(words).split()
    if not parts:
        return ""
    last = head_span(parts) - 1
    if plain(words) not in _unchanging():
        parts[last] = _plural_word(parts[last])
    return " ".join(parts)


def _unchanging() -> frozenset[str]:
    return frozenset(load("words.yaml")["unchanging"])


def _plural_word(word: str) -> str:
    data = load("words.yaml")
    if word in data["unchanging"]:
        return word
    for ending, many in data["irregular"].items():
        if word == many or (len(ending) > 3 and word.endswith(many)):
            return word
        if word == ending or (len(ending) > 3 and word.endswith(ending)):
            return word[: -len(ending)] + str(many)
    if _is_plural(word):
        return word
    if word.endswith("y") and word[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(_HISSING) else "s")


def _is_plural(word: str) -> bool:
    """Tell whether a word is the plural of a noun: of one of the lexicon, or it looks so."""
    if word in lexicon().plurals:
        return True
    if any(len(form) > 2 and form in lexicon() for form in _singular_forms(word)):
        return True
    looks_so = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return looks_so and len(word) > 2 and word not in lexicon()


def singular(words: str, known: Callable[[str], bool]) -> str:
    """Return the singular of a noun or compound.

    Args:
        known: whether a word is a noun of Gist's own data, which then wins over the rules.
    """
    whole = plain(words)
    parts = whole.split()
    if not parts or whole in _unchanging():
        return whole
    last = head_span(parts) - 1
    for form in _singular_forms(parts[last]):
        name = " ".join([*parts[:last], form, *parts[last + 1 :]])
        if known(name):
            return name
    parts[last] = _singular_word(parts[last], known)
    return " ".join(parts)


def _singular_word(word: str, known: Callable[[str], bool]) -> str:
    data = load("words.yaml")
    if word in data["unchanging"]:
        return word
    forms = list(_singular_forms(word))
    for test in (known, lexicon().__contains__):
        for form in forms:
            if test(form):
                return form
        if test(word):
            return word
    return forms[0] if forms and not word.endswith(("us", "is")) else word


def _singular_forms(word: str) -> Iterator[str]:
    """Yield what a word may be the plural of, the likeliest first; nothing for a singular."""
    for ending, many in load("words.yaml")["irregular"].items():
        if word == many or (len(ending) > 3 and word.endswith(many)):
            yield word[: -len(many)] + ending
    if word in lexicon().plurals:
        yield lexicon().plurals[word]
    if not word.endswith("s") or word.endswith("ss") or len(word) < 3:
        return
    if word.endswith("ies") and len(word) > 4:
        yield word[:-3] + "y"
    elif word.endswith(tuple(h + "es" for h in _HISSING)):
        yield word[:-2]
    yield word[:-1]
    if word.endswith("es"):
        yield word[:-2]


def with_article(words: str) -> str:
    """Return the words as one speaks of one such thing: "an apple", "a cup", "rice"."""
    words = plain(words)
    if plural(words) == words:
        return words
    sounds_open = words.startswith(("a", "e", "i", "o", "u")) and not words.startswith(
        ("uni", "use", "one", "uti", "uku")
    )
    return f"{'an' if sounds_open else 'a'} {words}"


def natural_key(name: str) -> tuple[str | int, ...]:
    """Return a key that sorts "apple_9" before "apple_10"."""
    parts = re.split(r"(\d+)", name)
    return tuple(int(part) if i % 2 else part for i, part in enumerate(parts))
