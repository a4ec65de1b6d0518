"""`auditor table`: contingency tables, and what goes out of them."""

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
from cli.table.verify import verify
from cli.terminal.commands import group

__all__ = ["app"]

app = group(
    add=add,
    list=list_tables,
    show=show,
    remove=remove,
    request=request,
    map=map_variables,
    overlap=overlap,
    bounds=bounds,
    lattice=lattice,
    frontier=frontier,
    ledger=ledger,
    verify=verify,
    simulate=simulate,
    check=check,
)
