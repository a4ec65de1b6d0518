"""A protected network in memory, published: what of it is written, and how that is verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput, NotDelivered, VerificationFailed
from auditor.core.staging import delivering
from auditor.exports.destination import Destination, check_network_destination
from auditor.formats.networks import read_network, write_network
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.exports.attributes import check_attributes, choose_attributes
from auditor.subjects.networks.exports.key_file import write_key
from auditor.subjects.networks.exports.rechecking import verified_file
from auditor.subjects.networks.exports.release import Published, Release, publish_release
from graphkit.machine import fresh_permutation
from graphkit.networks.releasing.relabelling import relabel
from graphkit.networks.result import Anonymization
from graphkit.networks.variants.result import ConstrainedAnonymization
from graphkit.networks.verify import Check, DegreeClaim, Terms, Verification

if TYPE_CHECKING:
    from auditor.exports.recording import ExportRecorder

Answer = Anonymization | ConstrainedAnonymization


@dataclass(frozen=True, slots=True, eq=False)
class PublishedNetwork(Published):
    """A network whose files were checked after they were written."""

    released: LoadedNetwork
    """The network as it was read back: labels are the published ids."""
    published: NDArray[np.int64] = field(repr=False)
    """``published[v]`` is the id of the original's vertex v. As protected as the network itself."""


def publish_network(
    original: LoadedNetwork,
    answer: Answer,
    destination: Destination,
    recorder: ExportRecorder | None = None,
    phase: Callable[[str], None] = lambda name: None,
) -> PublishedNetwork:
    """Write the original with the changed edges under fresh ids, and let it appear once it was verified.

    Parameters
    ----------
    original : LoadedNetwork
        The network.
    answer : Anonymization or ConstrainedAnonymization
        Which edges are added and deleted, and what is claimed then.
    destination : Destination
        Where it goes.
    recorder, phase : optional
        As for :func:`~auditor.subjects.networks.exports.release.publish_release`.

    Raises
    ------
    BadInput, AlreadyExists, NotFound
        If the destination cannot be used or a kept attribute does not exist; found before anything is written.
    Refused
        If kept attributes single somebody out.
    NotDelivered, VerificationFailed
        As :func:`~auditor.subjects.networks.exports.release.publish_release`.
    """
    check_network_destination(destination)
    release = NetworkRelease(original, answer, destination)
    done = publish_release(release, destination, recorder, phase)
    return PublishedNetwork(done.manifest, done.files, done.approval, release.released, release.published)


class NetworkRelease(Release):
    """A network with the changed edges under fresh ids."""

    released: LoadedNetwork
    """As it was read back."""

    def __init__(self, original: LoadedNetwork, answer: Answer, destination: Destination) -> None:
        self._original, self._destination = original, destination
        if isinstance(answer, Anonymization):
            added, deleted = answer.edges, None
            self.claim, self.terms = DegreeClaim(k=answer.k, n=original.graph.n), Terms(additions=answer.size)
        else:
            added, deleted = answer.added, answer.deleted
            self.claim, self.terms = answer.claim(original.graph.n), answer.terms()
        self.published: NDArray[np.int64] = fresh_permutation(original.graph.n)
        graph = relabel(original.graph, added, self.published, deleted)
        kept = choose_attributes(original.attributes, destination.keep)
        moved = {name: _moved(values, self.published) for name, values in kept.items()}
        protected = None if self.terms.subset is None else self.published[self.terms.subset]
        check_attributes(graph.degrees(), moved, self.claim.k, protected)
        self.attributes = tuple(kept)
        self._network = LoadedNetwork(graph, np.arange(graph.n), moved)

    def write(self, aside: Path) -> list[Path]:
        """See :class:`~auditor.subjects.networks.exports.release.Release`."""
        try:
            with delivering(self._destination.path):
                return write_network(aside, self._network, format=self._destination.format)
        except NotDelivered as error:
            # the writer knows only the hidden place
            with delivering(self._destination.path):
                if isinstance(error.__cause__, OSError):
                    raise error.__cause__ from None
            raise

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.subjects.networks.exports.release.Release`."""
        path = written[0]
        try:
            self.released = read_network(path, format=self._destination.format)
        except BadInput as error:
            raise VerificationFailed(
                f"what was written to {path.name} cannot be read; nothing was published"
            ) from error
        self.format = self.released.notes.format
        same = _same_attributes(self.released, self._network)
        attributes = Check("attributes", same, "exactly the attributes that were meant to leave")
        checks = verified_file(self.released, attributes, self.claim, self._original.graph, self.published, self.terms)
        return Verification(checks)

    def write_key(self, path: Path) -> None:
        """See :class:`~auditor.subjects.networks.exports.release.Release`."""
        write_key(path, self._original.labels, self.published)


def _moved(values: NDArray[np.object_], published: NDArray[np.int64]) -> NDArray[np.object_]:
    """Return attribute values in the order of the new ids."""
    moved = np.empty_like(values)
    moved[published] = values
    return moved


def _same_attributes(released: LoadedNetwork, intended: LoadedNetwork) -> bool:
    return released.attributes.keys() == intended.attributes.keys() and all(
        np.array_equal(released.attributes[name].astype(str), values.astype(str))
        for name, values in intended.attributes.items()
    )
