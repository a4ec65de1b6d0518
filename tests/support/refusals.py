"""The line with which a bad file is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.core.errors import BadFile, BadInput
from auditor.formats.networks import read_network

__all__ = ["SECRET", "refusal"]

SECRET = "hannelore"
"""Stands in every bad file as a label or value and must not come back in a message."""


def refusal(path: Path, error: type[BadInput] = BadFile, **options: object) -> str:
    """The message with which a file is refused."""
    with pytest.raises(error) as caught:
        read_network(path, **options)  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    assert SECRET not in message
    assert path.name in message
    assert caught.value.exit_code == 2
    return message
