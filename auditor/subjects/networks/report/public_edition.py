"""The edition that may leave the house: made from the release alone, so that nothing of the original gets onto it."""

import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np

from auditor.core.finding import Finding
from auditor.exports.manifest import check_lines
from auditor.subjects.networks.charts.block_sizes import block_sizes_chart
from auditor.subjects.networks.charts.degree_blocks import degree_blocks_chart
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.report.knowledge_rows import KnowledgeRow, knowledge_rows
from auditor.subjects.networks.report.network_report import Release
from auditor.subjects.networks.report.verdict import claim_in_words, meaning_of_k, verdict_of_release
from graphkit.networks.risk.degree_risk import DegreeRisk

_RELEASED = ("after", "this file")


def public_page(
    release: Release,
    risk: DegreeRisk,
    version: str,
    policy: NetworkPolicy | None = None,
    findings: Sequence[Finding] = (),
) -> dict[str, Any]:
    """Return what the public template shows.

    Parameters
    ----------
    release : Release
        A verified file. How it was made and its comparison with the original are not read.
    risk : DegreeRisk
        Of the released network.
    version : str
        Of the program.
    policy : NetworkPolicy, optional
        What was asked of the file besides its claim.
    findings : sequence of Finding, optional
        What of the file violates that.

    Notes
    -----
    A test changes everything about the original and the making and finds the same page, byte by byte.
    """
    blocks = risk.block_sequence
    shown = [(_RELEASED, blocks)]
    charts = (degree_blocks_chart(shown, release.claim.k), block_sizes_chart(shown, release.claim.k))
    return {
        "file": release.file,
        "quoted_file": shlex.quote(release.file),
        "files": release.files,
        "check_lines": check_lines(release.files),
        "export": release.export,
        "verified_at": release.verified_at,
        "version": version,
        "claim": release.claim,
        "claim_in_words": claim_in_words(release.claim),
        "attributes": release.kept_attributes,
        "checks": release.verification.checks,
        "not_checked": release.not_checked,
        "verdict": verdict_of_release(release, policy, findings),
        "meaning": meaning_of_k(release.claim.k),
        "edges": risk.edges,
        "smallest_block": risk.smallest_block,
        "degrees": int(np.count_nonzero(blocks)),
        "measures": release.utility.measures if release.utility is not None else (),
        "knowledge": _more_than_degrees(release, risk),
        "charts": [chart for chart in charts if chart is not None],
    }


def _more_than_degrees(release: Release, risk: DegreeRisk) -> list[KnowledgeRow]:
    """Return what knowledge singles out in the released file, the degree left out: that is what the claim is about.

    Whoever has the file can count the same.
    """
    given = [{"degree": risk, **release.given}] if release.given else []
    return [row for row in knowledge_rows(given, release.claim.k) if row.name != "degree"]
