"""Build the noun lexicon of Gist from the files of WordNet 3.0.

    python tools/build_lexicon.py /usr/share/wordnet src/gist/knowledge/data/lexicon.txt.gz

The files come with Debian's `wordnet-base` (data.noun, noun.exc) and `wordnet-sense-index`
(index.sense, for the numbers of the senses). Kept are the senses that name things one can meet in
a house, an office, a workshop or a garden. The result is one line a synset, as a depth-first tree
over its first hypernyms: a letter for the depth ("A" is the root), then the synset's words
separated by ";", each followed by "#n" where n, the number of the sense, is not 1. After an empty
line come the irregular plurals: "geese goose". WordNet's licence is written beside it.
"""

from __future__ import annotations

import argparse
import gzip
from collections import defaultdict
from pathlib import Path

FILES = {3, 5, 6, 8, 10, 13, 14, 15, 17, 18, 20, 21, 27}
ANIMAL, COMMUNICATION, COLLECTION, LOCATION, PERSON, PLANT, POSSESSION = 5, 10, 14, 15, 18, 20, 21
LIVING = {ANIMAL, PLANT}
FEW = {COMMUNICATION, COLLECTION, LOCATION, PERSON, POSSESSION}
LICENCE_LINES = 29

Synsets = dict[str, tuple[int, list[str], list[str]]]


def read_synsets(path: Path) -> Synsets:
    """Return offset -> (lexicographer file, words, hypernyms) of data.noun."""
    found: Synsets = {}
    for line in path.read_text(encoding="ascii").splitlines()[LICENCE_LINES:]:
        fields = line.split(" | ")[0].split()
        count = int(fields[3], 16)
        words = fields[4 : 4 + 2 * count : 2]
        pointers = fields[5 + 2 * count :]
        hypernyms = [pointers[i + 1] for i in range(0, len(pointers), 4) if pointers[i] == "@"]
        instance = any(pointers[i] == "@i" for i in range(0, len(pointers), 4))
        if not instance:
            found[fields[0]] = (int(fields[1]), words, hypernyms)
    return found


def read_senses(path: Path) -> tuple[dict[tuple[str, str], int], set[str]]:
    """Return (word, offset) -> number of the sense, and the offsets seen in tagged text."""
    numbers: dict[tuple[str, str], int] = {}
    tagged: set[str] = set()
    for line in path.read_text(encoding="ascii").splitlines():
        key, offset, number, count = line.split()
        word, _, rest = key.partition("%")
        if rest.startswith("1"):
            numbers[word, offset] = int(number)
            if count != "0":
                tagged.add(offset)
    return numbers, tagged


def everyday(synsets: Synsets, tagged: set[str]) -> set[str]:
    """Return the synsets to keep, with all that stand above them."""
    kept: set[str] = set()
    for offset, (file, words, _) in synsets.items():
        latin = file in LIVING and words[0][0].isupper()
        rare = file in FEW and offset not in tagged
        if file in FILES and not latin and not rare:
            kept.add(offset)
    front = list(kept)
    while front:
        for above in synsets[front.pop()][2][:1]:
            if above in synsets and above not in kept:
                kept.add(above)
                front.append(above)
    return kept


def tree_lines(synsets: Synsets, kept: set[str], numbers: dict[tuple[str, str], int]) -> list[str]:
    """Return the kept synsets as lines of a depth-first tree."""
    below: dict[str, list[str]] = defaultdict(list)
    roots: list[str] = []
    for offset in sorted(kept):
        hypernyms = [above for above in synsets[offset][2] if above in kept]
        (below[hypernyms[0]] if hypernyms else roots).append(offset)
    lines = []
    stack = [(offset, 0) for offset in reversed(roots)]
    while stack:
        offset, depth = stack.pop()
        words = []
        for word in synsets[offset][1]:
            plain = word.lower()
            number = numbers.get((plain, offset), 1)
            words.append(plain.replace("_", " ") + (f"#{number}" if number > 1 else ""))
        lines.append(chr(ord("A") + depth) + ";".join(words))
        stack += [(child, depth + 1) for child in reversed(below[offset])]
    return lines


def irregular(path: Path, lines: list[str]) -> list[str]:
    """Return the irregular plurals of the words kept."""
    words = {word.partition("#")[0] for line in lines for word in line[1:].split(";")}
    pairs = (line.replace("_", " ").split() for line in path.read_text("ascii").splitlines())
    return [f"{p[0]} {p[1]}" for p in pairs if len(p) == 2 and p[1] in words and p[0] != p[1]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("wordnet", type=Path, help="folder with data.noun, index.sense, noun.exc")
    parser.add_argument("out", type=Path, help="the file to write (.txt.gz)")
    args = parser.parse_args()
    synsets = read_synsets(args.wordnet / "data.noun")
    numbers, tagged = read_senses(args.wordnet / "index.sense")
    lines = tree_lines(synsets, everyday(synsets, tagged), numbers)
    text = "\n".join([*lines, "", *irregular(args.wordnet / "noun.exc", lines)])
    args.out.write_bytes(gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0))
    licence = (args.wordnet / "data.noun").read_text("ascii").splitlines()[:LICENCE_LINES]
    body = "\n".join(line[4:].rstrip() for line in licence)
    args.out.with_name("lexicon.LICENSE.txt").write_text(body + "\n", encoding="ascii")
    print(f"{len(lines)} synsets, {args.out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
