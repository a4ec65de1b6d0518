"""`auditor microdata`: load, look at, audit, protect and compare files of records."""

from cli.microdata.audit import audit
from cli.microdata.compare import compare
from cli.microdata.generalize import generalize
from cli.microdata.microaggregate import microaggregate
from cli.microdata.stored import add, list_microdata, remove, show
from cli.microdata.verify import verify
from cli.terminal.commands import group

__all__ = ["app"]

app = group(
    add=add,
    list=list_microdata,
    show=show,
    remove=remove,
    audit=audit,
    microaggregate=microaggregate,
    generalize=generalize,
    verify=verify,
    compare=compare,
)
