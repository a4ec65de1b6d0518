"""What an export changes of the risk of its network, for the person who approves it."""

from pathlib import Path

from auditor.approvals.review import Fact, Risk, RiskRow
from auditor.exports.record import Export
from auditor.store import Store
from auditor.subjects.networks.charts.block_sizes import block_sizes_chart
from auditor.subjects.networks.charts.degree_blocks import degree_blocks_chart
from auditor.subjects.networks.exports.claim_record import claim_of
from auditor.subjects.networks.exports.rechecking import recheck_export
from auditor.subjects.networks.report.picture import draw_picture
from auditor.subjects.networks.repository import Networks
from graphkit.networks.risk.degree_risk import DegreeRisk, degree_risk
from graphkit.numbers import count, share

_MOST_EDGES = 200_000
"""Of a network whose release is read while a person waits for the page."""


def export_facts(export: Export) -> tuple[Fact, ...]:
    """Return what is claimed of an export, in short; nothing protected."""
    claim = claim_of(export.claim)
    protected = "; some of them are protected" if claim.scope != "whole" else ""
    facts = [Fact("k", f"{count(claim.k)}, of {count(claim.n)} vertices{protected}")]
    if claim.earlier:
        facts.append(Fact("Earlier versions", f"k-anonymous together with {count(claim.earlier)} of them"))
    return tuple(facts)


def export_risk(store: Store, export: Export, path: Path) -> Risk:
    """Return the degree risk of a network and that of its release, which is read and verified. Protected."""
    name, k = export.subject.removeprefix("network:"), claim_of(export.claim).k
    networks = Networks(store)
    info = networks.show(name)
    if info.edges > _MOST_EDGES:
        blocks = networks.view_of(info).block_sequence()
        remark = f"the release has more than {count(_MOST_EDGES)} edges: the approval reads and verifies it"
        return Risk(_rows(degree_risk(blocks, k), None), remark=remark)
    original = networks.load(name).graph
    found = recheck_export(store, export, original, path)
    released = found.graph
    before = degree_risk(original.block_sequence(), k)
    if released is None:
        return Risk(_rows(before, None), remark="the release cannot be read, or does not hold its claim: reject it")
    after = degree_risk(released.block_sequence(), k)
    shown = [(("before", "original"), before.block_sequence), (("after", "release"), after.block_sequence)]
    drawn = (degree_blocks_chart(shown, k), block_sizes_chart(shown, k))
    charts = tuple(chart for chart in drawn if chart is not None)
    # without the key nobody knows which vertex is which
    picture = None if found.published is None else draw_picture(original, found)
    return Risk(_rows(before, after), charts, picture=picture, template="networks/picture.html")


def _rows(before: DegreeRisk, after: DegreeRisk | None) -> tuple[RiskRow, ...]:
    """Return the measures, of a release that was not read without figures."""

    def row(measure: str, values: tuple[str, str]) -> RiskRow:
        return RiskRow(measure, values[0], values[1])

    pair = (before, after)
    measured = [("", "", "", "") if one is None else _figures(one) for one in pair]
    measures = (
        "Edges",
        f"Vertices whose degree fewer than {count(before.k)} share",
        "Vertices that are the only one of their degree",
        "Smallest number of vertices that share a degree",
    )
    return tuple(row(measure, (measured[0][at], measured[1][at])) for at, measure in enumerate(measures))


def _figures(risk: DegreeRisk) -> tuple[str, str, str, str]:
    below = f"{count(risk.vertices_below_k)} ({share(risk.share_below_k)})"
    return count(risk.edges), below, count(risk.unique_vertices), count(risk.smallest_block)
