"""Which vertex of a release is which of the original: from a key file, or from what the store keeps."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.core.digests import file_digest
from auditor.core.errors import BadFile, BadInput
from auditor.exports.file_digests import look_at_files
from auditor.exports.key_file import key_rows
from auditor.exports.manifest import manifest_path, read_manifest
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.formats.networks.loaded import LabelArray
from auditor.store import Store


def match_by_key(path: Path, original: LabelArray, released: LabelArray) -> NDArray[np.int64]:
    """Return the released vertex of every vertex of the original, by a key file.

    Parameters
    ----------
    path : Path
        A file that :func:`~auditor.exports.key_file.write_key` wrote: `original,published`, a line
        each.
    original, released : ndarray
        Labels of the vertices of the two networks.

    Returns
    -------
    ndarray of int64, shape (n,)
        ``published[v]`` is the index, in `released`, of the original's vertex v.

    Raises
    ------
    BadFile
        If the file cannot be read or does not match these two networks one to one; names a line, never a label.
    """
    places = [{str(label): i for i, label in enumerate(labels.tolist())} for labels in (original, released)]
    published = np.full(original.size, -1, dtype=np.int64)
    for line, (ours, theirs) in key_rows(path):
        vertex, place = places[0].get(ours), places[1].get(theirs)
        if vertex is None or place is None:
            side = "original" if vertex is None else "release"
            raise BadFile(f"{path}, line {line}: no vertex of the {side} has this id; is it the key of another export?")
        if published[vertex] >= 0:
            raise BadFile(f"{path}, line {line}: this vertex of the original was named before")
        published[vertex] = place
    # as many different vertices of the release as there are of the original, and all of them
    if original.size != released.size or not np.array_equal(np.sort(published), np.arange(released.size)):
        raise BadFile(f"{path} does not match the two networks vertex by vertex; is it the key of another export?")
    return published


def match_by_store(store: Store, name: str, path: Path, released: LabelArray) -> NDArray[np.int64] | None:
    """Return the released vertex of every vertex of a stored network, where the store knows the file and keeps its key.

    Parameters
    ----------
    store : Store
        Where the original is.
    name : str
        Its name.
    path : Path
        A network file; recognized by its checksum as an export of the network.
    released : ndarray
        Labels of its vertices.
    """
    export = Exports(store).recognized(f"network:{name}", file_digest(path))
    published = None if export is None else Exports(store).relabelling(export.id)
    is_whole = published is not None and np.array_equal(released, np.arange(published.size))
    return published if is_whole else None


def was_changed(path: Path, exports: Sequence[Export] = ()) -> bool:
    """Whether a release was published as this file, and it or a file beside it that belongs to it is another one now.

    Parameters
    ----------
    path : Path
        A file.
    exports : sequence of Export, optional
        What the store recorded, besides the manifest that lies beside the file.
    """
    recorded = [export.files for export in exports if Path(export.path).resolve() == path.resolve()]
    with contextlib.suppress(BadInput):
        recorded.append(read_manifest(manifest_path(path)).files)
    recorded = [files for files in recorded if path.name in files]
    return bool(recorded) and not any(look_at_files(path, files).unchanged for files in recorded)
