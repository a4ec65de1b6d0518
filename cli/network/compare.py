"""`auditor network compare`."""

from pathlib import Path
from typing import Annotated

import typer

from cli.terminal.completing import files_or
from cli.terminal.context import Context
from cli.terminal.options import DelimiterOption, HeaderOption, SymmetrizeOption


def compare(
    context: Context,
    first: Annotated[
        str, typer.Argument(metavar="A", autocompletion=files_or("network"), help="A stored network or a network file.")
    ],
    second: Annotated[
        str, typer.Argument(metavar="B", autocompletion=files_or("network"), help="The network to compare with.")
    ],
    k: Annotated[int, typer.Option("--k", "-k", min=2, help="Block size for the risk figures.")] = 5,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            help="Key file that tells which vertex of B is which of A; an export of a stored A that kept its key "
            "needs none.",
        ),
    ] = None,
    aspect: Annotated[
        list[str] | None,
        typer.Option(
            "--aspect",
            help="What to compare: degrees, clustering, components, paths, cores (these by default), spectrum, "
            "communities, closeness, betweenness (repeatable).",
        ),
    ] = None,
    all_aspects: Annotated[
        bool, typer.Option("--all", metavar="", help="Compare every aspect; about a minute for a million edges.")
    ] = False,
    sample: Annotated[
        int, typer.Option("--sample", min=2, help="Number of sources of figures that are estimated in large networks.")
    ] = 64,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Chooses those sources.")] = 0,
    symmetrize: SymmetrizeOption = False,
    delimiter: DelimiterOption = None,
    header: HeaderOption = None,
) -> None:
    """Compare two networks: size, degree risk and the results of analyses.

    If the vertices can be matched, it also compares the analyses vertex by vertex.

    Example: auditor network compare friends.csv released.csv

    Example: auditor network compare friends.csv released.csv --key key.csv --all
    """
    from cli.network.comparison import compared_networks, figures_of, tables_of
    from cli.terminal.reading import Reading
    from graphkit.networks.utility import ASPECTS, QUICK, choose_aspects
    from graphkit.networks.utility import compare as compare_utility

    chosen = choose_aspects([*ASPECTS] if all_aspects else aspect or QUICK)
    with context.output.progress("compare") as bar:
        bar.phase("read")
        pair = compared_networks(context, first, second, Reading(symmetrize, delimiter=delimiter, header=header), key)
        bar.phase("measure")
        found = compare_utility(*pair.graphs, published=pair.published, seed=seed, sample=sample, aspects=chosen)
    rows = figures_of(pair.graphs, k, found)
    context.output.answer(
        {
            "networks": [first, second],
            "matched_by": pair.matched_by,
            "changed": pair.changed,
            "figures": [
                {"figure": row.name, "values": [row.before, row.after], "error_of_change": row.error, "note": row.note}
                for row in rows
            ],
            "distances": [{"figure": distance.name, "value": distance.value} for distance in found.distances],
            "agreements": [
                {"figure": a.name, "value": a.value, "error": a.error, "baseline": a.baseline, "note": a.note}
                for a in found.agreements
            ],
        },
        *tables_of(context.output, (first, second), rows, found),
    )
