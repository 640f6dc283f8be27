"""The knowledge loads fast, late, and without heavy libraries."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys, time
start = time.perf_counter()
import gist.knowledge
imported = time.perf_counter() - start
assert "gist.knowledge.base" in sys.modules
from gist.knowledge.lexicon import lexicon
assert lexicon.cache_info().currsize == 0, "the lexicon was read at import"
times = []
for _ in range(3):
    lexicon.cache_clear()
    gist.knowledge.default.cache_clear()
    gist.knowledge._data.load.cache_clear()
    start = time.process_time()
    gist.knowledge.default().is_a("samovar", "cookware")
    times.append(time.process_time() - start)
assert not {"numpy", "torch", "rclpy"} & set(sys.modules)
print(min(times))
"""


def test_loads_in_a_quarter_second_of_one_core() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.25
