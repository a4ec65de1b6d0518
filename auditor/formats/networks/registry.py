"""The formats that can be read and written, one line each; a format's module is loaded when it is used."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import BinaryIO, Literal, Protocol, cast

from auditor.core.errors import BadInput
from auditor.formats.compression import split_compression
from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.source import Source

Companion = Literal["none", "labels", "rows"]
"""What a network needs beside its file: nothing, a vertex file keyed by label, or one whose rows are the vertices."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the caller knows about a file."""

    delimiter: str | None = None
    header: bool | None = None
    has_vertex_file: bool = False
    """A vertex file lists every id exactly as it stands in the edges."""


class FormatModule(Protocol):
    """What the module of a format offers."""

    def read(self, source: Source, options: ReadOptions) -> Parts:
        """Return what the file holds."""

    def companion_for(self, network: LoadedNetwork) -> Companion:
        """Return what `network` needs beside the file."""

    def write(self, network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
        """Write `network`; with ``rows`` the vertices by position and a word that they are in the vertex file."""


@dataclass(frozen=True, slots=True)
class FormatInfo:
    """A file format for networks.

    Parameters
    ----------
    name : str
        For ``format=``.
    title : str
        What people call it.
    suffixes : tuple of str
        File names that mean it, before any ``.gz``, ``.bz2`` or ``.zst``.
    isolated : bool
        Whether the file itself has a place for vertices without an edge; a vertex file beside it otherwise.
    attributes : bool
        Whether the file itself has a place for vertex attributes; a vertex file beside it otherwise.
    takes_vertex_file : bool
        Whether a vertex file beside it is read without being named; if not, only where the file itself refers to it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    isolated: bool
    attributes: bool
    takes_vertex_file: bool = False

    def load(self) -> FormatModule:
        """Return the module that reads and writes this format."""
        return cast(FormatModule, import_module(f"auditor.formats.networks.encodings.{self.name}"))


_FORMATS = (
    FormatInfo("csv", "CSV edge list", (".csv",), False, False, True),
    FormatInfo("tsv", "TSV edge list", (".tsv", ".tab"), False, False, True),
    FormatInfo(
        "snap",
        "SNAP and other edge lists in blanks",
        (".txt", ".snap", ".edges", ".edgelist", ".el"),
        False,
        False,
        True,
    ),
    FormatInfo("npz", "NumPy archive", (".npz",), True, False),
    FormatInfo("graphml", "GraphML", (".graphml",), True, True),
    FormatInfo("gml", "GML", (".gml",), True, True),
    FormatInfo("pajek", "Pajek", (".net", ".pajek", ".paj"), True, False),
    FormatInfo("matrix_market", "MatrixMarket", (".mtx",), True, False),
    FormatInfo("metis", "METIS", (".graph", ".metis"), True, False),
    FormatInfo("node_link", "JSON node-link", (".json",), True, True),
    FormatInfo("parquet", "Parquet edge table", (".parquet", ".pq"), False, False, True),
)


def known_formats() -> tuple[FormatInfo, ...]:
    """Return all formats.

    Examples
    --------
    >>> [info.name for info in known_formats()][:3]
    ['csv', 'tsv', 'snap']
    """
    return _FORMATS


def format_named(name: str) -> FormatInfo:
    """Return the format of that name (``graphml``), title or suffix.

    Raises
    ------
    BadInput
        If there is none.
    """
    plain = name.lower().removeprefix(".")
    for info in _FORMATS:
        if plain == info.name or f".{plain}" in info.suffixes:
            return info
    raise BadInput(f"no such format; the formats are {', '.join(info.name for info in _FORMATS)}")


def format_of_name(name: str) -> FormatInfo | None:
    """Return the format that a file name stands for, None if its suffix says nothing.

    Examples
    --------
    >>> format_of_name("friends.tsv.gz").name
    'tsv'
    """
    suffix = PurePath(split_compression(name)[0]).suffix.lower()
    return next((info for info in _FORMATS if suffix in info.suffixes), None)
