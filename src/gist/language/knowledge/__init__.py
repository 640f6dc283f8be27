"""The offline front end, from tokens over phrases and commands to a goal."""

from gist.language.knowledge.grammar import Grammar

__all__ = ["Grammar"]
