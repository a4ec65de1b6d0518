"""Peers from the package registry on the same records, in the same run; those that are not installed are left out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import microdata_peer_process
from benchmarks.microdata import FILES, Records, load_records, mixture
from benchmarks.peer_pythons import asked
from benchmarks.row import Row
from graphkit.microdata.microaggregation.driver import microaggregate
from graphkit.microdata.microaggregation.groups import around_mean
from graphkit.microdata.microaggregation.scaling import standardized
from graphkit.microdata.risk.coded import code_records
from graphkit.microdata.risk.special_uniques import special_uniques

_K = 3
_MANY, _TIMES = 20_000, 3.0
_CODED, _SIZE = 5_000, 3


def peer_rows(data_dir: Path | None) -> Iterator[Row]:
    """Losses, the time of one attribute, and which records are unique."""
    yield from _losses(data_dir)
    yield from _one_attribute()
    yield from _uniques()


def _losses(data_dir: Path | None) -> Iterator[Row]:
    """The peer cuts the file in its own order."""
    for name in FILES:
        records = load_records(data_dir, name)
        found = None if records is None else _asked("microaggregation", _K, standardized(records))
        if records is None or found is None:
            continue
        loss = microaggregate(records, _K, method="mdav").information_loss
        peer = 100 * found["found"] / around_mean(standardized(records))
        work = f"microdata: {name}, k = {_K}: MDAV beside microaggregation, information loss"
        yield Row(work, loss, "%", peer, f"microaggregation: {peer:.1f}")


def _one_attribute() -> Iterator[Row]:
    records = np.random.default_rng(1).lognormal(size=(_MANY, 1))
    found = _asked("microagg1d", _K, records)
    if found is None:
        return
    microaggregate(records[: 4 * _K], _K, method="univariate")
    began = time.process_time()
    result = microaggregate(records, _K, method="univariate")
    seconds = time.process_time() - began
    points = standardized(records)[:, 0]
    labels = np.unique(found["found"], return_inverse=True)[1]
    means = np.bincount(labels, weights=points) / np.bincount(labels)
    # the peer sums in an order that costs it some digits
    theirs = ((points - means[labels]) ** 2).sum()
    assert theirs * (1 - 1e-5) <= result.sse <= theirs * (1 + 1e-9)
    work = f"microdata: one attribute, {_MANY} records, k = {_K}: the optimum, processor time"
    yield Row(work, seconds, "s", _TIMES * found["seconds"], f"microagg1d: {found['seconds']:.4f}")


def _uniques() -> Iterator[Row]:
    records = np.minimum(mixture(_CODED, 6) // 400, 8)
    found = _asked("suda", _SIZE, records)
    if found is None:
        return
    names = [f"x{number}" for number in range(records.shape[1])]
    coded = code_records(dict(zip(names, records.T, strict=True)))
    began = time.process_time()
    risk = special_uniques(coded, names, largest_size=_SIZE).risk
    seconds = time.process_time() - began
    sizes = np.bincount(np.array(found["found"], dtype=np.int64), minlength=_SIZE + 1)[1 : _SIZE + 1]
    assert tuple(sizes.tolist()) == risk.smallest_sizes
    work = f"microdata: special uniques of {_CODED} records, {len(names)} quasi-identifiers, processor time"
    yield Row(work, seconds, "s", found["seconds"], f"suda: {found['seconds']:.3f}")


def _asked(peer: str, k: int, records: Records) -> dict[str, Any] | None:
    """Return what a peer answers, or None where it is not installed."""
    return asked(microdata_peer_process.__file__, peer, {"k": k, "records": records.tolist()})
