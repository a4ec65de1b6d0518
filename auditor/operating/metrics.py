"""Figures about the service in the text format of Prometheus: of the store, and of this process.

No label is a protected value, and no figure is about data: how many subjects violate a policy is public to whoever may
see the metrics, how many people are in a cell is nowhere. Names of subjects are labels only where they are asked for.
"""

from collections.abc import Iterable

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import Metric
from prometheus_client.exposition import generate_latest

from auditor.core.errors import StoreError
from auditor.operating.store_figures import gauge, store_metrics
from auditor.store import Store

CONTENT_TYPE: str = CONTENT_TYPE_LATEST
"""Of what :meth:`Metrics.text` returns."""

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The figures of one process; may be used by several threads.

    Examples
    --------
    >>> metrics = Metrics()
    >>> metrics.count_request("GET", "/networks/{name}", 200, 0.02)
    >>> print(*(line for line in metrics.text().splitlines() if line.startswith("auditor_requests_total")))
    auditor_requests_total{method="GET",route="/networks/{name}",status="200"} 1.0
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = self._counter("auditor_requests", "Requests that were answered", "method", "route", "status")
        self._durations = Histogram(
            "auditor_request_seconds",
            "How long requests took",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._jobs = self._counter("auditor_jobs_ended", "Jobs that ended in this process", "kind", "state")
        self._logins = self._counter("auditor_logins", "Attempts to log in", "result")

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request.

        Parameters
        ----------
        method : str
        route : str
            As it is written in the program, such as ``/networks/{name}``: never the path that somebody asked for.
        status : int
            Of the answer.
        seconds : float
            How long it took.
        """
        self._requests.labels(method, route, str(status)).inc()
        self._durations.labels(route).observe(seconds)

    def count_job(self, kind: str, state: str) -> None:
        """Count a job that ended.

        Parameters
        ----------
        kind, state : str
            One of a few fixed words each.
        """
        self._jobs.labels(kind, state).inc()

    def count_login(self, result: str) -> None:
        """Count an attempt to log in.

        Parameters
        ----------
        result : str
            ``accepted``, ``refused`` or ``limited``.
        """
        self._logins.labels(result).inc()

    def text(self, store: Store | None = None, *, subjects: bool = False) -> str:
        """Return all figures as Prometheus reads them.

        Parameters
        ----------
        store : Store, optional
            Whose figures are told, too. One that does not answer is told as `auditor_store_up` 0.
        subjects : bool, optional
            Whether each subject is told by its name.
        """
        told = "" if store is None else exposition(_answered(store, subjects))
        return told + generate_latest(self._registry).decode("utf-8")

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(name, words, labels, registry=self._registry)


def exposition(metrics: Iterable[Metric]) -> str:
    """Return metrics as Prometheus reads them."""
    registry = CollectorRegistry()
    registry.register(_Known(metrics))
    return generate_latest(registry).decode("utf-8")


class _Known:
    """Metrics that are known already, as a registry collects them."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = [*metrics]

    def collect(self) -> Iterable[Metric]:
        return self._metrics


def _answered(store: Store, subjects: bool) -> list[Metric]:
    try:
        found = list(store_metrics(store, subjects=subjects))
        up = 1
    except StoreError:
        found, up = [], 0
    return [gauge("auditor_store_up", "Whether the graph database answers", [((), up)]), *found]
