"""Valid network files, ways to damage them, and what must hold whatever comes of it.

Run as a program for a long random search::

    python -m tests.support.damaged_files SEED COUNT [FORMAT…]
"""

from __future__ import annotations

import itertools
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.core.errors import BadInput
from auditor.formats.networks import LoadedNetwork, companion_path, known_formats, read_network, write_network
from graphkit.networks.graphs.graph import SimpleGraph

__all__ = ["SPLINTERS", "ValidFile", "check_reading", "damaged", "valid_files"]

SPLINTERS = (
    *(b"0", b"-1", b"999999999999999999999", b"99999999999", b"1e9", b"nan", b"inf", b"1-2", b"1.5", b"007", b"null"),
    *(b"\n", b"\r", b'"', b",", b";", b"\t", b" ", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"#", b"%", b"*"),
    *(b"[", b"]", b"{", b"}", b"<", b">", b"&", b"&#0;", b"[[[[", b"<a>", b"*Arcs\n", b"*Vertices 9\n", b"true"),
)


@dataclass(frozen=True, slots=True)
class ValidFile:
    """A file as we write it, with its vertex file."""

    format: str
    name: str
    content: bytes
    vertices: bytes | None


def valid_files(compressions: tuple[str, ...] = ("",)) -> list[ValidFile]:
    """Return files of every format: ids 0 … n-1, 1 … n, and text with attributes."""
    words = np.array(sorted(["a", "b c", "é", '"q"', "x,y", "007", "line\nend", "zz"]), dtype=object)
    ages = np.array(list("1234567 "), dtype=object)
    networks = (
        LoadedNetwork(SimpleGraph.from_edges([(0, 1), (1, 2), (2, 5), (3, 5)], 8), words, {"age": ages}),
        LoadedNetwork(SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3)], 5), np.arange(5), {}),
        LoadedNetwork(SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3)], 4), np.arange(1, 5), {}),
    )
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for info in known_formats():
            for number, network in enumerate(networks):
                for compression in compressions:
                    name = f"{info.name}{number}{info.suffixes[0]}{compression}"
                    written = write_network(Path(folder) / name, network)
                    vertices = written[1].read_bytes() if len(written) > 1 else None
                    found.append(ValidFile(info.name, name, written[0].read_bytes(), vertices))
    return found


def check_reading(folder: Path, file: ValidFile, *, symmetrize: bool = True) -> str:
    """Read a file, damaged or not, and fail unless it is refused in one line or gives a canonical network.

    Returns
    -------
    str
        ``read`` or ``refused``.
    """
    path = folder / file.name
    path.write_bytes(file.content)
    if file.vertices is not None:
        companion_path(path).write_bytes(file.vertices)
    try:
        network = read_network(path, symmetrize=symmetrize)
    except BadInput as refusal:
        message = str(refusal)
        assert "\n" not in message
        assert path.name in message or companion_path(path).name in message
        return "refused"
    finally:
        path.unlink()
        companion_path(path).unlink(missing_ok=True)
    n, edges, labels = network.graph.n, network.graph.edges, network.labels.tolist()
    assert n == len(labels) > 0
    assert edges.shape == (network.graph.m, 2)
    assert not edges.size or (edges.min() >= 0 and edges.max() < n)
    rows = [tuple(row) for row in edges.tolist()]
    assert rows == sorted(set(rows))
    assert all(low < high for low, high in rows)
    assert all(before < after for before, after in itertools.pairwise(labels))
    for values in network.attributes.values():
        assert len(values) == n
        assert all(type(value) is str for value in values)
    return "read"


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Return `content` with a few bytes changed, cut out, doubled, put in or cut off."""
    found = bytearray(content)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        begin = rng.randrange(len(found) + 1)
        end = min(len(found), begin + rng.choice([1, 1, 2, 5, 20, 100]))
        match rng.randrange(6):
            case 0 if begin < len(found):
                found[begin] = rng.randrange(256)
            case 1:
                del found[begin:end]
            case 2:
                found[begin:begin] = rng.choice(SPLINTERS)
            case 3:
                found[begin:end] = rng.choice(SPLINTERS)
            case 4:
                found[begin:begin] = found[begin:end] * rng.choice([1, 2, 50])
            case _:
                if rng.random() < 0.3:
                    del found[begin:]
    return bytes(found)


def main(seed: int, count: int, formats: list[str]) -> None:
    """Damage and read `count` files."""
    rng = random.Random(seed)
    files = [file for file in valid_files(("", "", "", ".gz", ".bz2", ".zst")) if not formats or file.format in formats]
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(count):
            file = rng.choice(files)
            spare_main = file.vertices is not None and rng.random() < 0.3
            content = file.content if spare_main else damaged(file.content, rng)
            vertices = damaged(file.vertices, rng) if file.vertices is not None and spare_main else file.vertices
            try:
                outcome = check_reading(
                    Path(folder), ValidFile(file.format, file.name, content, vertices), symmetrize=rng.random() < 0.7
                )
            except BaseException:
                print(f"seed {seed}, turn {turn}: {file.name} {content!r} {vertices!r}", file=sys.stderr)
                raise
            outcomes[outcome] += 1
    print(dict(outcomes))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
