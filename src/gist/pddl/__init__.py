"""Symbols: domains, problems, their parser, validator, simulator, proofs and planners."""
