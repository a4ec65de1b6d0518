"""The command `auditor start`."""

from pathlib import Path
from typing import Annotated

import typer

from auditor.core.errors import BadInput, NotFound
from cli.start.guide import Guide, Looked
from cli.start.looking import look_at
from cli.start.walk import Walk, WalkEnded, check_can_ask
from cli.terminal.context import Context

_MOST_FILES = 15
_SUFFIXES = (".csv", ".tsv", ".tab", ".parquet", ".pq", ".graphml", ".gml", ".net", ".mtx", ".edges", ".dta", ".sav")


def start(
    context: Context,
    file: Annotated[
        Path | None, typer.Argument(help="What you want to publish; asked for by default.", show_default=False)
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help="What it is: network, table or microdata; found out by default."),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", "-k", min=2, metavar="N", help="Size of the smallest group; that of the policy by default."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The release; beside the file by default.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", metavar="", help="Ask nothing; take what is proposed.")] = False,
) -> None:
    """Be led from a file to a verdict and to a release that was verified.

    It asks only what cannot be found out, runs the commands that you would type, and shows each of them. Exit code 1:
    nothing was released.

    Example: auditor start friends.csv

    Example: auditor start people.csv --k 3 --out people-released.csv --yes
    """
    walk = Walk(context, asks=not yes, k=k, out=out)
    check_can_ask(asks=walk.asks)
    path = file if file is not None else _chosen_file(walk)
    looked = look_at(path, context.settings.edge_table)
    code = 0
    try:
        _guide(walk, looked, kind).lead(walk, looked)
    except WalkEnded as end:
        code = end.code
    released = walk.released
    context.output.answer(
        {"file": path, "released": released, "commands": walk.commands, "next": walk.ideas},
        "",
        f"Released and verified: {released}" if released is not None else "Nothing was released.",
        *context.output.advice("The same without questions:\n  " + "\n  ".join(walk.commands)),
        *context.output.advice(*(["Next:\n  " + "\n  ".join(walk.ideas)] if walk.ideas else [])),
    )
    if code or released is None:
        raise typer.Exit(code or 1)


def _chosen_file(walk: Walk) -> Path:
    """Return the file that is chosen among those of this folder."""
    if not walk.asks:
        raise BadInput("no file is named, and nothing is asked; write auditor start FILE --yes")
    found = [path for path in sorted(Path().iterdir()) if path.is_file() and _may_be_data(path)][:_MOST_FILES]
    if not found:
        return Path(walk.ask("Which file do you want to publish? Its path"))
    names = [str(path) for path in found]
    place = walk.choose("Which file do you want to publish?", [*names, "another one"], 0)
    return found[place] if place < len(found) else Path(walk.ask("Its path"))


def _may_be_data(path: Path) -> bool:
    from auditor.formats.compression import split_compression

    return split_compression(path.name.lower())[0].endswith(_SUFFIXES)


def _guide(walk: Walk, looked: Looked, kind: str | None) -> Guide:
    """Return the guide of the kind that was named, or that the file is of."""
    from auditor.core.kinds import kinds, part

    guides: dict[str, Guide] = {known.name: part(known.guide)() for known in kinds() if known.guide}
    if kind is not None:
        if kind not in guides:
            raise BadInput(f"no kind {kind!r}; it is one of {', '.join(guides)}")
        return guides[kind]
    likely = [(guide.likeness(looked), guide) for guide in guides.values()]
    possible = [(likeness, guide) for likeness, guide in likely if likeness]
    if not possible:
        raise NotFound(f"{looked.path} holds nothing that is known; see docs/formats.md for the formats")
    best = max(range(len(possible)), key=lambda place: possible[place][0])
    if len(possible) == 1:
        return possible[0][1]
    guide = possible[walk.choose("What is a line of the file?", [guide.line for _, guide in possible], best)][1]
    if not walk.asks:
        walk.say(f"A line of the file is taken for {guide.line}; --kind says otherwise.")
    return guide
