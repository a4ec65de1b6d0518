"""``python freeform_peer_process.py``: a peer's classes of records, from a Python that has the peer.

Reads a JSON object with `peer`, `k`, `records` (numbers of values, the first column a number, the others categories)
and `sizes` (values in each domain); prints one with the seconds, and what the peer found: the class of every record, −1
for one that it leaves out, and where it published the whole domain.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import warnings
from importlib import import_module
from typing import Any

_WARM = 60
_ALL = "*"


def main(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of one peer; what is compiled is compiled before the clock starts."""
    warnings.simplefilter("ignore")
    import numpy as np

    records, k, sizes = np.array(asked["records"]), asked["k"], asked["sizes"]
    run = _PEERS[asked["peer"]]
    run(records[:_WARM], k, sizes)
    began = time.perf_counter()
    found = run(records, k, sizes)
    return {"seconds": time.perf_counter() - began, **found}


def _frame(records: Any) -> Any:
    """Return the records as a data frame: a number, and categories as text."""
    frame = import_module("pandas").DataFrame(records).add_prefix("x")
    for name in frame.columns[1:]:
        frame[name] = "v" + frame[name].astype(str)
    return frame


def _equal_rows(frame: Any) -> list[int]:
    """Return the class of every record: those that are published with the same values."""
    found: list[int] = frame.groupby(list(frame.columns), sort=False, dropna=False).ngroup().tolist()
    return found


def _umbra_k(records: Any, k: int, sizes: list[int]) -> dict[str, Any]:
    frame = _frame(records)
    released = import_module("umbra_k").MondrianAnonymizer(k=k, quasi_id=list(frame.columns)).fit_transform(frame)
    return {"classes": _equal_rows(released), "whole": []}


def _anonypy(records: Any, k: int, sizes: list[int]) -> dict[str, Any]:
    frame = _frame(records)
    names = list(frame.columns)
    for name in names[1:]:
        frame[name] = frame[name].astype("category")
    frame["sensitive"] = import_module("pandas").Series(["s"] * len(frame), dtype="category")
    anonypy = import_module("anonypy")
    partitions = import_module("anonypy.mondrian").Mondrian(frame, names, "sensitive").partition(k)
    # what its method for k-anonymity does with the partitions
    anonypy.anonymize(frame, partitions, names, "sensitive")
    classes = [-1] * len(frame)
    for number, partition in enumerate(partitions):
        for record in partition:
            classes[record] = number
    return {"classes": classes, "whole": []}


def _lighthouse(records: Any, k: int, sizes: list[int]) -> dict[str, Any]:
    frame = _frame(records)
    names = list(frame.columns)
    frame["x0"], frame["id"] = frame["x0"].astype("float64"), range(len(frame))
    tree = import_module("project_lighthouse_anonymize.gtrees").make_flat_default_gtree
    trees = {
        name: tree({f"v{value}" for value in range(size)}) for name, size in zip(names[1:], sizes[1:], strict=True)
    }
    anonymize = import_module("project_lighthouse_anonymize.wrappers.k_anonymize").k_anonymize
    released, _, _ = anonymize(logging.getLogger("peer"), frame, names, k, trees, "id", parallelism=None)
    classes = [-1] * len(frame)
    released = released.reset_index(drop=True)
    for record, number in zip(released["id"], _equal_rows(released[names]), strict=True):
        classes[record] = number
    whole = [
        [int(released["id"][row]), place]
        for place, name in enumerate(names)
        for row in (released[name] == _ALL).to_numpy().nonzero()[0]
    ]
    return {"classes": classes, "whole": whole}


def _pycanon(records: Any, k: int, sizes: list[int]) -> dict[str, Any]:
    """The classic tests; the last column is the sensitive one."""
    frame = _frame(records)
    anonymity, names = import_module("pycanon.anonymity"), list(frame.columns)
    quasi, sensitive = names[:-1], names[-1:]
    return {
        "k": int(anonymity.k_anonymity(frame, quasi)),
        "l": int(anonymity.l_diversity(frame, quasi, sensitive)),
        "t": float(anonymity.t_closeness(frame, quasi, sensitive)),
    }


_PEERS = {
    "umbra_k": _umbra_k,
    "anonypy": _anonypy,
    "project_lighthouse_anonymize": _lighthouse,
    "pycanon": _pycanon,
}


if __name__ == "__main__":
    print(json.dumps(main(json.load(sys.stdin))))
