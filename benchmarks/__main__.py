"""``python -m benchmarks`` is ``auditor benchmark``."""

import sys

from cli.app import run

sys.exit(run(["benchmark", *sys.argv[1:]]))
