"""`auditor demo`: a tour of the commands, on a network, a table and records that are included."""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from auditor.core.errors import AlreadyExists, AuditorError, BadInput, NotDelivered
from cli.nested import run_nested
from cli.terminal.commands import single
from cli.terminal.context import Context

_NAME = "demo"
_K = "5"
# a first look is not to wait for long; for the network the proof is seldom further away
_EFFORT, _PROVING = "1", "6"
_RELEASED, _REPORT, _PUBLIC = "released.csv.gz", "report.html", "report-public.html"
_MARGINAL, _RECORDS = "sex-department.csv", "people-released.csv"
SAMPLE_FILES = ("friends.csv", "survey.csv", "people.csv")
"""A small network, a small contingency table with one row a cell, and a few records."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the demo."""

    comment: str
    arguments: tuple[str, ...]
    expected: int = 0
    """Its exit code; another one ends the demo."""


def demo(
    context: Context,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the files of the demo.")] = Path("auditor-demo"),
    files: Annotated[
        Path | None,
        typer.Option(
            "--files",
            metavar="FOLDER",
            help="Only write the sample files friends.csv, survey.csv and people.csv into this new or empty folder.",
        ),
    ] = None,
) -> None:
    """Take a tour: protect a network of co-authors, request marginals of a table, protect records of employees.

    The store keeps them as the network, the table and the microdata `demo`; a second run uses them again.

    With --files it runs nothing: it writes sample files for your own first steps.

    Example: auditor demo --out auditor-demo

    Example: auditor demo --files sample
    """
    from auditor.subjects.microdata.repository import Microdata
    from auditor.subjects.networks.repository import Networks
    from auditor.subjects.tables.repository import Tables

    if files is not None:
        _write_files(context, files)
        return
    out.mkdir(parents=True, exist_ok=True)
    data = resources.files("auditor") / "data"
    with (
        resources.as_file(data / "ca-GrQc.csv.gz") as network,
        resources.as_file(data / "staff.csv") as table,
        resources.as_file(data / "people.csv") as people,
    ):
        context.output.note("The first command that needs the store downloads and starts a private Neo4j.")
        steps = [
            *_network_story(network, out, known=Networks(context.store).exists(_NAME)),
            *_table_story(table, out, known=Tables(context.store).exists(_NAME)),
            *_records_story(people, out, known=Microdata(context.store).exists(_NAME)),
            Step("The ledger records every step; this verifies its hash chain.", ("ledger", "verify")),
        ]
        context.close()
        for step in steps:
            shown = f"\n# {step.comment}\n$ auditor {' '.join(step.arguments)}"
            code = run_nested(context, step.arguments, shown)
            if code != step.expected:
                raise AuditorError(
                    f"the step 'auditor {' '.join(step.arguments[:2])}' ended with exit code {code} "
                    f"instead of {step.expected}"
                )
    things = [
        ("released network", out / _RELEASED),
        ("report", out / _REPORT),
        ("public report", out / _PUBLIC),
        ("released marginal", out / _MARGINAL),
        ("released records", out / _RECORDS),
    ]
    ideas = [
        "auditor network list",
        f"auditor network bounds {_NAME} --k 2 --k 10 --k 50",
        f"auditor network compare {_NAME} {out / _RELEASED}",
        "auditor network audit YOUR-FILE --k 5",
        f"auditor table frontier {_NAME}",
        "auditor table add NAME YOUR-FILE",
        "auditor microdata audit YOUR-FILE --quasi-identifier COLUMN,COLUMN",
        "auditor store stop",
    ]
    context.output.answer(
        {"network": _NAME, "table": _NAME, "microdata": _NAME, "files": [path for _, path in things], "next": ideas},
        "",
        context.output.table(("what", "where"), things),
        *context.output.advice("Next:\n  " + "\n  ".join(ideas)),
    )


