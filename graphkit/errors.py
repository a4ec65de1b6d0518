"""Errors of the engines.

::

    GraphkitError
    ├── InvalidInput (also ValueError)   a parameter or the data cannot be used
    ├── LimitReached                     the budget ended before anything valid was found
    ├── SolverFailed                     an external solver did not answer
    └── BrokenClaim                      a result contradicts what was proven: our bug

Infeasibility is not an error: it is the status of a result, with its reason.
"""


class GraphkitError(Exception):
    """Base of every error that an engine raises on purpose."""


class InvalidInput(GraphkitError, ValueError):
    """A parameter or the data cannot be used; the message says what, where and what to do next."""


class LimitReached(GraphkitError):
    """The budget ended before anything valid was found."""


class SolverFailed(GraphkitError):
    """An external solver did not answer."""


class BrokenClaim(GraphkitError):
    """A result contradicts what was proven before: a bug of ours, please report it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"internal check failed ({what}); this is a bug in disclosure-auditor, please report it")
