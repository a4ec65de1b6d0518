"""Records: how far the best partition of a file may be from the best there is, and how many small files are solved."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.microdata import CRITERIA, FILES, Records, load_records, mixture, noisy_copies, subsets, write_mixture
from benchmarks.microdata_losses import CELLS, icsm_gains, icsm_rows, loss_row, mdav_rows, warm_up
from benchmarks.microdata_peers import peer_rows
from benchmarks.process import Measured, auditor, measure
from benchmarks.row import Row
from graphkit.microdata.microaggregation.driver import microaggregate
from graphkit.microdata.microaggregation.groups import within_groups
from graphkit.microdata.microaggregation.result import Microaggregation
from graphkit.microdata.microaggregation.scaling import standardized

_METHOD = "column-generation"
_EFFORT, _EFFORT_OF_A_SUBSET = 300.0, 60.0
# bar of the gap in percent, best loss in percent that was known before
_GAPS = {
    ("Census", 3): (0.3, 4.681),
    ("Tarragona", 3): (1.0, 14.474),
    ("Census", 5): (2.0, 7.2785),
    ("Tarragona", 5): (2.0, 20.149),
    ("EIA", 3): (3.0, 0.349),
}
_K = (3, 4, 5)
# sizes: how many subsets by each criterion, bar of the share that is solved in percent, what the paper solves
_SUBSETS: Mapping[tuple[int, ...], tuple[int, float | None, str]] = {
    (30, 40, 50): (5, 90.0, "paper: about 36 of 360"),
    (100,): (5, 60.0, "paper: 0 of 120"),
    (200,): (1, None, "paper: 0 of 120"),
}


def _gap(data_dir: Path | None, name: str, k: int) -> Iterator[Row]:
    """The proven gap of a whole file."""
    bar, known = _GAPS[name, k]
    records = load_records(data_dir, name)
    if records is None:
        return
    warm_up(_METHOD)
    result, seconds = _checked(records, k, _EFFORT)
    work = f"microdata: {name}, k = {k}, effort {_EFFORT:g}"
    yield Row(f"{work}: proven gap", 100 * result.gap, "%", bar, "no one proves any above 200 records")
    yield Row(f"{work}: information loss with a proof", result.information_loss, "%", known, f"known before: {known}")
    yield Row(f"{work}: processor time", seconds, "s")


def _subsets(data_dir: Path | None, sizes: Sequence[int]) -> Iterator[Row]:
    """Small files: how many are proven optimal."""
    count, bar, peer = _SUBSETS[tuple(sizes)]
    warm_up(_METHOD)
    files = [load_records(data_dir, name) for name in FILES if name != "EIA"]
    solved: list[bool] = []
    seconds: list[float] = []
    for size in sizes:
        for records in (file for file in files if file is not None):
            for some in (one for criterion in CRITERIA for one in subsets(records, size, criterion, count)):
                for k in _K:
                    result, took = _checked(some, k, _EFFORT_OF_A_SUBSET)
                    seconds.append(took)
                    solved.append(result.status == "optimal")
    if not solved:
        return
    work = f"microdata: {len(solved)} subsets of {', '.join(map(str, sizes))} records, k = 3, 4, 5"
    limit = f"effort {_EFFORT_OF_A_SUBSET:g} each"
    yield Row(f"{work}: proven optimal, {limit}", 100 * sum(solved) / len(solved), "%", bar, peer, at_least=True)
    yield Row(f"{work}: median processor time", float(np.median(seconds)), "s")
    yield Row(f"{work}: longest processor time", max(seconds), "s")


def _checked(records: Records, k: int, effort: float) -> tuple[Microaggregation, float]:
    """Return what column generation finds, and the processor time; groups and loss are computed anew."""
    began = time.process_time()
    result = microaggregate(records, k, method=_METHOD, effort=effort)
    seconds = time.process_time() - began
    assert np.bincount(result.labels).min() >= k
    assert np.isclose(within_groups(standardized(records), result.labels), result.sse, rtol=1e-9)
    assert result.lower_bound <= result.sse
    return result, seconds


# bars of seconds and MiB, and whether they are worked on in parts
_SIZES: Mapping[int, tuple[float, float | None, bool]] = {
    100_000: (60.0, None, False),
    1_000_000: (600.0, 4 * 1024.0, False),
    10_000_000: (3600.0, 8 * 1024.0, True),
}
_FEW, _MOST_GROWTH = 100_000, 1.5
_ATTRIBUTES = 10
_TOGETHER, _PART, _MOST_WORSE = 20_000, 2_500, 5.0


def _large(data_dir: Path | None, records: int) -> Iterator[Row]:
    """Many records, from the Parquet file to the verified release; and by how much a record costs more than of few."""
    bar, mib, in_parts = _SIZES[records]
    done, loss = _released(records, 2 * bar)
    work = f"microdata: {records:.0e} × {_ATTRIBUTES}, k = 3, {'in parts' if in_parts else 'at once'}"
    yield Row(f"{work}: from the file to the verified release", done.seconds, "s", bar)
    yield Row(f"{work}: processor time", done.processor_seconds, "s")
    yield Row(f"{work}: peak memory", done.peak_mib, "MiB", mib)
    yield Row(f"{work}: information loss", loss, "%")
    if in_parts:
        few, _ = _released(_FEW, 2 * bar)
        work = f"microdata: cost of a record of {records:.0e}, by that of {_FEW:.0e}"
        yield Row(work, done.seconds / records / (few.seconds / _FEW), "", _MOST_GROWTH)
        by_processor = done.processor_seconds / records / (few.processor_seconds / _FEW)
        yield Row(f"{work}, in processor time", by_processor, "")


def _released(records: int, timeout: float) -> tuple[Measured, float]:
    """Return what the command needed, and the information loss."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "mixture.parquet", Path(folder) / "released.parquet"
        write_mixture(file, records, _ATTRIBUTES)
        command = auditor("microdata", "microaggregate", str(file), "--k", "3", "--out", str(out), "--json")
        done = measure(command, timeout=timeout)
    found = json.loads(done.stdout)
    assert all(check["passed"] for check in found["verification"])
    assert found["groups"] * 3 <= found["records"] == records
    return done, float(found["information_loss"])


