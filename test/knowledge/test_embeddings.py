"""MiniLM breaks ties and nothing else; without it the error names the extra."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from gist.errors import MissingExtra
from gist.knowledge import Knowledge, embeddings
from gist.knowledge.embeddings import PACKAGE, Encoder, similarity


def test_missing_model_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"gist\[embeddings\]"):
        Encoder()


def test_similarity_orders_equally_good_substitutes_only() -> None:
    def likes_stools(_: str, other: str) -> float:
        return {"wooden stool": 1.0, "sofa": 2.0}.get(other, 0.0)

    things = [(c, c, frozenset[str](), {}) for c in ("red stool", "wooden stool", "sofa")]
    found = Knowledge(likes_stools).substitutes("chair", things)
    assert [s.name for s in found] == ["wooden stool", "red stool", "sofa"]


@pytest.mark.skipif(find_spec(PACKAGE) is None, reason=f"{PACKAGE} is not installed")
def test_agrees_with_the_published_model() -> None:
    person = "That is a happy person"
    assert similarity(person, "That is a happy dog") == pytest.approx(0.695, abs=2e-3)
    assert similarity(person, "That is a very happy person") == pytest.approx(0.943, abs=2e-3)
    assert similarity("cup", "cup") == pytest.approx(1.0, abs=1e-5)
