"""What an export changes of the risk of its records, for the person who approves it."""

import numpy as np

from auditor.approvals.review import Fact, Risk, RiskRow
from auditor.config import EdgeTableSettings
from auditor.core.errors import BadFile
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.store import Store
from auditor.subjects.microdata.charts.class_sizes import class_sizes_chart
from auditor.subjects.microdata.charts.group_sizes import group_sizes_chart
from auditor.subjects.microdata.exports.claim_record import least_of
from auditor.subjects.microdata.exports.key import read_key
from auditor.subjects.microdata.port import open_unchanged
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from graphkit.arrays import Ints
from graphkit.microdata.risk.classes import ClassRisk, equivalence_classes
from graphkit.numbers import count, share


def export_facts(export: Export) -> tuple[Fact, ...]:
    """Return what is claimed of an export, in short; nothing protected."""
    facts = [Fact("k", f"{count(int(export.claim['k']))}, of {count(int(export.claim['n']))} records")]
    if export.claim.get("suppressed"):
        facts.append(Fact("Left out", f"{count(int(export.claim['suppressed']))} records"))
    return tuple(facts)


def export_risk(store: Store, export: Export) -> Risk:
    """Return how many records are singled out in a file, and among how many they hide in its release. Protected."""
    origin = Exports(store).origin(export)
    assert origin is not None
    k, info = least_of(export), Microdata(store).show(origin.name)
    try:
        before = _classes(info, k)
    except BadFile:
        return Risk(remark="the file of the records is gone or changed since it was added; reject the export")
    key = read_key(store, export)
    sizes = None if key is None else _hidden_among(key.hiding)
    rows, charts = [], []
    if before is not None:
        charts.append(class_sizes_chart(before, k))
    if sizes is not None and key is not None and key.hiding.ndim == 1:
        groups = np.bincount(key.hiding[key.hiding >= 0])
        charts.append(group_sizes_chart(groups[groups > 0], k))
    measures = ("Records", f"Records that fewer than {count(k)} resemble", "Records that are alone", "Fewest alike")
    first = ("", "", "", "") if before is None else _of_classes(before)
    second = ("", "", "", "") if sizes is None else _of_sizes(sizes, k)
    rows = [RiskRow(measure, first[at], second[at]) for at, measure in enumerate(measures)]
    remark = "" if before is not None else "no quasi-identifier is declared: the risk before the release is not known"
    return Risk(rows, tuple(chart for chart in charts if chart is not None), remark)


def _classes(info: MicrodataInfo, k: int) -> ClassRisk | None:
    """Return the classes of the quasi-identifiers; None where there are none, or they do not fit in memory."""
    names = info.declared.quasi_identifiers
    with open_unchanged(info, EdgeTableSettings()) as opened:
        if not names or not opened.fits(len(names)):
            return None
        return equivalence_classes(opened.read(list(names), (), lambda rows: None), names).risk(k)


def _hidden_among(hiding: Ints) -> Ints:
    """Return among how many each published record hides."""
    if hiding.ndim == 2:
        return np.full(int((hiding[:, 0] >= 0).sum()), hiding.shape[1])
    kept = hiding[hiding >= 0]
    sizes: Ints = np.bincount(kept)[kept]
    return sizes


def _of_classes(risk: ClassRisk) -> tuple[str, str, str, str]:
    below = f"{count(risk.records_below_k)} ({share(risk.share_below_k)})"
    return count(risk.n), below, count(risk.unique_records), count(risk.smallest_class)


def _of_sizes(sizes: Ints, k: int) -> tuple[str, str, str, str]:
    below, n = int((sizes < k).sum()), max(int(sizes.size), 1)
    alone, least = int((sizes == 1).sum()), int(sizes.min(initial=int(sizes.max(initial=0))))
    return count(sizes.size), f"{count(below)} ({share(below / n)})", count(alone), count(least)
