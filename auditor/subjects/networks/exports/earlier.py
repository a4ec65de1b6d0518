"""The degrees under which the vertices of a network were published before, in another version of it."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadFile, BadInput, NotFound
from auditor.exports.file_digests import look_at_files
from auditor.exports.key_file import key_rows
from auditor.exports.repository import Exports
from auditor.formats.networks import read_network
from auditor.formats.networks.loaded import LabelArray
from auditor.store import Store
from auditor.subjects.networks.exports.matching import match_by_key
from auditor.subjects.networks.repository import Networks


def earlier_degrees_by_key(released: Path, key: Path, labels: LabelArray) -> NDArray[np.int64]:
    """Return the published degree of every vertex, from a released file and its key.

    Parameters
    ----------
    released : Path
        The file of the earlier version as it was published.
    key : Path
        What :func:`auditor.exports.key_file.write_key` wrote with it.
    labels : ndarray, shape (n,)
        Labels of the network that is to be released now; people keep their label over versions.

    Returns
    -------
    ndarray of int64, shape (n,)
        −1 for vertices that the earlier version did not have.

    Raises
    ------
    BadInput
        If a file cannot be read, the key is not of this release, or no vertex of the network is in it; names a line,
        never a label.
    """
    earlier = read_network(released)
    people = [ours for _, (ours, _) in key_rows(key)]
    published = match_by_key(key, np.array(people, dtype=object), earlier.labels)
    degrees = dict(zip(people, earlier.graph.degrees()[published].tolist(), strict=True))
    return _degrees_of(degrees, labels, released.name)


def earlier_degrees_by_store(store: Store, name: str, labels: LabelArray) -> tuple[NDArray[np.int64], int]:
    """Return the published degree of every vertex in the newest export of a stored network, and how many are out.

    Parameters
    ----------
    store : Store
        Where the earlier version is.
    name : str
        Its name.
    labels : ndarray, shape (n,)
        As for :func:`earlier_degrees_by_key`.

    Raises
    ------
    NotFound
        If nothing of that network was published, or the file or its relabelling is gone.
    BadInput
        If the file was changed, or the earlier version has no vertex of this one.
    """
    exports = [export for export in Exports(store).list(f"network:{name}") if export.state == "published"]
    if not exports:
        raise NotFound(f"nothing of {name!r} was published from here; see 'auditor network show'")
    newest, path = exports[0], Path(exports[0].path)
    published = Exports(store).relabelling(newest.id)
    otherwise = "name the released file with --previous and its key with --previous-key"
    if published is None:
        raise NotFound(f"the relabelling of export {newest.id} was not kept; {otherwise}")
    now = look_at_files(path, newest.files)
    if now.missing:
        raise NotFound(
            f"the file of export {newest.id} is not where it was published ({', '.join(now.missing)}); {otherwise}"
        )
    if now.changed:
        changed = ", ".join(str(path.with_name(name)) for name in now.changed)
        raise BadFile(f"{changed} was changed since it was published; {otherwise}")
    released = read_network(path, format=newest.claim.get("format"))
    place = {int(label): i for i, label in enumerate(released.labels.tolist())}
    after = released.graph.degrees()
    ours = Networks(store).load(name).labels
    degrees = {str(label): int(after[place[id]]) for label, id in zip(ours.tolist(), published.tolist(), strict=True)}
    return _degrees_of(degrees, labels, name), len(exports)


def _degrees_of(degrees: dict[str, int], labels: LabelArray, name: str) -> NDArray[np.int64]:
    found = np.array([degrees.get(str(label), -1) for label in labels.tolist()], dtype=np.int64)
    # holding against a release of other people promises nothing, and would be said to be verified
    if np.all(found < 0):
        raise BadInput(
            f"the earlier release {name} has no vertex id in common with this network, so there is nothing to hold "
            "against; name a release of an earlier version of it"
        )
    return found
