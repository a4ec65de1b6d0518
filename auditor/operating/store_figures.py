"""Figures of a store as metrics: subjects by verdict, findings, ticks, messages, approvals, jobs, the ledger."""

from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily, Metric

from auditor.audits.overview import Overview
from auditor.core.errors import BadInput
from auditor.operating.figures import read_figures
from auditor.operating.watch import lateness
from auditor.schedules.repository import Schedules
from auditor.schedules.workers import Workers
from auditor.store import Store


def store_metrics(store: Store, *, subjects: bool = False) -> Iterator[Metric]:
    """Yield the figures of a store: three small queries, none of them over audits.

    Parameters
    ----------
    store : Store
    subjects : bool, optional
        Whether each subject is told by its name.

    Raises
    ------
    StoreError
        If the store cannot be asked.
    """
    figures, now = read_figures(store.connection), store.ledger.clock()
    yield from _subject_metrics(store, subjects)
    yield from _schedule_metrics(store, now)
    yield _by("auditor_ticks", "Runs in progress, to be repeated, and failed", figures.ticks, "state")
    yield _by("auditor_messages", "Waiting and undelivered notifications", figures.messages, "status")
    yield from _age("auditor_oldest_message_age_seconds", "Of the messages that wait", figures.oldest_message_at, now)
    yield gauge("auditor_approvals_pending", "Pending approvals", [((), figures.approvals)])
    yield _by("auditor_jobs", "Jobs of the service by state", figures.jobs, "state")
    yield gauge("auditor_ledger_entries", "Entries of the ledger", [((), figures.entries)])
    yield gauge("auditor_store_schema", "Schema of the store", [((), figures.schema)])
    yield from _age("auditor_checkpoint_age_seconds", "Since the ledger was last signed", figures.checkpoint_at, now)


def _subject_metrics(store: Store, named: bool) -> Iterator[Metric]:
    rows = Overview(store).read()
    verdicts = Tally((row.family, row.verdict or "never audited") for row in rows)
    counted = [(labels, number) for labels, number in sorted(verdicts.items())]
    yield gauge("auditor_subjects", "Subjects by what their newest audit says", counted, "family", "verdict")
    # tables of one population share their audits
    heads = {row.key: row for row in rows}.values()
    for state, words in (("open", "Violations without a waiver"), ("waived", "Violations that are waived")):
        total: Tally[tuple[str, ...]] = Tally()
        for row in heads:
            total[(row.family,)] += getattr(row, state)
        yield gauge(f"auditor_findings_{state}", words, sorted(total.items()), "family")
    if named:
        open_ = [((row.subject,), row.open) for row in rows]
        yield gauge("auditor_subject_findings_open", "Violations without a waiver, by subject", open_, "subject")
        audited = [((row.subject,), row.at.timestamp()) for row in rows if row.at is not None]
        yield gauge("auditor_subject_audit_time_seconds", "When a subject was last audited", audited, "subject")


def _schedule_metrics(store: Store, now: datetime) -> Iterator[Metric]:
    schedules = Schedules(store).list()
    paused = sum(schedule.paused for schedule in schedules)
    numbers = {"active": len(schedules) - paused, "paused": paused}
    yield _by("auditor_schedules", "Schedules by state", numbers, "state")
    late, unreadable = [], 0
    for schedule in schedules:
        try:
            late.append(lateness(schedule, now).total_seconds())
        except BadInput:
            unreadable += 1
    yield gauge("auditor_schedules_due", "Schedules with an unclaimed due time", [((), sum(map(bool, late)))])
    yield gauge(
        "auditor_schedule_lateness_seconds", "Age of the oldest unclaimed due time", [((), max(late, default=0))]
    )
    workers = Workers(store).list()
    states = Tally(worker.state(now) for worker in workers)
    counted = {state: states[state] for state in ("working", "late")}
    yield _by("auditor_workers", "Workers by heartbeat state", counted, "state")
    last = max((worker.at for worker in workers), default=None)
    yield from _age("auditor_worker_heartbeat_age_seconds", "Age of the last heartbeat of a worker", last, now)
    yield gauge("auditor_schedules_unreadable", "Schedules that this machine cannot read", [((), unreadable)])


def _by(name: str, words: str, numbers: Mapping[str, float], label: str) -> Metric:
    return gauge(name, words, [((value,), number) for value, number in numbers.items()], label)


def _age(name: str, words: str, since: datetime | None, now: datetime) -> Iterator[Metric]:
    if since is not None:
        yield gauge(name, words, [((), (now - since).total_seconds())])


def gauge(name: str, words: str, samples: Sequence[tuple[tuple[str, ...], float]], *labels: str) -> Metric:
    """Return figures of one name.

    Parameters
    ----------
    name, words : str
        Of the figures.
    samples : sequence
        The values of the labels, and the figure.
    *labels : str
        Names of the labels.
    """
    family = GaugeMetricFamily(name, words, labels=labels)
    for values, number in samples:
        family.add_metric(values, number)
    return family
