"""Freeform generalization: what the methods lose on Adult, and how long they take."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.adult import Adult, Codes, load_adult
from benchmarks.freeform_peers import peer_rows, tiny_rows
from benchmarks.process import auditor, measure
from benchmarks.row import Row
from graphkit.microdata import Attribute, Generalization, generalize
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.baselines.global_recoding import global_recoding, recoded_extents
from graphkit.microdata.generalization.baselines.k_concealment import k_concealment
from graphkit.microdata.generalization.baselines.k_member import k_member
from graphkit.microdata.generalization.baselines.mondrian import mondrian
from graphkit.microdata.generalization.baselines.partition import class_extents, rings
from graphkit.microdata.generalization.extents import joined, layout_of, losses_of
from graphkit.microdata.generalization.registry import METHODS
from graphkit.microdata.utility import count_queries
from graphkit.microdata.verify_diversity import verify_matchings

# records, k, effort, bars of GCP and of seconds, GCP of plain assignments of dense matrices
_QUICK = (
    (1000, 2, 2.0, 0.02101, 2.0, 0.0210),
    (1000, 5, 2.0, 0.0665, 2.0, 0.0679),
    (1000, 10, 2.0, 0.1140, 2.0, 0.1158),
    (3000, 5, 6.0, 0.0470, 10.0, 0.0473),
    (3000, 10, 6.0, 0.0820, 10.0, 0.0826),
)
_LONG = ((1000, 5, 60.0), (1000, 10, 60.0))
_GAPS = {(1000, 5): 20.0}
# what the notes of those who measured the methods of the paper have, by records and k
_PUBLISHED = {
    "greedy": {(1000, 5): 0.0976, (3000, 5): 0.0767},
    "sort-greedy": {(1000, 5): 0.0756, (3000, 5): 0.0530},
    "hungarian": {(1000, 5): 0.0679, (3000, 5): 0.0473},
}
_WITHIN = 1.03
_SORT_GREEDY_SECONDS = 3.0
_WHOLE_K, _WHOLE_LOSS, _WHOLE_SECONDS, _WHOLE_MIB = 5, 0.020, 120.0, 3 * 1024.0
_SUPPRESSED, _MOST_CONCEALED = 0.05, 3000
_SENSITIVE, _DISTINCT = "occupation", 3
_PARTS, _MOST_WORSE = 4, 5.0
_MANY, _MANY_SECONDS, _MANY_MIB = 1_000_000, 1800.0, 6 * 1024.0
# records, with bars of seconds, seconds of the verification, and MiB
_SIZES: Mapping[int, tuple[float | None, float | None, float | None]] = {
    100_000: (None, None, None),
    _MANY: (_MANY_SECONDS, 120.0, _MANY_MIB),
}


def _methods(data_dir: Path | None) -> Iterator[Row]:
    """The default method with little and with more effort, and the methods of the paper."""
    adult = load_adult(data_dir)
    if adult is None:
        return
    for method in METHODS:
        generalize(adult.sample(40), adult.attributes, 3, method=method, effort=0.01)
    for n, k, effort, bar, limit, naive in _QUICK:
        seconds, found = _checked(adult, adult.sample(n), k, effort=effort)
        work = f"freeform: Adult, n = {n}, k = {k}"
        yield Row(f"{work}: GCP", found.loss, "", bar, f"dense assignments: {naive}")
        yield Row(f"{work}: time", seconds, "s", limit)
        if k == 2:
            yield Row(f"{work}: proven gap", 100 * found.gap, "%", 0.0)
    for n, k, effort in _LONG:
        _, found = _checked(adult, adult.sample(n), k, effort=effort)
        work = f"freeform: Adult, n = {n}, k = {k}, effort {effort:g}"
        yield Row(f"{work}: GCP", found.loss, "")
        yield Row(f"{work}: proven gap", 100 * found.gap, "%", _GAPS.get((n, k)))
    for method, published in _PUBLISHED.items():
        for (n, k), loss in published.items():
            seconds, found = _checked(adult, adult.sample(n), k, method=method)
            is_bound = method == "sort-greedy" and n == 3000
            work = f"freeform: Adult, n = {n}, k = {k}, {method}"
            yield Row(f"{work}: GCP", found.loss, "", _WITHIN * loss if is_bound else None, f"measured before: {loss}")
            yield Row(f"{work}: time", seconds, "s", _SORT_GREEDY_SECONDS if is_bound else None)


def _diverse(
    data_dir: Path | None, n: int | None = None, bars: tuple[float | None, float | None] = (None, None)
) -> Iterator[Row]:
    """What demands on sensitive values cost, of n records or all: two salary classes, three of 14 occupations."""
    adult = load_adult(data_dir)
    if adult is None:
        return
    n = len(adult.codes) if n is None else n
    k, codes, attributes = _WHOLE_K, adult.sample(n), adult.attributes
    place = adult.names.index(_SENSITIVE)
    others = [attribute for at, attribute in enumerate(attributes) if at != place]
    for name, distinct, sensitive, held, domains, bar in (
        ("salary", 2, adult.sampled_salaries(n), codes, attributes, bars[0]),
        (_SENSITIVE, _DISTINCT, codes[:, place], np.delete(codes, place, axis=1), others, bars[1]),
    ):
        demand = Demand(name, distinct)
        began = time.perf_counter()
        found = generalize(held, domains, k, demands=[demand], sensitive=[sensitive])
        seconds = time.perf_counter() - began
        assert found.matchings is not None
        assert verify_matchings(found.covered, found.matchings, [demand], [sensitive]).passed
        work = f"freeform: Adult, n = {n}, k = {k}, {distinct} values of {name}"
        free = generalize(held, domains, k).loss
        yield Row(f"{work}: GCP", found.loss, "", bar, f"without: {free:.4f}")
        yield Row(f"{work}: time", seconds, "s")


def _whole(data_dir: Path | None) -> Iterator[Row]:
    """All records of the file."""
    adult = load_adult(data_dir)
    if adult is None:
        return
    generalize(adult.sample(40), adult.attributes, 3, effort=0.01)
    seconds, found = _checked(adult, adult.codes, _WHOLE_K)
    work = f"freeform: Adult, n = {len(adult.codes)}, k = {_WHOLE_K}"
    yield Row(f"{work}: GCP", found.loss, "", _WHOLE_LOSS, "Mondrian: 0.0435; NH: 0.0236")
    yield Row(f"{work}: proven gap", 100 * found.gap, "%")
    yield Row(f"{work}: time", seconds, "s", _WHOLE_SECONDS)
    yield Row(f"{work}: peak memory", _peak_mib(), "MiB", _WHOLE_MIB)


def _baselines(data_dir: Path | None) -> Iterator[Row]:
    """What others make of the same records: classes, rings, one level an attribute; and how far counts are off."""
    adult = load_adult(data_dir)
    if adult is None:
        return
    for n in (1000, len(adult.codes)):
        codes, attributes, k = adult.sample(n), adult.attributes, _WHOLE_K
        for name, held in _versions(codes, attributes, k).items():
            work = f"freeform: Adult, n = {n}, k = {k}, {name}"
            yield Row(f"{work}: GCP", float(losses_of(layout_of(attributes), held).mean()), "")
            yield Row(f"{work}: half of random counts off by", 100 * count_queries(attributes, codes, held).median, "%")


def _versions(codes: Codes, attributes: Sequence[Attribute], k: int) -> dict[str, Codes]:
    """Return what is published of every record, by how it was made."""
    layout, n = layout_of(attributes), len(codes)
    classes = {"Mondrian": mondrian(codes, attributes, k), "k-member": k_member(codes, attributes, k)}
    found = {name: class_extents(layout, codes, of) for name, of in classes.items()}
    for name, of in classes.items():
        found[f"rings on {name} (NH)"] = joined(layout, codes, rings(codes, of, k))
    if n <= _MOST_CONCEALED:
        found["k-concealment"] = k_concealment(codes, attributes, k)
    recoding = global_recoding(codes, attributes, k, suppressed=_SUPPRESSED)
    recoded = recoded_extents(attributes, codes, recoding)
    found[f"global recoding without hierarchies, {_SUPPRESSED:.0%} suppressed"] = recoded
    found["ours"] = joined(layout, codes, generalize(codes, attributes, k).covered)
    return found


def _many(data_dir: Path | None) -> Iterator[Row]:
    """A million records with the marginal distributions of the file."""
    adult = load_adult(data_dir)
    if adult is None:
        return
    seconds, found = _checked(adult, adult.synthetic(_MANY), _WHOLE_K)
    work = f"freeform: {_MANY:.0e} records by Adult's marginals, k = {_WHOLE_K}"
    yield Row(f"{work}: GCP", found.loss, "")
    yield Row(f"{work}: time", seconds, "s", _MANY_SECONDS)
    yield Row(f"{work}: peak memory", _peak_mib(), "MiB", _MANY_MIB)


def _large(data_dir: Path | None, records: int, diverse: bool = False) -> Iterator[Row]:
    """The same records, from the Parquet file to the verified release, part by part; with demands, too."""
    adult, limits = load_adult(data_dir), _SIZES[records]
    if adult is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "adult.parquet", Path(folder) / "released.parquet"
        names = _write_synthetic(adult, records, file)
        command = ["microdata", "generalize", str(file), "--k", str(_WHOLE_K), "--large"]
        if diverse:
            sensitive = names.pop(adult.names.index(_SENSITIVE))
            command += ["--sensitive", sensitive, "--l", str(_DISTINCT)]
        command += ["--attribute", ",".join(names)]
        done = measure(auditor("--json", *command, "--out", str(out)), timeout=8 * _MANY_SECONDS)
    found = json.loads(done.stdout)
    assert all(check["passed"] for check in found["verification"])
    assert found["records"] == records
    work = f"freeform: {records:.0e} records by Adult's marginals, k = {_WHOLE_K}, in parts"
    if diverse:
        work += f", {_DISTINCT} values of {_SENSITIVE}"
    phases = ", ".join(f"{phase} {seconds:.0f}" for phase, seconds in found["seconds"].items())
    yield Row(f"{work}: from the file to the verified release", done.seconds, "s", limits[0], phases)
    yield Row(f"{work}: processor time", done.processor_seconds, "s")
    yield Row(f"{work}: verification", found["seconds"]["verify"], "s", limits[1])
    yield Row(f"{work}: peak memory", done.peak_mib, "MiB", limits[2])
    yield Row(f"{work}: GCP", found["information_loss"], "")


def _write_synthetic(adult: Adult, records: int, file: Path) -> list[str]:
    """Write records by the marginals of the file, and return the names of their columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    codes = adult.synthetic(records)
    columns: dict[str, Any] = {}
    for place, attribute in enumerate(adult.attributes):
        texts = np.array([f"v{one}" for one in range(attribute.size)])
        values = attribute.numbers if attribute.kind == "range" else texts
        columns[f"a{place}"] = pa.array(values[codes[:, place]])
    pq.write_table(pa.table(columns), file)
    return list(columns)


