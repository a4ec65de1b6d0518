"""Write a network into a file of any known format."""

import os
from pathlib import Path

from auditor.core.errors import AlreadyExists, BadInput, NotDelivered
from auditor.formats.compression import open_sink, split_compression
from auditor.formats.networks.companion import companion_path, write_vertex_file
from auditor.formats.networks.labels import as_texts, is_storable
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import FormatInfo, format_named, format_of_name
from auditor.formats.source import shown


def write_network(
    path: str | os.PathLike[str],
    network: LoadedNetwork,
    *,
    format: str | None = None,
    name: str | os.PathLike[str] | None = None,
    companion: str | os.PathLike[str] | None = None,
) -> list[Path]:
    """Write a network so that reading the file gives it back: graph, labels and attributes.

    Parameters
    ----------
    path : path
        Written to as it is, overwriting; the caller cares for writing aside, flushing to disk and renaming.
    network : LoadedNetwork
        In canonical form; notes are not written.
    format : str, optional
        Name of a format; by default the suffix of `name` decides.
    name : path, optional
        The final name, where `path` is a temporary one: its suffixes decide format and compression. `path` by default.
    companion : path, optional
        Where a vertex file goes, should the format need one; beside `path` by default (:func:`companion_path`).

    Returns
    -------
    list of Path
        The files written: the main one, then the vertex file if there is one.

    Raises
    ------
    BadInput
        If the format is not known, or cannot hold a label or attribute.
    AlreadyExists
        If no vertex file is needed but one lies there, which a reader would take for this network's.
    NotDelivered
        If the disk is full or the file cannot be written.

    Notes
    -----
    The bytes depend on the network alone: no time, no name, no machine.
    """
    target, final = Path(path), Path(name if name is not None else path)
    info = check_format(final, format)
    check_writable(network)
    module = info.load()
    need = module.companion_for(network)
    beside = Path(companion) if companion is not None else companion_path(target)
    if need == "none" and info.takes_vertex_file and beside.exists():
        raise AlreadyExists(f"{shown(beside)} would be read as the vertices of {shown(final.name)}; move it away")
    current = target
    try:
        with open_sink(target, split_compression(final.name)[1]) as sink:
            module.write(network, sink, need)
        if need == "none":
            return [target]
        current = beside
        with open_sink(beside, "") as sink:
            write_vertex_file(network, sink)
    except OSError as error:
        reason = error.strerror or "output failed"
        raise NotDelivered(f"{shown(current)} could not be written ({reason}); nothing there can be used") from error
    return [target, beside]


def check_format(name: str | os.PathLike[str], format: str | None = None) -> FormatInfo:
    """Return the format that a file of that name gets; refuse a name that says none before there is anything to write.

    Raises
    ------
    BadInput
        As :func:`write_network`.
    """
    if format is not None:
        return format_named(format)
    file = Path(name).name
    if (info := format_of_name(file)) is None:
        raise BadInput(f"{shown(file)}: the suffix tells no format; use one such as .csv, or give the format")
    return info


def may_have_companion(name: str | os.PathLike[str], format: str | None = None) -> bool:
    """Whether a network under that name can come with a vertex file, or have one taken for its own.

    Raises
    ------
    BadInput
        As :func:`write_network`.
    """
    info = check_format(name, format)
    return info.takes_vertex_file or not (info.isolated and info.attributes)


def check_writable(network: LoadedNetwork) -> None:
    """Raise BadInput unless there is a vertex and every text can be stored."""
    if network.graph.n == 0:
        raise BadInput("a network without vertices cannot be written; give one that has some")
    texts = as_texts(network.labels) if network.labels.dtype == object else []
    if "" in texts or not is_storable(texts):
        raise BadInput("a label is empty or holds a NUL or a broken character; give every vertex a proper id")
    for key, values in network.attributes.items():
        if not key.strip() or not is_storable([key, *values]):
            raise BadInput("an attribute has no name, or holds a NUL or a broken character; rename or clean it")
