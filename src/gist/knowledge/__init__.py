"""What everyday things are: taxonomy, roles, vetoes, sets, and the forms of nouns."""

from gist.knowledge.base import Knowledge, default
from gist.knowledge.sets import Member
from gist.knowledge.substitution import Described, Substitute

__all__ = ["Described", "Knowledge", "Member", "Substitute", "default"]
