"""Records: how far the best partition of a file may be from the best there is, and how many small files are solved."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from benchmarks.microdata import CRITERIA, FILES, Records, load_records, mixture, noisy_copies, subsets, write_mixture
from benchmarks.process import auditor, measure
from benchmarks.row import Row
from graphkit.microdata.microaggregation.driver import microaggregate
from graphkit.microdata.microaggregation.groups import within_groups
from graphkit.microdata.microaggregation.result import Microaggregation
from graphkit.microdata.microaggregation.scaling import standardized

_METHOD = "column-generation"
_SECONDS, _SECONDS_OF_A_SUBSET = 300.0, 60.0
# file, k, bar of the gap in percent, best loss in percent that was known before
_GAPS = (
    ("Census", 3, 0.3, 4.681),
    ("Tarragona", 3, 1.0, 14.474),
    ("Census", 5, 2.0, 7.2785),
    ("Tarragona", 5, 2.0, 20.149),
    ("EIA", 3, 3.0, 0.349),
)
_K = (3, 4, 5)
# sizes, how many subsets by each criterion, bar of the share that is solved in percent, what the paper solves
_SUBSETS = (
    ((30, 40, 50), 5, 90.0, "paper: about 36 of 360"),
    ((100,), 5, 60.0, "paper: 0 of 120"),
    ((200,), 1, None, "paper: 0 of 120"),
)


# bars of the loss in percent in a minute, and what was best known before; k = 3, 4, 5, 10
_LOSSES = {
    "Tarragona": ((14.48, 17.12, 20.16, 30.12), (14.474, 17.109, 20.149, 30.116)),
    "Census": ((4.69, 6.09, 7.31, 11.39), (4.681, 6.085, 7.2785, 11.3697)),
    "EIA": ((0.349, 0.483, 0.731, 1.935), (0.349, 0.483, 0.730, 1.933)),
}
_MDAV = {"Tarragona": (16.93, 22.46, 33.19), "Census": (5.69, 9.09, 14.16), "EIA": (0.48, 1.67, 3.84)}
_MINUTE = 60.0


def run(data_dir: Path | None) -> Iterator[Row]:
    """Run all parts; files that are not at hand are left out."""
    for part in PARTS.values():
        yield from part(data_dir)


def _losses(data_dir: Path | None) -> Iterator[Row]:
    """What the default method loses in a minute, and MDAV at once."""
    _warm_up()
    microaggregate(np.random.default_rng(0).normal(size=(40, 3)), 3, effort=0.5)
    for name, (bars, known) in _LOSSES.items():
        records = load_records(data_dir, name)
        if records is None:
            continue
        for k, published in zip((3, 5, 10), _MDAV[name], strict=True):
            began = time.perf_counter()
            plain = microaggregate(records, k, method="mdav")
            seconds = time.perf_counter() - began
            assert round(plain.information_loss, 2) == published
            yield Row(
                f"microdata: {name}, k = {k}: MDAV, loss as published", seconds, "s", 0.15 if name == "Census" else None
            )
        for k, bar, best in zip((3, 4, 5, 10), bars, known, strict=True):
            result = microaggregate(records, k, effort=2 * _MINUTE, time_limit=_MINUTE, clock=time.monotonic)
            work = f"microdata: {name}, k = {k}, {_MINUTE:g} s: information loss"
            yield Row(work, result.information_loss, "%", bar, f"known before: {best}")


def _gaps(data_dir: Path | None) -> Iterator[Row]:
    """Proven gaps of whole files."""
    _warm_up()
    for name, k, bar, known in _GAPS:
        records = load_records(data_dir, name)
        if records is None:
            continue
        result = _checked(records, k, _SECONDS)
        work = f"microdata: {name}, k = {k}, {_SECONDS:g} s"
        yield Row(f"{work}: proven gap", 100 * result.gap, "%", bar, "no one proves any above 200 records")
        yield Row(f"{work}: information loss", result.information_loss, "%", known, f"known before: {known}")


def _subsets(data_dir: Path | None) -> Iterator[Row]:
    """Small files: how many are proven optimal."""
    _warm_up()
    files = [load_records(data_dir, name) for name in FILES if name != "EIA"]
    for sizes, count, bar, peer in _SUBSETS:
        solved: list[bool] = []
        seconds: list[float] = []
        for size in sizes:
            for records in (file for file in files if file is not None):
                for some in (one for criterion in CRITERIA for one in subsets(records, size, criterion, count)):
                    for k in _K:
                        began = time.perf_counter()
                        result = _checked(some, k, _SECONDS_OF_A_SUBSET)
                        seconds.append(time.perf_counter() - began)
                        solved.append(result.status == "optimal")
        if not solved:
            continue
        work = f"microdata: {len(solved)} subsets of {', '.join(map(str, sizes))} records, k = 3, 4, 5"
        limit = f"{_SECONDS_OF_A_SUBSET:g} s each"
        yield Row(f"{work}: proven optimal, {limit}", 100 * sum(solved) / len(solved), "%", bar, peer, at_least=True)
        yield Row(f"{work}: median time", float(np.median(seconds)), "s")


def _checked(records: Records, k: int, seconds: float) -> Microaggregation:
    """Return what column generation finds; groups and loss are computed anew."""
    result = microaggregate(records, k, method=_METHOD, time_limit=seconds, clock=time.monotonic)
    assert np.bincount(result.labels).min() >= k
    assert np.isclose(within_groups(standardized(records), result.labels), result.sse, rtol=1e-9)
    assert result.lower_bound <= result.sse
    return result


def _warm_up() -> None:
    """Compile what will be measured."""
    microaggregate(np.random.default_rng(0).normal(size=(40, 3)), 3, method=_METHOD, effort=0.5)


# records, bars of seconds and MiB, and whether they are worked on in parts
_SIZES = ((100_000, 60.0, None, False), (1_000_000, 600.0, 4 * 1024.0, False), (10_000_000, 3600.0, 8 * 1024.0, True))
_ATTRIBUTES = 10
_TOGETHER, _PART, _MOST_WORSE = 20_000, 2_500, 5.0


def _large(data_dir: Path | None) -> Iterator[Row]:
    """Many records, from the Parquet file to the verified release; and what is lost by working on parts."""
    seconds: dict[int, float] = {}
    for records, bar, mib, in_parts in _SIZES:
        with tempfile.TemporaryDirectory() as folder:
            file, out = Path(folder) / "mixture.parquet", Path(folder) / "released.parquet"
            write_mixture(file, records, _ATTRIBUTES)
            command = auditor("microdata", "microaggregate", str(file), "--k", "3", "--out", str(out), "--json")
            done = measure(command, timeout=2 * bar)
        found = json.loads(done.stdout)
        assert all(check["passed"] for check in found["verification"])
        assert found["groups"] * 3 <= found["records"] == records
        seconds[records] = done.seconds
        work = f"microdata: {records:.0e} × {_ATTRIBUTES}, k = 3, {'in parts' if in_parts else 'at once'}"
        yield Row(f"{work}: from the file to the verified release", done.seconds, "s", bar)
        yield Row(f"{work}: peak memory", done.peak_mib, "MiB", mib)
        yield Row(f"{work}: information loss", found["information_loss"], "%")
    few, many = min(seconds), max(seconds)
    growth = seconds[many] / many / (seconds[few] / few)
    yield Row(f"microdata: cost of a record of {many:.0e}, by that of {few:.0e}", growth, "", 1.5)
    yield from _worse_in_parts(data_dir)


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
    "losses": _losses,
    "gaps": _gaps,
    "subsets": _subsets,
    "large": _large,
}
