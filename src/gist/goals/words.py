"""Goals in plain English, for a person to read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gist import knowledge
from gist.goals.goal import AnyOf, Clause, Goal
from gist.goals.predicates import predicate
from gist.goals.selector import Located, Selector
from gist.knowledge.morphology import plural as plural_of


def describe(goal: Goal) -> str:
    """Return one sentence for a person: "4 snacks on table_2, then every cup clean"."""
    stages = [
        list_words([_item_phrase(item) for item in goal.at_stage(stage)], "and")
        for stage in goal.stages()
    ]
    sentence = ", then ".join(stages) or "nothing"
    for then in dict.fromkeys(clause_phrase(rule.then) for rule in goal.order):
        triggers = [_trigger(r.after) for r in goal.order if clause_phrase(r.then) == then]
        sentence += f", with {then} immediately after {list_words(triggers, 'and')}"
    return sentence


def _trigger(after: Clause) -> str:
    things = selector_words(after.things, joint="and")
    if after.things.names is not None and len(after.things.names) == 1:
        return f"{things} {_said(after, 'is')}"
    the = "" if after.things.names else "the "
    return f"each of {the}{things} {_said(after, 'is')}"


def _item_phrase(item: Clause | AnyOf) -> str:
    if isinstance(item, Clause):
        return clause_phrase(item)
    return "either " + " or ".join(clause_phrase(clause) for clause in item.clauses)


def clause_phrase(clause: Clause) -> str:
    """Return a clause without a verb: "all dirty cups in the kitchen sink"."""
    subject = _subject(clause)
    said = _said(clause, "")
    soft = " if possible" if clause.soft else ""
    return f"{subject} {said}{soft}"


def clause_words(clause: Clause) -> str:
    """Return a clause as a statement: "all dirty cups are in the sink"."""
    collective = clause.things.collective
    many = is_plural(collective) if collective else _many(clause.things)
    many = many and clause.quantifier.n != 1
    statement = f"{_subject(clause)} {_said(clause, 'are' if many else 'is')}"
    extras = [
        word
        for word, holds in (
            ("for a while", clause.transient),
            ("if possible", clause.soft),
            ("all at the same one", clause.same_target),
        )
        if holds
    ]
    return f"{statement} ({', '.join(extras)})" if extras else statement


def is_plural(collective: str) -> bool:
    """Tell whether a collective noun takes a plural verb ("clothes"; not "rubbish")."""
    return collective.endswith("s")


def _said(clause: Clause, verb: str) -> str:
    entry = predicate(clause.predicate)
    if clause.targets is None:
        return entry.words.format(**{"is": verb}).strip()
    targets = _target_words(clause.targets)
    said = f"{entry.words} {entry.with_targets}" if entry.with_targets else entry.words
    if clause.predicate == "at" and _is_room(clause.targets):
        said = predicate("in").words
    return said.format(**{"is": verb, "targets": targets}).strip()


def _is_room(selector: Selector) -> bool:
    names = (re.sub(r"[_ ]\d+$", "", name) for name in selector.names or ())
    return any(knowledge.default().kind(cls) == "room" for cls in (selector.cls, *names) if cls)


def _subject(clause: Clause) -> str:
    things, quantifier = clause.things, clause.quantifier
    if quantifier.kind == "all":
        lead = "" if _named(things) else "all "
        return lead + selector_words(things, _many(things), joint="and")
    none = (quantifier.kind, quantifier.n) == ("at_most", 0)
    lead = {"at_least": "", "at_most": "at most ", "exactly": "exactly "}[quantifier.kind]
    number = "none" if none else f"{lead}{quantifier.n}"
    if _named(things):
        return f"{number} of {selector_words(things)}"
    rest, added = _with_stand_ins(things)
    if added and quantifier.kind != "at_most" and quantifier.n > len(added):
        count = quantifier.n - len(added)
        noun = selector_words(rest, plural=count != 1)
        return list_names([f"{lead}{count} {noun}", *added], "and")
    if any(_named(part) for part in things.any_of):
        return f"{number} of the {selector_words(things, joint='and')}"
    return f"{'no' if none else number} {selector_words(things, plural=quantifier.n != 1)}"


def _with_stand_ins(things: Selector) -> tuple[Selector, tuple[str, ...]]:
    """Split a selection into what was asked for and the names that fill it up, if that is so."""
    if len(things.any_of) != 2 or not _named(things.any_of[1]) or _named(things.any_of[0]):
        return things, ()
    rest, names = _with_stand_ins(things.any_of[0])
    return rest, (*names, *(things.any_of[1].names or ()))


def _named(things: Selector) -> bool:
    return things.names is not None and not things.any_of


def _many(things: Selector) -> bool:
    return things.names is None or len(things.names) != 1


def _target_words(targets: Selector) -> str:
    if targets.names is not None and targets.cls is None and not targets.any_of:
        return list_names(targets.names, "or")
    if targets.any_of:
        return selector_words(targets, plural=False)
    where = ""
    if targets.where is not None:
        where = f" {_where(targets.where)}"
        targets = replace(targets, where=None)
    return f"the {selector_words(targets, plural=False)}{where}"


def _where(where: Located) -> str:
    relation = "in, on or at" if where.relation == "to" else where.relation
    return f"{relation} {_target_words(where.target)}"


def selector_words(selector: Selector, plural: bool = True, joint: str = "or") -> str:
    """Return a selection in words: "dirty clothes in the bathroom" (`joint` joins a union)."""
    parts = [
        *sorted(selector.states),
        *(value for _, value in selector.attributes),
        _noun(selector, plural, joint),
    ]
    if selector.where is not None:
        parts.append(f"that {'were' if plural else 'was'} {_where(selector.where)}")
    if selector.but_not is not None:
        parts.append(f"but not {selector_words(selector.but_not)}")
    if "children" in selector.context:
        parts.append("for children")
    return " ".join(parts)


def _noun(selector: Selector, plural: bool, joint: str) -> str:
    if selector.any_of:
        words: list[str] = []
        for part in selector.any_of:
            words += part.names if part.names else (selector_words(part, plural),)
        return list_names(words, joint)
    if selector.names is not None:
        return list_names(selector.names, "and") if selector.names else "nothing"
    if selector.collective is not None:
        return selector.collective
    if selector.cls is None:
        return "things" if plural else "thing"
    return plural_of(selector.cls) if plural else selector.cls


def list_words(words: Sequence[str], last: str) -> str:
    """Join words with commas and a last "and" or "or"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def list_names(names: Sequence[str], last: str, most: int = 8) -> str:
    """Join names; of a long list only the first are said, and how many more there are."""
    if len(names) <= most:
        return list_words(names, last)
    return f"{', '.join(names[: most - 1])} {last} {len(names) - most + 1} more"
