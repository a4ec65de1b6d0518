"""The list of tests that `make test` leaves to `make test-slow`, made from the durations that pytest prints.

``make test-all PYTEST_ARGS="--durations=0 --durations-min=1" > LOG``, then ``python -m tests.support.slow_tests LOG``.
"""

import re
import sys
from pathlib import Path

LIST = "slow_tests.txt"
LONGEST = 2.2
"""Seconds of a call up to which a test is quick."""
_DURATION = re.compile(r"^\s*([\d.]+)s call\s+(\S.*?)\s*$")


def names_in(path: Path) -> frozenset[str]:
    """Return the tests of a list."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def slow_in(log: str) -> list[str]:
    """Return the tests of a log that take long."""
    found = (_DURATION.match(line) for line in log.splitlines())
    return sorted({match[2] for match in found if match and float(match[1]) >= LONGEST})


if __name__ == "__main__":
    path = Path(__file__).parents[1] / LIST
    head = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    path.write_text(
        "\n".join([*head, *slow_in(Path(sys.argv[1]).read_text(encoding="utf-8"))]) + "\n", encoding="utf-8"
    )
