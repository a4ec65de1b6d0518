"""`auditor network`: load, look at, audit, protect and compare networks."""

from cli.network.anonymize import anonymize
from cli.network.audit import audit
from cli.network.bounds import bounds
from cli.network.compare import compare
from cli.network.deliver import deliver
from cli.network.stored import add, list_networks, remove, show
from cli.network.verify import verify
from cli.terminal.commands import group

__all__ = ["app"]

app = group(
    add=add,
    list=list_networks,
    show=show,
    remove=remove,
    audit=audit,
    anonymize=anonymize,
    compare=compare,
    bounds=bounds,
    deliver=deliver,
    verify=verify,
)
