"""The picture of an export: its network before and after. The ledger records the view before it is shown."""

import numpy as np

from auditor.core.errors import BadInput, Refused
from auditor.exports.record import Export
from auditor.store import Store
from auditor.subjects.networks.charts.before_and_after import NetworkPicture, draw_before_and_after
from auditor.subjects.networks.exports.rechecking import Recheck, recheck_export
from auditor.subjects.networks.repository import Networks
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility.change_sample import sample_change


def picture_of_export(store: Store, export: Export, *, actor: str) -> NetworkPicture:
    """Return the picture of a published export, after the ledger has recorded who views it.

    Raises
    ------
    BadInput
        If it is not published, or its key was not kept: nobody knows then which vertex is which.
    Refused
        If the released file does not hold its claim (any more).
    NotFound
        If the network is gone.
    StoreConflict
        If another network has its name by now.

    Notes
    -----
    Reads the file and the network: O(n + m).
    """
    if export.state != "published":
        raise BadInput(f"the export is {export.state}, and not published; there is nothing to compare with")
    networks, name = Networks(store), export.subject.removeprefix("network:")
    info = networks.show(name)
    original = networks.load(name).graph
    found = recheck_export(store, export, original)
    check_drawable(found)
    networks.record_picture_view(info, export.id, actor=actor)
    return draw_picture(original, found)


def check_drawable(found: Recheck) -> None:
    """Refuse a release of which no picture can be drawn.

    Raises
    ------
    Refused
        If the file does not hold its claim.
    BadInput
        If the key was not kept.
    """
    if found.graph is None:
        raise Refused("the released file does not hold its claim; its audit tells what is wrong")
    if found.published is None:
        raise BadInput(
            "the key of this export was not kept, so nobody knows which vertex is which; no picture is drawn"
        )


def draw_picture(original: SimpleGraph, found: Recheck) -> NetworkPicture:
    """Return the picture of a release that :func:`check_drawable` let through."""
    assert found.graph is not None
    assert found.published is not None
    vertex_of = np.empty(original.n, dtype=np.int64)
    vertex_of[found.published] = np.arange(original.n)
    return draw_before_and_after(
        sample_change(original, SimpleGraph.from_edges(vertex_of[found.graph.edges], original.n))
    )
