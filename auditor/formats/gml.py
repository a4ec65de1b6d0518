"""GML: nested lists of keys and values; nodes with id and label, edges with source and target."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import name2codepoint
from typing import BinaryIO

from auditor.formats.assembly import Parts, resolve
from auditor.formats.labels import as_texts
from auditor.formats.network import LoadedNetwork
from auditor.formats.registry import Companion, ReadOptions
from auditor.formats.source import Source
from auditor.formats.vertex_rows import MARK, by_position

__all__ = ["companion_for", "read", "write"]

_TOKEN = re.compile(
    r"""(?P<key>[A-Za-z_][A-Za-z0-9_]*)|(?P<number>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"""
    r"""|"(?P<text>[^"]*)"|(?P<open>\[)|(?P<close>\])|(?P<skip>[ \t]+|\#[^\n]*)|(?P<line>\n)|(?P<bad>.)"""
)
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,15}));")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_RESERVED = frozenset({"id", "label"})
_DEEPEST = 50

_Item = tuple[str, object, int]
"""Key, value (str for number or text, list of items), line."""


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the network of a GML file, vertices called by their labels where these all differ, else by their ids.

    Raises
    ------
    BadFile
        If it is no GML, a node has no id, or an edge names an unknown one; names the line.

    Notes
    -----
    Other values of a node are its attributes, lists (drawings) are left out; values of edges are dropped.
    About 5 s per million edges.
    """
    top = _parsed(source, source.text_bytes().decode())
    graphs = [(value, line) for key, value, line in top if key == "graph" and isinstance(value, list)]
    if len(graphs) != 1:
        raise source.bad("must hold exactly one graph [ … ]; check the format", graphs[1][1] if graphs else None)
    found = _Found()
    for key, value, line in graphs[0][0]:
        if key == "directed":
            found.directed = value != "0"
        elif key == "node" and isinstance(value, list):
            _take_node(source, found, value, line)
        elif key == "edge" and isinstance(value, list):
            _take_edge(source, found, value, line)
    edges = resolve(source, found.ids, found.ends, found.lines)
    columns = {
        name: [values.get(place, "") for place in range(len(found.ids))] for name, values in found.values.items()
    }
    labels: list[str] = found.ids
    names = columns.get("label", [])
    if names and "" not in names and len(set(names)) == len(names):
        labels = columns.pop("label")
    marked = any(key == "comment" and value == MARK for key, value, _ in top)
    remarks = ("nested values of vertices (drawings) were not read",) if found.nested else ()
    return Parts("gml", labels, edges, columns, found.directed, tuple(found.edge_keys), remarks, marked)


@dataclass(slots=True)
class _Found:
    ids: list[str] = field(default_factory=list)
    values: dict[str, dict[int, str]] = field(default_factory=dict)
    ends: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    edge_keys: dict[str, None] = field(default_factory=dict)
    directed: bool = False
    nested: bool = False


def _take_node(source: Source, found: _Found, items: list[_Item], line: int) -> None:
    place = len(found.ids)
    for key, value, at in items:
        if not isinstance(value, str):
            found.nested = True
        elif key == "id":
            if len(found.ids) > place:
                raise source.bad("a node with two ids", at)
            found.ids.append(value)
        else:
            column = found.values.setdefault(key, {})
            if place in column:
                raise source.bad("a node with two values of one name; rename one", at)
            column[place] = value
    if len(found.ids) == place:
        raise source.bad("a node without an id; add it", line)


def _take_edge(source: Source, found: _Found, items: list[_Item], line: int) -> None:
    ends: dict[str, str] = {}
    for key, value, _ in items:
        if key in ("source", "target") and isinstance(value, str) and key not in ends:
            ends[key] = value
        else:
            found.edge_keys[key] = None
    if len(ends) < 2:
        raise source.bad("an edge without source or target; add it", line)
    found.ends += (ends["source"], ends["target"])
    found.lines.append(line)


def _parsed(source: Source, text: str) -> list[_Item]:
    top: list[_Item] = []
    stack: list[list[_Item]] = [top]
    key: str | None = None
    key_line = line = 1
    for token in _TOKEN.finditer(text):
        kind, word = token.lastgroup, token[0]
        if kind == "skip":
            continue
        if kind == "line":
            line += 1
        elif kind == "key" and key is None:
            key, key_line = word, line
        elif kind in ("number", "text") and key is not None:
            value = word if kind == "number" else _without_entities(token["text"])
            stack[-1].append((key, value, key_line))
            key = None
            line += word.count("\n")
        elif kind == "open" and key is not None and len(stack) < _DEEPEST:
            inner: list[_Item] = []
            stack[-1].append((key, inner, key_line))
            stack.append(inner)
            key = None
        elif kind == "close" and key is None and len(stack) > 1:
            stack.pop()
        else:
            raise source.bad("is not GML from here on; check the format, brackets and quotation marks", line)
    if len(stack) > 1 or key is not None:
        raise source.bad("ends too early; copy or download it again", line)
    return top


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
    for piece in _pieces(shown):
        sink.write(piece.encode("ascii"))


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
