"""GraphML, read as a stream of events by a parser that refuses entities and external references."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from auditor.core.errors import BadInput
from auditor.formats.networks.assembly import Parts, resolve
from auditor.formats.networks.labels import as_texts
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.source import Source

_NO_XML_CHARACTER = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
# a line end or tab in an attribute would be read back as a blank
_IN_QUOTES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_IN_TEXT = {"\r": "&#13;"}
_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the network of a GraphML file, vertices called by their ids.

    Raises
    ------
    BadFile
        If it is not well-formed, defines entities, nests graphs, has hyperedges, or an edge names an unknown vertex.

    Notes
    -----
    Values of vertices are kept as attributes named by ``attr.name``, those without one (drawings) and all values of
    edges are dropped. One directed edge makes the network directed. About 4 s per million edges.
    """
    parser = expat.ParserCreate(namespace_separator=None)
    parser.buffer_text = True
    content = _Content(source, parser)
    parser.StartElementHandler = content.start
    parser.EndElementHandler = content.end
    parser.CharacterDataHandler = content.text
    parser.StartDoctypeDeclHandler = content.doctype
    try:
        with source.stream() as stream:
            source.refuse_utf16(stream.peek(2)[:2])
            while piece := stream.read(1 << 20):
                parser.Parse(piece, False)
            parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise source.bad("is not well-formed XML; check that the file is whole", error.lineno) from None
    if not content.saw_graph:
        raise source.bad("holds no <graph>; check the format")
    edges = resolve(source, content.ids, content.ends, content.lines.__getitem__, content.vertex_lines.__getitem__)
    return Parts(
        content.ids,
        edges,
        content.columns(),
        content.directed,
        tuple(dict.fromkeys(content.keys[key].name for key in content.edge_keys)),
        ("values of vertices without a name were not read",) if content.unnamed else (),
    )


@dataclass(slots=True)
class _Key:
    name: str
    is_attribute: bool
    """Whether it is one of vertices and has a name of its own."""
    default: str = ""