def _worse_in_parts(data_dir: Path | None) -> Iterator[Row]:
    """What parts lose more than all records of the file together, with the same effort."""
    adult = load_adult(data_dir)
    if adult is None:
        return
    import ibis
    import pyarrow as pa

    from graphkit.microdata.table import generalize_table

    codes, connection = adult.codes, ibis.duckdb.connect()
    columns = {f"a{place}": column for place, column in enumerate(codes.T)}
    rows = connection.create_table("rows", ibis.memtable(pa.table({"record": np.arange(len(codes))} | columns)))
    _, together = _checked(adult, codes, _WHOLE_K)
    parts = generalize_table(
        connection, rows, adult.attributes, _WHOLE_K, columns=list(columns), part_size=len(codes) // _PARTS
    )
    work = f"freeform: Adult, n = {len(codes)}, k = {_WHOLE_K}: loss in {_PARTS} parts, above that of all at once"
    yield Row(work, 100 * (parts.loss / together.loss - 1), "%", _MOST_WORSE)


def _checked(
    adult: Adult, codes: Codes, k: int, method: str = "search", effort: float | None = None
) -> tuple[float, Generalization]:
    """Return how long a method takes and what it finds; that it is regular, and its loss, are computed anew."""
    began = time.perf_counter()
    found = generalize(codes, adult.attributes, k, method=method, effort=effort)
    seconds = time.perf_counter() - began
    ordered = np.sort(found.covered, axis=1)
    assert (ordered[:, 1:] > ordered[:, :-1]).all()
    assert (np.bincount(found.covered.ravel(), minlength=len(codes)) == k).all()
    layout = layout_of(adult.attributes)
    assert np.isclose(losses_of(layout, joined(layout, codes, found.covered)).mean(), found.loss, rtol=1e-12)
    return seconds, found


def _peak_mib() -> float:
    """Return the most memory that this process has had, in MiB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


PARTS: Mapping[str, Callable[[Path | None], Iterator[Row]]] = {
    "methods": _methods,
    "diverse": partial(_diverse, n=1000, bars=(0.105, 0.050)),
    "diverse-whole": _diverse,
    "whole": _whole,
    "baselines": _baselines,
    "many": _many,
    "tiny": tiny_rows,
    "peers": peer_rows,
    **{f"large-{records}": partial(_large, records=records) for records in _SIZES},
    **{f"large-diverse-{records}": partial(_large, records=records, diverse=True) for records in _SIZES},
    "parts": _worse_in_parts,
}
