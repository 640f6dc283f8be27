"""Measures Gist: task sets, an independent check of every plan, tables and figures."""
