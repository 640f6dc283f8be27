"""The knowledge loads late and without heavy libraries."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
import gist.knowledge
assert "gist.knowledge.base" in sys.modules
from gist.knowledge.lexicon import lexicon
assert lexicon.cache_info().currsize == 0, "the lexicon was read at import"
assert gist.knowledge.default().is_a("samovar", "cookware")
assert not {"numpy", "torch", "rclpy"} & set(sys.modules)
"""


def test_the_lexicon_is_read_when_it_is_asked() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