def _write_files(context: Context, folder: Path) -> None:
    """Write the sample files, and say what to do with them."""
    paths = write_sample_files(folder)
    network, table, people = paths
    ideas = [
        f"auditor network audit {network} --k 5",
        f"auditor table add survey {table}",
        f"auditor microdata audit {people} --quasi-identifier region,age,hours",
    ]
    context.output.answer(
        {"files": paths, "next": ideas},
        context.output.table(
            ("sample", "file"), [("network", network), ("contingency table", table), ("records", people)]
        ),
        *context.output.advice("Next:\n  " + "\n  ".join(ideas)),
    )


def write_sample_files(folder: Path) -> list[Path]:
    """Write the sample files into a folder and return their paths.

    Parameters
    ----------
    folder : Path
        A new or an empty folder; it is made where it is missing.

    Returns
    -------
    list of Path

    Raises
    ------
    BadInput
        It is not a folder.
    AlreadyExists
        The folder is not empty.
    NotDelivered
        A file cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is not a folder; name a new or an empty one")
    data = resources.files("auditor") / "data"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise AlreadyExists(f"the folder {folder} is not empty; name a new or an empty one")
        paths = [folder / name for name in SAMPLE_FILES]
        for path in paths:
            path.write_bytes((data / path.name).read_bytes())
    except OSError as error:
        raise NotDelivered(f"the sample files cannot be written to {folder} ({error.strerror})") from error
    return paths


def _network_story(source: Path, out: Path, *, known: bool) -> list[Step]:
    """A network that must not be released as it is, and its protected version."""
    released, report, public = str(out / _RELEASED), str(out / _REPORT), str(out / _PUBLIC)
    # the table and the records have the same name
    write_report = ("report", f"network:{_NAME}", "--force", "--out")
    add = Step("Load a network into the graph database.", ("network", "add", _NAME, str(source)))
    return [
        *([] if known else [add]),
        Step("The audit fails: the degree singles out some authors.", ("network", "audit", _NAME, "--k", _K), 1),
        Step(
            "Write a version in which at least 5 vertices share every degree; verify the file.",
            ("network", "anonymize", _NAME, "--k", _K, "--effort", _PROVING, "--out", released, "--force"),
        ),
        Step("The released file passes the same audit.", ("network", "audit", released, "--k", _K)),
        Step("Write a report for internal use.", (*write_report, report)),
        Step("Write a report that may be published.", (*write_report, public, "--public")),
    ]


def _table_story(source: Path, out: Path, *, known: bool) -> list[Step]:
    """A table of which two marginals may be released, and a third one not."""
    request, third = ("table", "request", _NAME), "department,contract"
    marginal = str(out / _MARGINAL)
    add = Step("Load a table: 91 people by sex, department and contract.", ("table", "add", _NAME, str(source)))
    return [
        *([] if known else [add]),
        Step(
            "A requester asks for a marginal. It is safe and is released.",
            (*request, "sex,department", "--by", "ann", "--out", marginal, "--force"),
        ),
        Step(
            "A second marginal is safe together with the first, and is released.",
            (*request, "sex,contract", "--by", "ann"),
        ),
        Step(
            "A third one is safe alone, but together with the other two it would disclose two people: refused.",
            (*request, third, "--by", "bob"),
            1,
        ),
        Step("For the officer, the reason: the bounds of each cell.", ("table", "bounds", _NAME, "--and", third)),
    ]


def _records_story(source: Path, out: Path, *, known: bool) -> list[Step]:
    """Records that single people out, and a version in which they hide among others."""
    known_to_attackers, released = "age,tenure,hours,income", str(out / _RECORDS)
    roles = ("--identifier", "person", "--quasi-identifier", known_to_attackers, "--stratum", "region")
    add = Step("Load records of 160 employees.", ("microdata", "add", _NAME, str(source), *roles))
    return [
        *([] if known else [add]),
        Step("The audit fails: age, tenure, hours and income single people out.", ("microdata", "audit", _NAME), 1),
        Step(
            "Write a version in which at least 5 employees of a region share all of these; verify the file.",
            ("microdata", "microaggregate", _NAME, "--k", _K, "--effort", _EFFORT, "--out", released, "--force"),
        ),
        Step(
            "The released file passes the same audit, even if the region is known.",
            ("microdata", "audit", released, "--k", _K, "--quasi-identifier", f"region,{known_to_attackers}"),
        ),
    ]


app = single(demo)
