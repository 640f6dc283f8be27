"""Words to goals: the front ends and what they answer (DESIGN.md 1 and 4)."""

from gist.language.frontend import FrontEnd, NotUnderstood, Understood

__all__ = ["FrontEnd", "NotUnderstood", "Understood"]
