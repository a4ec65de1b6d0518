"""Networks in the store."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Json

from auditor.core.errors import StoreConflict, StoreCorrupt, StoreError, StoreUnavailable
from auditor.core.names import check_name
from auditor.core.progress import Progress, silent
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store.owner import Owner
from auditor.store.records import columns, decode
from auditor.store.repository import NewEntry
from auditor.store.subjects import check_unchanged
from auditor.subjects.named import NamedSubjects
from auditor.subjects.networks.checksum import network_checksum
from auditor.subjects.networks.live.origin import LiveOrigin
from auditor.subjects.networks.load import load_content
from auditor.subjects.networks.neo4j_view import Neo4jGraphView
from auditor.subjects.networks.read import read_content
from auditor.subjects.networks.removal import delete_content
from auditor.subjects.networks.states import already_there, begin, give_up, hide, publish


@dataclass(frozen=True, slots=True)
class NetworkInfo:
    """What the store knows of a network beside its vertices and edges."""

    id: int
    """Number within the store; never used again."""
    name: str
    vertices: int
    edges: int
    checksum: str
    """Of the content, see :func:`auditor.subjects.networks.checksum.network_checksum`."""
    source: str
    """Where it came from, such as the name of the file."""
    source_checksum: str | None
    """Of the file it came from."""
    derived_from: str | None
    """Name of the network it was made from."""
    created_at: datetime
    attribute_names: tuple[str, ...]
    integer_labels: bool
    """Whether the labels are numbers; text otherwise."""
    live: Json[LiveOrigin] | None = None
    """Where the live graph is that it was read from. Protected."""


_COLUMNS = f"RETURN {columns(NetworkInfo, 'n')} AS info"
# read
_LIST = f"MATCH (n:AuditorNetwork) {_COLUMNS} ORDER BY n.name"
# read
_SHOW = f"MATCH (n:AuditorNetwork {{name: $name}}) {_COLUMNS}"
# read
_EXISTS = "MATCH (n:AuditorNetwork {name: $name}) RETURN count(n) AS found"


class Networks(NamedSubjects[NetworkInfo]):
    """The networks of a store."""

    family = "network"
    list_query, show_query, exists_query = _LIST, _SHOW, _EXISTS

    def check_free(self, name: str) -> None:
        """Refuse a name under which nothing could be added, before there is anything to add.

        Raises
        ------
        BadInput
            If the name cannot be stored.
        AlreadyExists
            If there is a network of that name.
        """
        check_name(name)
        if self.exists(name):
            raise already_there(name)

    def add(
        self,
        name: str,
        network: LoadedNetwork,
        *,
        source: str,
        actor: str,
        checksum: str | None = None,
        derived_from: str | None = None,
        live: LiveOrigin | None = None,
        progress: Progress | None = None,
    ) -> NetworkInfo:
        """Store a network under a new name.

        Nobody sees it before it is whole; what a killed process left of it, the next command deletes.

        Parameters
        ----------
        name : str
            One line of text, up to 200 characters.
        network : LoadedNetwork
            Graph, labels and attributes.
        source : str
            Where it came from, such as the name of the file.
        actor : str
            Who adds it.
        checksum : str, optional
            SHA-256 of the file it came from.
        derived_from : str, optional
            Name of the network it was made from.
        live : LiveOrigin, optional
            The live graph that it was read from: its audits look there whether it changed.
        progress : callable, optional
            Told what is being done, how much of it is done, and how much there is.

        Raises
        ------
        BadInput
            If the name or a label cannot be stored.
        AlreadyExists
            If there is a network of that name, or somebody else is loading one.
        StoreConflict
            If this process was taken for dead meanwhile.
        """
        check_name(name)
        properties: dict[str, Any] = {
            "vertices": network.graph.n,
            "edges": network.graph.m,
            "directed": False,
            "checksum": network_checksum(network),
            "source": source,
            "source_checksum": checksum,
            "derived_from": derived_from,
            "created_at": self._ledger.now(),
            "attribute_names": sorted(network.attributes),
            "integer_labels": network.labels.dtype != object,
            "live": None if live is None else live.text(),
        }
        with Owner.working() as owner:
            identifier = self.locked(lambda tx: begin(tx, name, owner))
            try:
                load_content(self._connection, identifier, owner, network, progress or silent)
                self._check_content(identifier, network)
                # no checksum, neither of the content nor of the file: whoever reads the ledger could test guesses by it
                payload = {"network": identifier, "source": source, "derived_from": derived_from}
                entry = NewEntry("network_added", payload, actor, f"network:{name}")
                self.change(lambda tx: entry if publish(tx, identifier, owner, properties) else None)
            except StoreUnavailable:
                # nobody to tell; the next command finds the load without its owner
                raise
            except Exception:
                # what cannot be deleted now, the next command deletes
                with suppress(StoreError):
                    if self._connection.write(lambda tx: give_up(tx, identifier, owner)):
                        delete_content(self._connection, identifier, owner)
                raise
        return decode(NetworkInfo, {"id": identifier, "name": name, **properties})

    def load(self, name: str) -> LoadedNetwork:
        """Return a network, whole and checked against its checksum.

        Raises
        ------
        NotFound
            If there is none of that name.
        StoreCorrupt
            If the store does not hold what was stored.
        """
        info = self.show(name)
        network = read_content(
            self._connection, info.id, list(info.attribute_names), integer_labels=info.integer_labels
        )
        if network_checksum(network) != info.checksum:
            if self.show(name).id != info.id:
                raise StoreConflict(f"the network {name!r} was replaced while it was read; start over")
            raise StoreCorrupt(f"the network {name!r} is not what was stored; restore it from a backup or add it again")
        return network

    def view(self, name: str) -> Neo4jGraphView:
        """Return a network as an engine sees it, without reading it.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        return self.view_of(self.show(name))

    def view_of(self, info: NetworkInfo) -> Neo4jGraphView:
        """Return a network that was found as an engine sees it, without reading it."""
        return Neo4jGraphView(self._connection, info.id, info.vertices, info.edges)

    def block_sequence(self, name: str) -> NDArray[np.int64]:
        """Return how many vertices of a network have each degree, shape (Δ+1,), counted in the database.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        return self.view(name).block_sequence()

    def record_degrees_view(self, info: NetworkInfo, *, actor: str) -> None:
        """Record that a person is about to see how many vertices of a network have each degree.

        Raises
        ------
        NotFound
            If there is none of that name any more.
        StoreConflict
            If there is another one by now.
        """

        subject = f"network:{info.name}"
        entry = NewEntry("degrees_shown", {"network": info.id}, actor, subject)
        self.record_view(entry, lambda tx: check_unchanged(tx, subject, info.id))

    def record_picture_view(self, info: NetworkInfo, export: str, *, actor: str) -> None:
        """Record that a person is about to see a sample of a network before and after an export.

        Raises
        ------
        NotFound
            If there is none of that name any more.
        StoreConflict
            If there is another one by now.
        """

        subject, payload = f"network:{info.name}", {"network": info.id, "export": export}
        entry = NewEntry("picture_shown", payload, actor, subject)
        self.record_view(entry, lambda tx: check_unchanged(tx, subject, info.id))

    def remove(self, name: str, *, actor: str, progress: Progress | None = None) -> None:
        """Remove a network and the relabellings of its exports; nobody sees it any more. The ledger keeps its entries.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        identifier = self.show(name).id
        with Owner.working() as owner:
            entry = NewEntry("network_removed", {"network": identifier}, actor, f"network:{name}")
            self.change(lambda tx: entry if hide(tx, name, owner, identifier) else None)
            if progress is not None:
                progress("delete", 0, 0)
            delete_content(self._connection, identifier, owner)

    def _check_content(self, identifier: int, network: LoadedNetwork) -> None:
        """Compare the degrees as the database counts them with those that were to be stored."""
        graph = network.graph
        counted = Neo4jGraphView(self._connection, identifier, graph.n, graph.m).block_sequence()
        if not np.array_equal(counted, graph.block_sequence()):
            raise StoreCorrupt("the store does not hold what was loaded; nothing was added, run it again")

    @staticmethod
    def _info(record: dict[str, Any]) -> NetworkInfo:
        return decode(NetworkInfo, record["info"])
