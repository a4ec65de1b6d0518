"""`auditor metrics`: how the store is doing, for Prometheus."""

from typing import Annotated

import typer

from auditor.core.extras import require
from cli.terminal.commands import single
from cli.terminal.context import Context


def metrics(
    context: Context,
    subjects: Annotated[bool, typer.Option("--subjects", metavar="", help="Add metrics for each subject.")] = False,
) -> None:
    """Print metrics of the store in the text format of Prometheus: verdicts, findings, lateness, pending work.

    It is for machines without the web service, such as the text file collector of a node exporter; the service has the
    same at /metrics. No figure is about the data itself. With --json one list of samples.

    Example: auditor metrics
    """

    require("service")
    from auditor.operating.store_figures import store_metrics

    found = list(store_metrics(context.store, subjects=subjects))
    if context.output.json:
        samples = [
            {"name": sample.name, "labels": dict(sample.labels), "value": sample.value}
            for metric in found
            for sample in metric.samples
        ]
        context.output.answer({"metrics": samples})
        return
    from auditor.operating.metrics import exposition

    # as it is: a line must not be broken to the width of a terminal
    typer.echo(exposition(found), nl=False)


app = single(metrics)
