"""The page of a table with 16 variables: 65 536 marginals, of which it shows the part that matters."""

from __future__ import annotations

import http.client
import os
import time
from datetime import timedelta
from pathlib import Path

from auditor.access.tokens import Tokens
from auditor.subjects.tables.repository import Tables
from benchmarks.networks import private_store
from benchmarks.row import Row
from benchmarks.service_load import log_in, served

_VARIABLES = 16


def run_lattice_page(data_dir: Path | None) -> list[Row]:
    """Measure the first view of the page, in a service that has shown it to nobody, and how large it is."""
    import numpy as np

    from auditor.config import load_settings
    from auditor.formats.tables import LoadedTable
    from auditor.policy import Policy
    from auditor.store import open_store
    from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
    from graphkit.hierarchies.variable import Variable
    from graphkit.tables.structure.contingency import ContingencyTable

    rng = np.random.default_rng(1)
    names = [f"v{axis}" for axis in range(_VARIABLES)]
    cells, counts = np.unique(rng.integers(0, 1 << _VARIABLES, 20_000), return_counts=True)
    table = ContingencyTable(tuple(Variable(name, ("no", "yes")) for name in names), cells, counts)
    with private_store() as environment:
        whole = {**os.environ, **environment}
        with open_store(load_settings(environ=whole)) as store:
            Tables(store).add("wide", LoadedTable(table), source="benchmark", actor="benchmark")
            for first in range(0, _VARIABLES, 2):
                pair = names[first : first + 2]
                answer_request(
                    store,
                    MarginalRequest("wide", pair, Policy(), by="benchmark", actor="benchmark"),
                    clock=time.monotonic,
                )
            until = store.ledger.clock() + timedelta(days=1)
            _, secret = Tokens(store).create(person="bench", role="officer", expires_at=until, actor="benchmark")
        with served(whole) as port:
            cookie = log_in(port, secret)
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            began = time.monotonic()
            connection.request("GET", "/tables/wide", headers={"Cookie": cookie})
            response = connection.getresponse()
            size = len(response.read())
            took = time.monotonic() - began
    if response.status != 200:
        raise RuntimeError(f"this is no figure: {response.status}")
    work = f"service: page of a table with {_VARIABLES} variables"
    return [
        Row(f"{work}: first view", took, "s", bar=1.5),
        Row(f"{work}: size", size / 1000, "kB", bar=500),
    ]
