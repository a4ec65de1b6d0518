"""``python microdata_peer_process.py``: a peer's figures, from a Python that has the peer and nothing of this project.

Reads a JSON object with `peer`, `k` and `records`; prints one with the seconds of the processor and what was found.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def main(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of one peer; kernels are compiled before the clock starts."""
    import numpy as np

    records, k, peer = np.array(asked["records"]), asked["k"], asked["peer"]
    if peer == "microaggregation":
        from microaggregation import calculate_sse_dynamic as run
    elif peer == "microagg1d":
        from microagg1d import univariate_microaggregation as run

        run(records[: 4 * k, 0].copy(), k)
        records = records[:, 0].copy()
    else:
        import pandas as pd
        from suda import suda

        records = pd.DataFrame(records)

        def run(frame: Any, size: int) -> Any:
            return suda(frame, max_msu=size)["msu"]

    began = time.process_time()
    found = run(records, k)
    seconds = time.process_time() - began
    return {"seconds": seconds, "found": np.asarray(found).tolist()}


if __name__ == "__main__":
    print(json.dumps(main(json.load(sys.stdin))))
