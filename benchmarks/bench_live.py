"""A graph database of the owner's: a large network delivered, counted in place, and read into the store."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from benchmarks.networks import load, private_store
from benchmarks.row import Row
from benchmarks.timing import seconds_of

_NAME = "coAuthorsDBLP"
_COUNT_SECONDS, _ADD_SECONDS = 3.0, 60.0


def run(data_dir: Path | None) -> list[Row]:
    """Measure coAuthorsDBLP (299 067 vertices, 977 676 ties) in a server that was just started."""
    from auditor.config import GraphSettings, load_settings
    from auditor.config.addresses import graph_address
    from auditor.core.progress import silent
    from auditor.formats.networks.loaded import LoadedNetwork
    from auditor.store import open_store
    from auditor.store.local import ensure_running
    from auditor.subjects.networks.live.counting import count_blocks
    from auditor.subjects.networks.live.delivering import deliver
    from auditor.subjects.networks.live.opening import connected, opened_graph
    from auditor.subjects.networks.live.origin import LiveOrigin
    from auditor.subjects.networks.live.projection import Projection
    from auditor.subjects.networks.live.reading import read_graph
    from auditor.subjects.networks.repository import Networks

    graph = load(data_dir, _NAME)
    if graph is None:
        return []
    network = LoadedNetwork(graph, np.arange(graph.n))
    with private_store() as environment:
        settings = load_settings(environ={**os.environ, **environment})
        server = ensure_running(settings)
        log_in = GraphSettings.model_validate({"password": server.password})
        settings = settings.model_copy(update={"graph": log_in})
        address = graph_address(server.url)
        with connected(settings, address) as connection:
            delivery = seconds_of(
                lambda: deliver(connection, network, label="Author", relationship="TIE", replace=False, progress=silent)
            )
        projection = Projection(("Author",), ("TIE",), key="id")
        with opened_graph(settings, address) as live:
            first = seconds_of(lambda: count_blocks(live, projection))
            again = seconds_of(lambda: count_blocks(live, projection))
            assert np.array_equal(count_blocks(live, projection), graph.block_sequence())

            def add() -> None:
                origin = LiveOrigin(server.url, projection)
                read = read_graph(live, projection, "the graph")
                assert np.array_equal(read.graph.edges, graph.edges)
                with open_store(settings) as store:
                    Networks(store).add("authors", read, source=origin.shown, actor="benchmark", live=origin)

            added = seconds_of(add)
    work = f"live graph: {_NAME}"
    return [
        Row(f"{work}: block sequence, first time", first, "s", _COUNT_SECONDS),
        Row(f"{work}: block sequence, again", again, "s", _COUNT_SECONDS),
        Row(f"{work}: read and added to the store", added, "s", _ADD_SECONDS),
        Row(f"{work}: delivered, read back, compared, shown", delivery, "s"),
    ]
