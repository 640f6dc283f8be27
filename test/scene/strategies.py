"""Hypothesis strategies for scene graphs."""

from __future__ import annotations

from hypothesis import strategies as st

from gist.scene import Kind, Node, Place, Pose, Relation, SceneGraph

words = st.text(
    st.characters(categories=("L", "N", "P", "S"), include_characters=" _"), min_size=1, max_size=12
).map(lambda text: " ".join(text.split()) or "x")
numbers = st.floats(-1e6, 1e6)
lengths = st.floats(0, 1e3)
turns = st.sampled_from([(0.0, 0.0, 0.0, 1.0), (0.6, 0.0, 0.8, 0.0)])
poses = st.builds(Pose, st.tuples(numbers, numbers, numbers), turns, words)


@st.composite
def scenes(draw: st.DrawFn) -> SceneGraph:
    """Return any scene graph whose names, words and poses can be written."""
    names = draw(st.lists(words, unique=True, max_size=6))
    nodes = [draw(_nodes(name)) for name in names]
    places = {
        name: Place(draw(st.sampled_from(Relation)), draw(st.sampled_from(names[:number])))
        for number, name in enumerate(names)
        if number and draw(st.booleans())
    }
    return SceneGraph(nodes, places)


def _nodes(name: str) -> st.SearchStrategy[Node]:
    return st.builds(
        Node,
        st.just(name),
        st.sampled_from(Kind),
        words,
        st.dictionaries(
            words, st.sampled_from(["", "red", "wood and metal", '\u00fc \u2028\n"']), max_size=2
        ),
        st.lists(words, max_size=2).map(tuple),
        st.frozensets(st.sampled_from(["dirty", "open", "closed", "odd one"])),
        st.none() | st.tuples(lengths, lengths, lengths),
        st.none() | poses,
    )
