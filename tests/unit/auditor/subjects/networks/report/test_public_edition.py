"""Nothing of the original, and nothing of how the release was made, gets onto the public page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.core.finding import Finding
from auditor.subjects.networks.auditing import NetworkAudit, audit_network
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.report.network_report import Making, NetworkReport
from auditor.subjects.networks.report.pages import render_network_report
from graphkit.networks import KNOWLEDGE
from graphkit.networks.risk.candidates import CandidateSets
from graphkit.networks.risk.degree_risk import degree_risk
from graphkit.networks.utility import Agreement, Comparison, Distance, Measure, Utility
from tests.support.network_reports import AT, report_with_release, scale_free_graph
from tests.support.strategies import block_sequences

RELEASED = report_with_release(scale_free_graph(200), k=3, file="released.csv.gz")
DEGREE, COUNT = 48_611, 73_939
CANARY_RISK = degree_risk(np.bincount([1, 2, DEGREE, *[907] * COUNT]), 3)
CANARY_GIVEN = CandidateSets(np.minimum(np.arange(52_957), 52_950)).risk(3)
CANARY_UTILITY = Utility(
    tuple(Measure(m.name, 0.8317 + i * 7.3191, 0.2953, "canary-note") for i, m in enumerate(RELEASED.utility.measures))
)
CANARY_MAKING = Making(86_413, 86_399, "canary-method", "canary-status")


def with_canaries() -> NetworkReport:
    finding = Finding("canary-rule", "canary-place", "violation", 31_847, 29_873, "canary-message")
    audit = NetworkAudit(
        NetworkPolicy(k=17, hubs=4129), CANARY_RISK, (finding,), dict.fromkeys(KNOWLEDGE, CANARY_GIVEN)
    )
    comparison = Comparison(
        CANARY_UTILITY,
        RELEASED.release.utility,
        (Distance("degree distribution, canary", 0.6173),),
        (Agreement("canary-agreement", 0.7741, 0.0521, 0.6632, "canary-remark"),),
    )
    release = replace(RELEASED.release, making=CANARY_MAKING, comparison=comparison)
    return NetworkReport("canary-name", AT, audit, CANARY_UTILITY, release, asked=False)


def canaries() -> set[str]:
    numbers = [DEGREE, COUNT, CANARY_RISK.n, 86_413, 86_399, 31_847, 29_873, CANARY_GIVEN.n, 52_950, 4129]
    numbers.append(int((CANARY_RISK.block_sequence * np.arange(CANARY_RISK.block_sequence.size)).sum()) // 2)
    words = {text for number in numbers for text in (str(number), f"{number:,}")}
    words |= {f"{m.value:.4g}" for m in CANARY_UTILITY.measures if m.value is not None}
    return words | {"0.6173", "0.7741", "0.6632", "0.2953", "k = 17"}


def test_no_canary_is_on_the_public_page() -> None:
    public = render_network_report(with_canaries(), "public")
    assert "canary" not in public
    assert [word for word in canaries() if word in public] == []


def test_the_internal_page_would_show_them() -> None:
    internal = render_network_report(with_canaries(), "internal")
    for word in ("canary-name", "canary-rule", "canary-message", "canary-note", "canary-method", "canary-status"):
        assert word in internal
    for word in (
        "86,413",
        "86,399",
        f"{DEGREE:,}",
        f"{COUNT:,}",
        "52,957",
        "52,950",
        "31,847",
        "29,873",
        "0.8317",
        "0.6173",
    ):
        assert word in internal


@given(
    blocks=block_sequences(),
    k=st.integers(2, 9),
    name=st.text(max_size=9),
    added=st.integers(0, 10**6),
    bound=st.none() | st.integers(0, 10**6),
    distance=st.floats(0, 1),
    figure=st.floats(-1, 1),
)
@settings(max_examples=60, deadline=None)
def test_the_public_page_does_not_depend_on_the_original(
    blocks: np.ndarray, k: int, name: str, added: int, bound: int | None, distance: float, figure: float
) -> None:
    release = replace(
        RELEASED.release,
        making=Making(added, bound, name, name),
        comparison=Comparison(
            Utility((Measure("mean degree", figure, None, name),)),
            RELEASED.release.utility,
            (Distance(name, distance),),
            (Agreement(name, distance),),
        ),
    )
    other = replace(
        RELEASED,
        name=name,
        audit=audit_network(blocks, NetworkPolicy(k=k)),
        asked=False,
        utility=Utility((Measure("mean degree", figure, None, name),)),
        release=release,
    )
    by_claim = replace(RELEASED, asked=False)
    assert render_network_report(other, "public") == render_network_report(by_claim, "public")
    # a policy that was asked for is the same for every original
    asked = replace(RELEASED, audit=audit_network([0, 1], NetworkPolicy(k=k)))
    assert render_network_report(replace(other, asked=True), "public") == render_network_report(asked, "public")


def test_the_public_page_says_what_the_file_is() -> None:
    public = render_network_report(RELEASED, "public")
    release = RELEASED.release
    for word in ("released.csv.gz", "ab" * 32, release.export, "k-anonymous", "contains the original"):
        assert word in public
    assert f"{release.utility['global clustering'].value:.4g}" in public


def test_the_public_page_lists_every_file_and_a_command_that_checks_all_of_them() -> None:
    files = {"r.csv": "ab" * 32, "r.vertices.csv": "cd" * 32}
    release = replace(RELEASED.release, file="r.csv", files=files)
    for edition in ("public", "internal"):
        page = render_network_report(replace(RELEASED, release=release), edition)
        for name, digest in files.items():
            assert f"<dd>{name}</dd>" in page
            assert f"<code>{digest}</code>" in page
    public = render_network_report(replace(RELEASED, release=release), "public")
    lines = "".join(f"{digest}  {name}\n" for name, digest in files.items())
    assert f"sha256sum --check &lt;&lt;'END'\n{lines}END" in public
    assert "all of them belong together" in public


def test_the_public_page_says_who_is_protected_and_against_whom() -> None:
    claim = replace(RELEASED.release.claim, supergraph=False, scope="subset", earlier=2)
    public = render_network_report(replace(RELEASED, release=replace(RELEASED.release, claim=claim)), "public")
    text = " ".join(public.split())
    assert "every vertex of a chosen group shares its degree with at least 2 others of the group" in text
    assert "every list of degrees over 3 versions" in text
    assert "It may lack edges of the original." in text
    # whoever has the file alone does not know the group
    assert "auditor network audit" not in text


@pytest.mark.parametrize("k", [2, 3, 50])
def test_both_editions_judge_by_the_policy_that_was_asked_for(k: int) -> None:
    report = replace(RELEASED, audit=audit_network(RELEASED.audit.risk.block_sequence, NetworkPolicy(k=k)))
    assert report.holds == (k <= 3)
    for edition in ("internal", "public"):
        page = render_network_report(report, edition)
        assert ("Not passed" in page) == (k > 3)
        assert f"k = {k}" in page
    public = render_network_report(report, "public")
    assert ("does not meet the policy (k = 50)" in public) == (k == 50)
    assert f"The file was read back and checked: every degree that occurs occurs at least {3} times." in public


def test_a_release_for_a_subset_is_judged_by_its_claim_where_nothing_else_is_asked() -> None:
    claim = replace(RELEASED.release.claim, scope="subset")
    unprotected = replace(RELEASED.release, claim=claim, risk=CANARY_RISK, given={})
    report = replace(RELEASED, release=unprotected, asked=False)
    assert report.holds
    assert not replace(report, asked=True).holds
