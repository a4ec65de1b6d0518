"""A protected export of a stored network, from its name to the file: load, anonymize, publish."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.exports.destination import check_network_destination
from auditor.exports.recording import StoreRecorder
from auditor.subjects.networks.exports.attributes import check_attributes, choose_attributes
from auditor.subjects.networks.exports.publishing import publish_network
from auditor.subjects.networks.repository import Networks

if TYPE_CHECKING:
    from auditor.core.origin import Origin
    from auditor.exports.destination import Destination
    from auditor.exports.record import ScheduledExport
    from auditor.policy import Policy
    from auditor.store import Store
    from auditor.subjects.networks.exports.publishing import PublishedNetwork


def export_stored_network(
    store: Store,
    name: str,
    k: int,
    destination: Destination,
    policy: Policy,
    *,
    actor: str,
    seed: int = 0,
    time_limit: float | None = None,
    phase: Callable[[str], None] = lambda name: None,
    scheduled: ScheduledExport | None = None,
    origin: Origin | None = None,
) -> PublishedNetwork:
    """Write a k-degree-anonymous version of a stored network, verified and recorded; its key stays in the store.

    Parameters
    ----------
    store : Store
    name : str
        Of a stored network.
    k : int
        Required block size.
    destination : Destination
        Where it goes.
    policy : Policy
        Says whether it waits for a second person.
    actor : str
        Who makes it.
    seed : int, optional
    time_limit : float, optional
        In seconds; the best that was found by then is taken. None: the engine's own end.
    phase : callable, optional
        Told what is being done.
    scheduled : ScheduledExport, optional
        The tick that asked for it.
    origin : Origin, optional
        The token that it is asked for with, and who asked for it before.

    Raises
    ------
    NotFound
        If there is no such network or attribute.
    BadInput, AlreadyExists
        If the destination cannot be used.
    Refused
        If no version can be found, or kept attributes single somebody out.
    NotDelivered, VerificationFailed
        As :func:`~auditor.subjects.networks.exports.publishing.publish_network`; nothing appears then.
    """
    from graphkit.networks import anonymize

    info = Networks(store).show(name)
    # before the work, and not after it
    check_network_destination(destination)
    phase("read")
    loaded = Networks(store).load(info.name)
    kept = choose_attributes(loaded.attributes, destination.keep)
    result = anonymize(
        loaded.graph,
        k,
        seed=seed,
        progress=lambda name, best, bound: phase(name),
        time_limit=time_limit,
        clock=time.monotonic,
    )
    check_attributes(result.degrees_after(loaded.graph.degrees()), kept, k, None)
    recorder = StoreRecorder(
        store, info, actor, method=result.method, keep_key=True, policy=policy, scheduled=scheduled, origin=origin
    )
    return publish_network(loaded, result.edges, result.k, destination, recorder, phase=phase)
