"""JSON node-link data as networkx writes it: ``nodes`` with ``id``, and ``edges`` or ``links``."""

import json
from collections.abc import Iterator
from json import JSONEncoder
from typing import Any, BinaryIO

from auditor.core.errors import BadInput
from auditor.formats.networks.assembly import Parts, resolve
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.source import Source

_json = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the network of a node-link file.

    Raises
    ------
    BadFile
        If it is no JSON object with nodes and edges, an id is missing or neither number nor text, or an edge names
        an unknown vertex.

    Notes
    -----
    Values of vertices are kept as text (lists and objects as JSON), values of edges are dropped.
    About 3 s per million edges.
    """
    try:
        # numbers stay as they are written: no rounding, no limit, no float ids
        content = json.loads(source.text_bytes(), parse_int=str, parse_float=str, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        raise source.bad("is not valid JSON; check that the file is whole", error.lineno) from None
    except RecursionError:
        raise source.bad("is nested too deeply; this is not a network") from None
    if not isinstance(content, dict) or not isinstance(content.get("nodes"), list):
        raise source.bad("must be an object with 'nodes' and 'edges' (or 'links'), as networkx writes it")
    if "edges" in content and "links" in content:
        raise source.bad("has both 'edges' and 'links'; keep one")
    links = content.get("edges", content.get("links"))
    if not isinstance(links, list):
        raise source.bad("has no list 'edges' (or 'links')")
    ids, attributes = _nodes(source, content["nodes"])
    ends: list[str] = []
    dropped: dict[str, None] = {}
    for link in links:
        if not isinstance(link, dict):
            raise source.bad("an edge is not an object with 'source' and 'target'")
        ends += (_id(source, link, "source"), _id(source, link, "target"))
        dropped.update((name, None) for name in link if name not in ("source", "target"))
    edges = resolve(source, ids, ends)
    return Parts(ids, edges, attributes, content.get("directed") is True, tuple(dropped))


def _nodes(source: Source, nodes: list[Any]) -> tuple[list[str], dict[str, list[str]]]:
    ids: list[str] = []
    values: dict[str, dict[int, str]] = {}
    for place, node in enumerate(nodes):
        if not isinstance(node, dict):
            raise source.bad("a node is not an object with 'id'")
        ids.append(_id(source, node, "id"))
        for name, value in node.items():
            if name != "id":
                values.setdefault(name, {})[place] = _text(value)
    return ids, {name: [column.get(place, "") for place in range(len(ids))] for name, column in values.items()}


def _id(source: Source, item: dict[str, Any], name: str) -> str:
    value = item.get(name)
    if not isinstance(value, str) or not value:
        raise source.bad(f"a '{name}' is missing or is neither a number nor text; every node needs an 'id'")
    return value


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else _json(value)


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``none``: JSON holds everything but an attribute called ``id``, which is refused."""
    if "id" in network.attributes:
        raise BadInput("an attribute is called 'id', which JSON node-link has for the vertex itself; rename it")
    return "none"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write one object, a line a node and a line an edge."""
    sink.writelines(map(str.encode, _pieces(network)))


def _pieces(network: LoadedNetwork) -> Iterator[str]:
    yield '{"directed":false,"multigraph":false,"graph":{},"nodes":[\n'
    labels = network.labels.tolist()
    columns = {name: values.tolist() for name, values in network.attributes.items()}
    yield ",\n".join(
        _json({"id": label, **{name: column[place] for name, column in columns.items()}})
        for place, label in enumerate(labels)
    )
    yield '\n],"edges":[\n'
    ids = list(map(_json, labels))
    yield ",\n".join(f'{{"source":{ids[low]},"target":{ids[high]}}}' for low, high in network.graph.edges.tolist())
    yield "\n]}\n"