@dataclass(slots=True)
class _Content:
    """What has been seen of a file so far."""

    source: Source
    parser: expat.XMLParserType
    ids: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """Of the edges."""
    vertex_lines: list[int] = field(default_factory=list)
    keys: dict[str, _Key] = field(default_factory=dict)
    values: dict[str, dict[int, str]] = field(default_factory=dict)
    edge_keys: dict[str, None] = field(default_factory=dict)
    directed: bool = False
    unnamed: bool = False
    saw_graph: bool = False
    _by_default: bool = False
    _path: list[str] = field(default_factory=list)
    _collected: list[str] | None = None
    _key: str = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take in an opening tag."""
        name = name.rpartition(":")[2]
        parent = self._path[-1] if self._path else ""
        self._path.append(name)
        if name == "node" and parent == "graph":
            self.ids.append(self._need(attributes, "id"))
            self.vertex_lines.append(self._line)
        elif name == "edge" and parent == "graph":
            self.ends += (self._need(attributes, "source"), self._need(attributes, "target"))
            self.lines.append(self._line)
            word = attributes.get("directed")
            self.directed |= self._by_default if word is None else word.strip().lower() == "true"
        elif name == "data" and parent in ("node", "edge"):
            self._data(attributes, parent)
        elif name == "key":
            self._declare(attributes)
        elif name == "default" and parent == "key":
            self._collected = []
        elif name == "graph":
            self._graph(attributes)
        elif name in ("hyperedge", "endpoint"):
            raise self.source.bad("a hyperedge; only edges between two vertices can be read", self._line)
        elif len(self._path) == 1 and name != "graphml":
            raise self.source.bad("is XML but not GraphML; check the format", self._line)
        elif len(self._path) > 200:
            raise self.source.bad("is nested too deeply; this is not a network", self._line)

    def end(self, name: str) -> None:
        """Take in a closing tag."""
        name = self._path.pop()
        if self._collected is None or name not in ("data", "default"):
            return
        value = "".join(self._collected)
        self._collected = None
        if name == "default":
            self.keys[self._key].default = value
        else:
            self.values.setdefault(self._key, {})[len(self.ids) - 1] = value

    def text(self, data: str) -> None:
        """Take in characters."""
        if self._collected is not None and self._path[-1] in ("data", "default"):
            self._collected.append(data)

    def doctype(self, _name: str, _system: str | None, _public: str | None, has_internal_subset: int) -> None:
        """Refuse a document type of its own: in it alone entities could be, which grow without end or read files."""
        if has_internal_subset:
            raise self.source.bad(
                "has a document type definition inside, which may hide anything; remove it", self._line
            )

    def columns(self) -> dict[str, list[str]]:
        """Return the vertex attributes, defaults filled in."""
        found: dict[str, list[str]] = {}
        for key, declared in self.keys.items():
            if not declared.is_attribute:
                continue
            values = self.values.get(key, {})
            if declared.name in found:
                raise self.source.bad("two vertex attributes have one name; rename one")
            found[declared.name] = [values.get(place, declared.default) for place in range(len(self.ids))]
        return found

    @property
    def _line(self) -> int:
        return self.parser.CurrentLineNumber

    def _need(self, attributes: dict[str, str], name: str) -> str:
        if not (value := attributes.get(name)):
            raise self.source.bad(f"an element without '{name}'; add it", self._line)
        return value

    def _graph(self, attributes: dict[str, str]) -> None:
        if self.saw_graph:
            raise self.source.bad("a second or nested <graph>; give one network a file", self._line)
        self.saw_graph = True
        self._by_default = attributes.get("edgedefault", "undirected").strip().lower() == "directed"

    def _declare(self, attributes: dict[str, str]) -> None:
        self._key = self._need(attributes, "id")
        if self._key in self.keys:
            raise self.source.bad("a <key> is declared twice; rename one", self._line)
        name = attributes.get("attr.name", "")
        of_vertices = attributes.get("for", "all") in ("node", "all")
        self.keys[self._key] = _Key(name or self._key, bool(name) and of_vertices)

    def _data(self, attributes: dict[str, str], parent: str) -> None:
        key = self._need(attributes, "key")
        if key not in self.keys:
            raise self.source.bad("a value without a <key> that declares it; add the key", self._line)
        if parent == "edge":
            self.edge_keys[key] = None
        elif self.keys[key].is_attribute:
            self._key, self._collected = key, []
        else:
            self.unnamed = True


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``none``: GraphML holds everything but characters that XML forbids, which are refused."""
    labels = as_texts(network.labels) if network.labels.dtype == object else []
    if any(map(_NO_XML_CHARACTER.search, chain(labels, network.attributes, *network.attributes.values()))):
        raise BadInput("a label or attribute holds a control character, which XML forbids; write .csv instead")
    return "none"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write keys, nodes with their attributes, and edges."""
    sink.writelines(map(str.encode, _pieces(network)))


def _pieces(network: LoadedNetwork) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{_NAMESPACE}">\n'
    for number, name in enumerate(network.attributes):
        quoted = quoteattr(name, _IN_QUOTES)
        yield f'<key id="d{number}" for="node" attr.name={quoted} attr.type="string"/>\n'
    yield '<graph edgedefault="undirected">\n'
    ids = [quoteattr(text, _IN_QUOTES) for text in as_texts(network.labels)]
    columns = [values.tolist() for values in network.attributes.values()]
    for place, quoted in enumerate(ids):
        data = "".join(f'<data key="d{k}">{escape(column[place], _IN_TEXT)}</data>' for k, column in enumerate(columns))
        yield f"<node id={quoted}>{data}</node>\n" if data else f"<node id={quoted}/>\n"
    yield from (f"<edge source={ids[low]} target={ids[high]}/>\n" for low, high in network.graph.edges.tolist())
    yield "</graph>\n</graphml>\n"
