"""What is wanted: typed goals, the proof that one goal is weaker than another, and the operators."""

from __future__ import annotations
