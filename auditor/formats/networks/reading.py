"""Read a network from a file of any known format."""

import os

from auditor.formats.networks.assembly import assemble
from auditor.formats.networks.companion import companion_path, with_vertex_file
from auditor.formats.networks.content import format_of_content
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import FormatInfo, ReadOptions, format_named, format_of_name
from auditor.formats.source import Source

_ADVICE = "cannot be read as {}; check the file and its format (the end of its name, or --format)"


def read_network(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    symmetrize: bool = False,
    directed: bool | None = None,
    vertices: str | os.PathLike[str] | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
) -> LoadedNetwork:
    """Return the network that a file holds, in canonical form.

    Parameters
    ----------
    path : path
        May be compressed with gzip, bzip2 or Zstandard, whatever its name.
    format : str, optional
        Name of a format (:func:`known_formats`); by default the file's suffix decides, then its content.
    symmetrize : bool
        Accept a directed network and forget the directions.
    directed : bool, optional
        Overrule what the file says about its edges.
    vertices : path, optional
        A vertex file; by default the one beside the file (:func:`companion_path`), where there is one.
    delimiter : str, optional
        Of an edge list; detected by default.
    header : bool, optional
        Whether the first line of an edge list holds column names; detected by default.

    Returns
    -------
    LoadedNetwork
        Its notes tell what was dropped or decided.

    Raises
    ------
    NotFound
        If there is no such file.
    BadFile
        If the file cannot be read as a network; one line that names file and, where known, line, and never its content.
    BadInput
        If it is directed and `symmetrize` is not set, or an argument is of no use.

    Notes
    -----
    Edge lists and Parquet take about 0.4 s per million edges, GraphML, GML and JSON several seconds.
    """
    source = Source(path)
    info = _format(source, format)
    advice = _ADVICE.format(info.title)
    with source.one_line_errors(advice):
        beside = companion_path(source.path)
        vertex_path = (
            vertices if vertices is not None else beside if info.takes_vertex_file and beside.exists() else None
        )
        options = ReadOptions(delimiter, header, vertex_path is not None)
        parts = info.load().read(source, options)
        if vertex_path is None and parts.in_vertex_file:
            if not beside.exists():
                raise source.bad(
                    "says that its vertices are in a vertex file, which is not there; put it beside the file"
                )
            vertex_path = beside
        if vertex_path is not None:
            vertex_source = Source(vertex_path)
            with vertex_source.one_line_errors(advice):
                parts = with_vertex_file(parts, source, vertex_source)
        return assemble(source, parts, format=info.name, symmetrize=symmetrize, directed=directed)


def _format(source: Source, name: str | None) -> FormatInfo:
    if name is not None:
        return format_named(name)
    if (info := format_of_name(source.path.name)) is not None:
        return info
    with source.one_line_errors(_ADVICE.format("a network")):
        return format_named(format_of_content(source))
