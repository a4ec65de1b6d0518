"""Exit codes are a contract with scripts: changing one here breaks them."""

from __future__ import annotations

import inspect

import auditor.core.errors
import graphkit.errors
from cli.terminal.failure import failure_of

GOLDEN = {
    "AlreadyExists": 2,
    "AuditorError": 3,
    "BadFile": 2,
    "BadInput": 2,
    "BrokenClaim": 3,
    "CommitUnknown": 3,
    "EngineUnavailable": 3,
    "GraphkitError": 3,
    "InvalidInput": 2,
    "LimitReached": 3,
    "MissingExtra": 3,
    "NotDelivered": 4,
    "NotFound": 2,
    "PolicyError": 2,
    "Refused": 1,
    "RoomExhausted": 3,
    "SolverFailed": 3,
    "StoreConflict": 3,
    "StoreCorrupt": 3,
    "StoreError": 3,
    "StoreLocked": 3,
    "StoreUnavailable": 3,
    "VerificationFailed": 3,
}


def test_every_error_has_its_exit_code() -> None:
    found = {
        name: failure_of(error("what happened")).exit_code
        for module in (auditor.core.errors, graphkit.errors)
        for name, error in inspect.getmembers(module, inspect.isclass)
        if issubclass(error, Exception) and error.__module__ == module.__name__
    }
    assert found == GOLDEN
