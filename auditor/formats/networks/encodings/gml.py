"""GML: nested lists of keys and values; nodes with id and label, edges with source and target."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import name2codepoint
from typing import BinaryIO

from auditor.core.errors import BadFile
from auditor.formats.networks.assembly import Parts, resolve
from auditor.formats.networks.labels import as_texts
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.networks.vertex_rows import MARK, by_position
from auditor.formats.source import Source

_SKIP = r"(?:[ \t\n]++|\#[^\n]*+\n)*+"
_BLANK = re.compile(_SKIP)
_TOKEN = re.compile(
    _SKIP + r"""(?:(?P<key>[A-Za-z_][A-Za-z0-9_]*)"""
    r"""[ \t\n]*(?:(?P<number>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?![^ \t\n\]])"""
    r"""|"(?P<text>[^"]*)"|(?P<open>\[))|(?P<close>\])|(?P<end>\Z))"""
)
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,15}));")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_RESERVED = frozenset({"id", "label"})
_DEEPEST = 50

_Items = list[tuple[str, str | None, int]]
"""Keys with their values (None for a list, which is left out) and where they stand in the text."""


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the network of a GML file, vertices called by their labels where these all differ, else by their ids.

    Raises
    ------
    BadFile
        If it is no GML, a node has no id, or an edge names an unknown one; names the line.

    Notes
    -----
    Other values of a node are its attributes, lists (drawings) are left out; values of edges are dropped.
    About 4 s per million edges.
    """
    found = _Found(source, source.text_bytes().decode())
    _parse(found)
    if found.graphs == 0:
        raise source.bad("holds no graph [ … ]; check the format")
    edges = resolve(
        source,
        found.ids,
        found.ends,
        lambda edge: found.line(found.edge_places[edge]),
        lambda vertex: found.line(found.vertex_places[vertex]),
    )
    n = len(found.ids)
    columns = {name: [values.get(vertex, "") for vertex in range(n)] for name, values in found.values.items()}
    labels: list[str] = found.ids
    names = columns.get("label", [])
    if names and "" not in names and len(set(names)) == n:
        labels = columns.pop("label")
    remarks = ("nested values of vertices (drawings) were not read",) if found.nested else ()
    return Parts(labels, edges, columns, found.directed, tuple(found.edge_keys), remarks, found.marked)


@dataclass(slots=True)
class _Found:
    source: Source
    content: str
    ids: list[str] = field(default_factory=list)
    values: dict[str, dict[int, str]] = field(default_factory=dict)
    ends: list[str] = field(default_factory=list)
    edge_places: list[int] = field(default_factory=list)
    vertex_places: list[int] = field(default_factory=list)
    edge_keys: dict[str, None] = field(default_factory=dict)
    graphs: int = 0
    directed: bool = False
    nested: bool = False
    marked: bool = False

    def line(self, place: int) -> int:
        """The line, from 1, of a place in the text."""
        return self.content.count("\n", 0, place) + 1

    def bad(self, reason: str, place: int) -> BadFile:
        """The error that names the line of a place in the text."""
        return self.source.bad(reason, self.line(place))


def _parse(found: _Found) -> None:
    path: list[tuple[str, int, _Items]] = []
    items: _Items = []
    place = 0
    while (token := _TOKEN.match(found.content, place)) is not None:
        place = token.end()
        kind = token.lastgroup
        if kind == "number":
            items.append((token["key"], token["number"], place))
        elif kind == "text":
            items.append((token["key"], _without_entities(token["text"]), place))
        elif kind == "open":
            items.append((token["key"], None, place))
            path.append((token["key"], place, items))
            items = []
            if len(path) > _DEEPEST:
                raise found.bad("is nested too deeply; this is not a network", place)
        elif kind == "close" and path:
            inner, (key, begin, items) = items, path.pop()
            _take(found, key, [outer for outer, _, _ in path], inner, begin)
        elif kind == "end" and not path:
            found.marked = any(key == "comment" and value == MARK for key, value, _ in items)
            return
        else:
            break
    if place >= len(found.content.rstrip()):
        raise found.bad("ends too early or has a bracket too many; check that the file is whole", place)
    place = _BLANK.match(found.content, place).end()  # type: ignore[union-attr]
    raise found.bad("the text is not GML from here on; check the format, brackets and quotation marks", place)


def _take(found: _Found, key: str, outer: list[str], items: _Items, place: int) -> None:
    if key == "edge" and outer == ["graph"]:
        _take_edge(found, items, place)
    elif key == "node" and outer == ["graph"]:
        _take_node(found, items, place)
    elif key == "graph" and not outer:
        found.graphs += 1
        found.directed = any(name == "directed" and value != "0" for name, value, _ in items)
        if found.graphs > 1:
            raise found.bad("a second graph; give one network a file", place)


def _take_node(found: _Found, items: _Items, place: int) -> None:
    vertex = len(found.ids)
    for key, value, at in items:
        if value is None:
            found.nested = True
        elif key == "id":
            if len(found.ids) > vertex:
                raise found.bad("a node with two ids", at)
            found.ids.append(value)
        else:
            column = found.values.setdefault(key, {})
            if vertex in column:
                raise found.bad("a node with two values of one name; rename one", at)
            column[vertex] = value
    if len(found.ids) == vertex:
        raise found.bad("a node without an id; add it", place)
    found.vertex_places.append(place)


def _take_edge(found: _Found, items: _Items, place: int) -> None:
    ends: dict[str, str] = {}
    for key, value, _ in items:
        if value is not None and key not in ends and key in ("source", "target"):
            ends[key] = value
        else:
            found.edge_keys[key] = None
    if len(ends) < 2:
        raise found.bad("an edge without source or target; add it", place)
    found.ends += (ends["source"], ends["target"])
    found.edge_places.append(place)


def _without_entities(text: str) -> str:
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    code = int(match[1]) if match[1] else int(match[2], 16) if match[2] else name2codepoint.get(match[3], -1)
    if match[3] == "apos":
        return "'"
    return chr(code) if 0 <= code <= 0x10FFFF else match[0]


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``rows`` where the name of an attribute is no GML key (letters and digits) or is ``id`` or ``label``."""
    fits = all(_KEY.fullmatch(name) and name not in _RESERVED for name in network.attributes)
    return "none" if fits else "rows"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write nodes numbered from 0 with label and attributes, then edges; everything but ASCII as entities."""
    shown = by_position(network, first=0) if companion == "rows" else network
    if companion == "rows":
        sink.write(f'comment "{MARK}"\n'.encode())
    sink.writelines(map(str.encode, _pieces(shown)))


def _pieces(network: LoadedNetwork) -> Iterator[str]:
    yield "graph [\n  directed 0\n"
    columns = [(name, values.tolist()) for name, values in network.attributes.items()]
    for place, label in enumerate(as_texts(network.labels)):
        extra = "".join(f" {name} {_quoted(values[place])}" for name, values in columns)
        yield f"  node [ id {place} label {_quoted(label)}{extra} ]\n"
    yield from (f"  edge [ source {low} target {high} ]\n" for low, high in network.graph.edges.tolist())
    yield "]\n"


def _quoted(text: str) -> str:
    if not text.isascii() or not text.isprintable() or "&" in text or '"' in text:
        text = "".join(c if " " <= c <= "~" and c not in '&"' else f"&#{ord(c)};" for c in text)
    return f'"{text}"'
