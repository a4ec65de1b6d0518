"""Errors of the driver: their kind, and that the server's text never shows."""

from __future__ import annotations

import inspect

import pytest
from neo4j import exceptions as raised

from auditor.core.errors import AuditorError, CommitUnknown, StoreConflict, StoreError, StoreLocked, StoreUnavailable
from auditor.store.driver_errors import QueryRefused, translated_errors

PROTECTED = "Node(7) already exists with label `Vertex` and property `label` = 'Ada Lovelace'"


def translated(error: BaseException) -> StoreError:
    with pytest.raises(StoreError) as caught, translated_errors("bolt://db:7687", timeout=600, database="audit"):
        raise error
    assert caught.value.__cause__ is error
    return caught.value


def answered(code: str) -> raised.Neo4jError:
    return raised.Neo4jError._hydrate_neo4j(code=code, message=PROTECTED)


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("Neo.ClientError.Security.Unauthorized", StoreUnavailable, "refused the log-in"),
        ("Neo.ClientError.Security.Forbidden", StoreUnavailable, "does not allow"),
        ("Neo.ClientError.Schema.ConstraintValidationFailed", StoreConflict, "run the command again"),
        ("Neo.ClientError.Database.DatabaseNotFound", StoreUnavailable, "a database named audit"),
        ("Neo.ClientError.Transaction.TransactionTimedOut", StoreError, "longer than 600 s"),
        ("Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration", StoreError, "longer than 600 s"),
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", StoreError, "store.heap"),
        ("Neo.TransientError.General.DatabaseUnavailable", StoreUnavailable, "not available"),
        ("Neo.TransientError.Transaction.DeadlockDetected", StoreLocked, "run the command again"),
        ("Neo.DatabaseError.Transaction.TransactionLogError", StoreError, "make room on its disk"),
        ("Neo.DatabaseError.Transaction.TransactionCommitFailed", StoreError, "nothing was recorded"),
        ("Neo.ClientError.Statement.SyntaxError", QueryRefused, "bug in disclosure-auditor"),
    ],
)
def test_an_answer_of_the_server_is_told_by_its_kind(code: str, kind: type[StoreError], words: str) -> None:
    error = translated(answered(code))
    assert type(error) is kind
    assert words in str(error)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (raised.ServiceUnavailable(PROTECTED), StoreUnavailable, "does not answer"),
        (raised.SessionExpired(PROTECTED), StoreUnavailable, "does not answer"),
        (raised.IncompleteCommit(PROTECTED), CommitUnknown, "during the commit"),
        (raised.ConfigurationError(PROTECTED), StoreUnavailable, "cannot be used as the address"),
    ],
)
def test_silence_of_the_server_is_told(error: raised.DriverError, kind: type[StoreError], words: str) -> None:
    result = translated(error)
    assert type(result) is kind
    assert words in str(result)


def test_every_error_class_of_the_driver_becomes_one_line_without_the_servers_text() -> None:
    kinds = [kind for _, kind in inspect.getmembers(raised, inspect.isclass) if issubclass(kind, raised.GqlError)]
    assert len(kinds) > 20
    for kind in kinds:
        if kind is raised.GqlError:
            continue
        error = kind.__new__(kind)
        Exception.__init__(error, PROTECTED)
        if isinstance(error, raised.Neo4jError):
            error._neo4j_code = ""
        message = str(translated(error))
        assert "Ada" not in message
        assert "Vertex" not in message
        assert len(message.splitlines()) == 1


def test_other_errors_pass_unchanged() -> None:
    for error in (AuditorError("ours"), ZeroDivisionError(), KeyboardInterrupt()):
        with pytest.raises(type(error)) as caught, translated_errors("bolt://db", timeout=1):
            raise error
        assert caught.value is error
