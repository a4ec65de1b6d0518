"""A protected network in memory: what of it is written, and how that is verified."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput, NotDelivered, VerificationFailed
from auditor.core.staging import delivering
from auditor.exports.destination import Destination
from auditor.exports.key_file import write_key
from auditor.formats.networks import read_network, write_network
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.exports.attributes import check_attributes, choose_attributes
from auditor.subjects.networks.exports.degree_release import DegreeRelease
from auditor.subjects.networks.exports.rechecking import verified_file
from graphkit.machine import fresh_permutation
from graphkit.networks.releasing.relabelling import relabel
from graphkit.networks.result import Anonymization
from graphkit.networks.variants.result import ConstrainedAnonymization
from graphkit.networks.verify import Check, DegreeClaim, Terms, Verification

Answer = Anonymization | ConstrainedAnonymization


class NetworkRelease(DegreeRelease):
    """A network with the changed edges under fresh ids.

    Parameters
    ----------
    original : LoadedNetwork
        The network.
    answer : Anonymization or ConstrainedAnonymization
        Which edges are added and deleted, and what is claimed then.
    destination : Destination
        Where it goes.

    Raises
    ------
    BadInput
        If a kept attribute does not exist.
    Refused
        If kept attributes single a vertex out.
    """

    published: NDArray[np.int64]
    """``published[v]`` is the id of the original's vertex v. As protected as the network itself."""
    released: LoadedNetwork
    """As it was read back: labels are the published ids."""

    def __init__(self, original: LoadedNetwork, answer: Answer, destination: Destination) -> None:
        self._original, self.destination = original, destination
        if isinstance(answer, Anonymization):
            added, deleted = answer.edges, None
            self.claim, self.terms = DegreeClaim(k=answer.k, n=original.graph.n), Terms(additions=answer.size)
        else:
            added, deleted = answer.added, answer.deleted
            self.claim, self.terms = answer.claim(original.graph.n), answer.terms()
        self.published = fresh_permutation(original.graph.n)
        graph = relabel(original.graph, added, self.published, deleted)
        kept = choose_attributes(original.attributes, destination.keep)
        moved = {name: _moved(values, self.published) for name, values in kept.items()}
        protected = None if self.terms.subset is None else self.published[self.terms.subset]
        check_attributes(graph.degrees(), moved, self.claim.k, protected)
        self.attributes = tuple(kept)
        self._network = LoadedNetwork(graph, np.arange(graph.n), moved)

    def write(self, aside: Path) -> list[Path]:
        """See :class:`~auditor.exports.publishing.Release`."""
        try:
            with delivering(self.destination.path):
                return write_network(aside, self._network, format=self.destination.format)
        except NotDelivered as error:
            # the writer knows only the hidden place
            with delivering(self.destination.path):
                if isinstance(error.__cause__, OSError):
                    raise error.__cause__ from None
            raise

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.exports.publishing.Release`."""
        path = written[0]
        try:
            self.released = read_network(path, format=self.destination.format)
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
        """See :class:`~auditor.exports.publishing.Release`."""
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
