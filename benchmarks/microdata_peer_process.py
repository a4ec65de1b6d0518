"""``python microdata_peer_process.py``: a peer's figures, from a Python that has the peer and nothing of this project.

Reads a JSON object with `peer`, `k` and `records`; prints one with the seconds of the processor and what was found.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from typing import Any


def main(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of one peer; kernels are compiled before the clock starts."""
    import numpy as np

    records, k, peer = np.array(asked["records"]), asked["k"], asked["peer"]
    module: Any = import_module(peer)
    if peer == "microaggregation":
        run = module.calculate_sse_dynamic
    elif peer == "microagg1d":
        run, records = module.univariate_microaggregation, records[:, 0].copy()
        run(records[: 4 * k].copy(), k)
    else:
        records = import_module("pandas").DataFrame(records).add_prefix("x")

        def run(frame: Any, size: int) -> Any:
            return module.suda(frame, max_msu=size)["msu"]

    began = time.process_time()
    found = run(records, k)
    seconds = time.process_time() - began
    return {"seconds": seconds, "found": np.asarray(found).tolist()}


if __name__ == "__main__":
    print(json.dumps(main(json.load(sys.stdin))))