def _worse_in_parts(data_dir: Path | None) -> Iterator[Row]:
    """What eight small parts lose more than all records together, with the same effort."""
    import ibis
    import pyarrow as pa

    from graphkit.microdata.table import microaggregate_table

    census = load_records(data_dir, "Census")
    files = {"mixture": mixture(_TOGETHER), "normal": np.random.default_rng(1).normal(size=(_TOGETHER, _ATTRIBUTES))}
    if census is not None:
        files["Census with noise"] = noisy_copies(census, _TOGETHER)
    for name, records in files.items():
        columns = {f"x{number}": column for number, column in enumerate(records.T)}
        connection = ibis.duckdb.connect()
        rows = ibis.memtable(pa.table({"record": np.arange(_TOGETHER)} | columns))
        losses = [
            microaggregate_table(connection, connection.create_table(f"rows{size}", rows), 3, attributes=list(columns),
                                 part_size=size).information_loss
            for size in (_TOGETHER, _PART)
        ]  # fmt: skip
        work = f"microdata: {name}, {_TOGETHER} records: loss in {_TOGETHER // _PART} parts, above that of all at once"
        yield Row(work, 100 * (losses[1] / losses[0] - 1), "%", _MOST_WORSE)


PARTS: Mapping[str, Callable[[Path | None], Iterator[Row]]] = {
    **{f"losses-{name.lower()}-{k}": partial(loss_row, name=name, k=k) for name, k in CELLS},
    **{f"mdav-{name.lower()}": partial(mdav_rows, name=name) for name in FILES},
    **{f"icsm-{name.lower()}": partial(icsm_rows, name=name) for name in FILES},
    "icsm-synthetic": icsm_gains,
    **{f"gaps-{name.lower()}-{k}": partial(_gap, name=name, k=k) for name, k in _GAPS},
    **{f"subsets-{sizes[-1]}": partial(_subsets, sizes=sizes) for sizes in _SUBSETS},
    **{f"large-{records}": partial(_large, records=records) for records in _SIZES},
    "parts": _worse_in_parts,
    "peers": peer_rows,
}
