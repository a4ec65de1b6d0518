"""Pajek networks: numbered vertices with labels, then edges."""

import re
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadFile
from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.edge_columns import write_rows
from auditor.formats.networks.encodings.number_lines import first_columns, read_numbers
from auditor.formats.networks.labels import as_texts
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.networks.vertex_rows import MARK, row_labels
from auditor.formats.source import Source

_COMMENT = re.compile(rb"(?m)^[ \t]*%[^\n]*")
_SECTION = re.compile(rb"(?m)^[ \t]*\*[ \t]*([A-Za-z]+)([^\n]*)(?:\n|\Z)")
_VERTEX = re.compile(r'\s*([0-9]{1,18})(?:\s+(?:"([^"]*)"|([^\s"]\S*)))?(\s.*|)')
_UNSAFE = re.compile(r'["\\&\x00-\x1f\x7f-\x9f\u2028\u2029]')


@dataclass(slots=True)
class _Found:
    n: int | None = None
    names: dict[int, str] = field(default_factory=dict)
    edges: list[NDArray[np.int64]] = field(default_factory=list)
    directed: bool = False
    weighted: bool = False
    described: bool = False


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the edges of a Pajek file, vertices called by their labels.

    Raises
    ------
    BadFile
        If a vertex number is out of range, a line cannot be read, or a section is a matrix; names the line.

    Notes
    -----
    ``*Arcs`` are directed. Where two vertices have one label, vertices are called by their numbers and the label
    becomes the attribute ``label``. Coordinates and shapes are not read; values of edges are dropped.
    """
    text = source.text_bytes()
    marked = any(match[0].strip(b" \t%") == MARK.encode() for match in _COMMENT.finditer(text))
    text = _COMMENT.sub(b"", text)
    sections = list(_SECTION.finditer(text))
    if not sections or text[: sections[0].start()].strip():
        raise source.bad("does not begin with *Vertices; check the format", 1)
    found = _Found()
    line, counted = 1, 0
    for section, following in zip(sections, [*sections[1:], None], strict=True):
        line += text.count(b"\n", counted, section.start(1))
        counted = section.start(1)
        body = text[section.end() : following.start() if following is not None else len(text)]
        _read_section(source, found, section[1].decode().lower(), section[2], body, line)
    if found.n is None:
        raise source.bad("has no section *Vertices; add it")
    n = found.n
    edges = np.concatenate([np.empty((0, 2), dtype=np.int64), *found.edges]) - 1
    labels: list[str] | NDArray[np.int64] = row_labels(n, first=1)
    attributes: dict[str, list[str]] = {}
    if found.names:
        texts = [found.names.get(number) or str(number) for number in range(1, n + 1)]
        if len(set(texts)) == n:
            labels = texts
        else:
            attributes["label"] = [found.names.get(number, "") for number in range(1, n + 1)]
    remarks = ("coordinates and shapes of vertices were not read",) if found.described else ()
    dropped = ("values",) if found.weighted else ()
    return Parts(labels, edges, attributes, found.directed, dropped, remarks, marked)


def _read_section(source: Source, found: _Found, kind: str, rest: bytes, body: bytes, line: int) -> None:
    if kind == "network":
        return
    if kind == "vertices":
        if found.n is not None:
            raise source.bad("a second section *Vertices; give one network a file", line)
        found.n = _read_count(source, rest, line)
        _read_vertices(source, found, found.n, body.decode(), line + 1)
        return
    if kind not in ("edges", "arcs", "edgeslist", "arcslist"):
        raise source.bad("a section of this kind cannot be read; export the network with *Edges", line)
    if found.n is None:
        raise source.bad("a section of edges before *Vertices", line)
    found.directed |= kind.startswith("arcs") and bool(body.strip())
    pairs = _stars(source, body, line + 1) if kind.endswith("list") else _pairs(source, found, body, line + 1)
    if pairs.size and (pairs.min() < 1 or pairs.max() > found.n):
        raise source.bad("an edge in the section that begins here names a vertex that *Vertices does not count", line)
    found.edges.append(pairs)


def _read_count(source: Source, rest: bytes, line: int) -> int:
    match = re.match(rb"[ \t:]*([0-9]{1,18})(?:[ \t]+[0-9]+)?[ \t]*\Z", rest)
    if match is None:
        raise source.bad("*Vertices must be followed by the number of vertices", line)
    n = int(match[1])
    source.check_vertex_count(n, line)
    return n


def _read_vertices(source: Source, found: _Found, n: int, body: str, first_line: int) -> None:
    seen: set[int] = set()
    for line, words in enumerate(body.split("\n"), first_line):
        if not words.strip():
            continue
        match = _VERTEX.fullmatch(words)
        number = int(match[1]) if match is not None else 0
        if match is None or not 1 <= number <= n or number in seen:
            raise source.bad(
                "the line must hold the number of a vertex, once and within *Vertices, and its label", line
            )
        seen.add(number)
        name = match[2] if match[2] is not None else match[3]
        if name:
            found.names[number] = name
        found.described |= bool(match[4].strip())


def _pairs(source: Source, found: _Found, body: bytes, first_line: int) -> NDArray[np.int64]:
    try:
        pairs, width = first_columns(source, body, first_line, 2)
    except BadFile:
        # lines may end in words (colours, labels): cut them off, line by line
        cut = b"\n".join(b" ".join(line.split()[:2]) for line in body.split(b"\n"))
        pairs, _ = first_columns(source, cut, first_line, 2)
        width = 3
    found.weighted |= width > 2
    return pairs


def _stars(source: Source, body: bytes, first_line: int) -> NDArray[np.int64]:
    numbers = read_numbers(source, body, first_line)
    begins = np.cumsum(numbers.counts) - numbers.counts
    centres = numbers.values[begins[numbers.lines]] if numbers.values.size else numbers.values
    is_neighbour = np.arange(numbers.values.size) != begins[numbers.lines]
    pairs: NDArray[np.int64] = np.column_stack((centres, numbers.values))[is_neighbour]
    return pairs


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``rows`` for attributes and for labels with quotation marks, backslashes or line ends."""
    texts = as_texts(network.labels)
    unsafe = any(map(_UNSAFE.search, texts)) or any(text != text.strip() for text in texts)
    return "rows" if network.attributes or unsafe else "none"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write numbered vertices with their labels, then the edges."""
    graph = network.graph
    if companion == "rows":
        sink.write(f"% {MARK}\n".encode())
    names = as_texts(row_labels(graph.n, first=1) if companion == "rows" else network.labels)
    sink.write(f"*Vertices {graph.n}\n".encode())
    sink.write("".join(f'{number} "{name}"\n' for number, name in enumerate(names, 1)).encode())
    sink.write(b"*Edges\n")
    write_rows((graph.edges[:, 0] + 1, graph.edges[:, 1] + 1), sink)
