"""What verifies a released file shares no code with what decides, answers and writes."""

from __future__ import annotations

import subprocess
import sys


def test_the_verification_loads_nothing_that_decides_or_writes() -> None:
    code = "import sys, auditor.subjects.tables.releases.verifying; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "auditor.subjects.tables.releases.verifying" in loaded
    inside = {name for name in loaded if name.startswith("auditor.subjects.tables.releases.")}
    assert inside == {"auditor.subjects.tables.releases.verifying"}
    others = ("graphkit.tables.decisions", "graphkit.tables.sharp_bounds", "graphkit.tables.moves")
    assert not any(name.startswith(others) for name in loaded)
