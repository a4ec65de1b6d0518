"""`auditor audit`: what a policy says of a subject, and who accepts what."""

from cli.audit.files import files
from cli.audit.recorded import list_audits, show
from cli.audit.running import run
from cli.audit.waiving import unwaive, waive, waivers
from cli.terminal.commands import group

__all__ = ["app"]

app = group(run=run, files=files, list=list_audits, show=show, waive=waive, waivers=waivers, unwaive=unwaive)
