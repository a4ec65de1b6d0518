"""`auditor table`: contingency tables, and what goes out of them."""

import typer

from cli.table.add import add
from cli.table.bounds import bounds
from cli.table.check import check
from cli.table.lattice import frontier, lattice
from cli.table.ledger import ledger
from cli.table.map import map_variables
from cli.table.overlap import overlap
from cli.table.request import request
from cli.table.simulate import simulate
from cli.table.stored import list_tables, remove, show

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)
app.command("add")(add)
app.command("list")(list_tables)
app.command("show")(show)
app.command("remove")(remove)
app.command("request")(request)
app.command("map")(map_variables)
app.command("overlap")(overlap)
app.command("bounds")(bounds)
app.command("lattice")(lattice)
app.command("frontier")(frontier)
app.command("ledger")(ledger)
app.command("simulate")(simulate)
app.command("check")(check)
