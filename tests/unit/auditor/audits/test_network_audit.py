"""A policy applied to a network: what is found, and what a policy file may say."""

from pathlib import Path

import numpy as np
import pytest

from auditor.core.errors import BadFile, BadInput, NotFound, PolicyError
from auditor.policy import Policy, load_policy, parse_policy
from auditor.subjects.networks.auditing import audit_network, measure_risks, wanted_knowledge
from auditor.subjects.networks.policy import NetworkPolicy, given_rule
from graphkit.errors import BrokenClaim
from graphkit.networks import KNOWLEDGE
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.candidates import CandidateSets


def rules(blocks: list[int], **policy: float) -> list[str]:
    return [finding.rule for finding in audit_network(blocks, NetworkPolicy(**policy)).findings]  # type: ignore[arg-type]


def test_a_network_that_satisfies_every_rule_passes() -> None:
    audit = audit_network([5, 9, 0, 7], NetworkPolicy(k=5, max_reidentification_rate=0.2))
    assert (audit.verdict, audit.findings) == ("passed", ())


def test_each_rule_is_found_on_its_own() -> None:
    assert rules([9, 4], k=5, max_unique_vertices=9) == ["max_share_below_k"]
    assert rules([9, 1], k=2, max_share_below_k=0.5) == ["max_unique_vertices"]
    assert rules([9, 9], k=2, max_reidentification_rate=0.1) == ["max_reidentification_rate"]


def test_a_threshold_that_is_just_met_passes() -> None:
    assert rules([8, 2], k=3, max_share_below_k=0.2) == []
    assert rules([9, 1], k=2, max_share_below_k=0.1, max_unique_vertices=1) == []
    assert rules([5, 5], k=2, max_reidentification_rate=0.2) == []


def test_a_finding_states_figure_and_threshold() -> None:
    (finding,) = audit_network([8, 2], NetworkPolicy(k=3, max_share_below_k=0.1)).findings
    assert (finding.figure, finding.threshold, finding.severity) == (0.2, 0.1, "violation")
    assert "2 of 10 vertices" in finding.message


def test_an_empty_network_passes() -> None:
    assert audit_network([], NetworkPolicy()).verdict == "passed"


def test_the_digest_tells_policies_apart_and_not_their_spelling() -> None:
    assert Policy().digest() == parse_policy({}).digest() == parse_policy({"network": {"k": 5}}).digest()
    assert Policy().digest() != parse_policy({"network": {"k": 6}}).digest()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[network]\nkk = 3", "did you mean 'k'"),
        ("[network]\nmax_share_below = 0.1", "did you mean 'max_share_below_k'"),
        ("[networks]\nk = 3", "did you mean 'network'"),
        ("[network]\nk = 1", "network.k"),
        ("[network]\nk = 'five'", "network.k"),
        ("[network]\nk = 2.5", "network.k"),
        ("[network]\nmax_share_below_k = 1.5", "network.max_share_below_k"),
        ("network = 3", "network"),
    ],
)
def test_a_policy_that_does_not_fit_is_refused_with_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(text)
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    assert message in str(caught.value)
    assert "policy.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_policy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    with pytest.raises(NotFound):
        load_policy(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadFile, match="UTF-8"):
        load_policy(path)
    path.write_text("k = ")
    with pytest.raises(BadFile, match="TOML"):
        load_policy(path)
    with pytest.raises(BadFile):
        load_policy(tmp_path)


def test_rules_about_more_knowledge_are_found_by_their_share() -> None:
    given = {
        "ego": CandidateSets(np.array([0, 0, 0, 1])).risk(2),
        "hubs": CandidateSets(np.array([0, 0, 0, -1])).risk(2),
    }
    policy = NetworkPolicy(k=2, max_share_below_k_ego=0.2, max_share_below_k_hubs=0.0)
    audit = audit_network([0, 4], policy, given)
    (finding,) = audit.findings
    assert (finding.rule, finding.where, finding.figure) == ("max_share_below_k_ego", "ego", 0.25)
    assert "1 of 4 vertices (25\u00a0%)" in finding.message
    assert audit_network([0, 4], NetworkPolicy(k=2, max_share_below_k_ego=0.25), given).verdict == "passed"


def test_what_is_undecided_is_not_taken_for_safe() -> None:
    given = {"ego": CandidateSets(np.array([0, 0, 0, 0]), undecided=4).risk(2)}
    (finding,) = audit_network([0, 4], NetworkPolicy(k=2, max_share_below_k_ego=0.5), given).findings
    assert finding.figure == 1.0
    assert "4 more are undecided" in finding.message


def test_a_rule_that_was_not_measured_is_never_passed() -> None:
    with pytest.raises(BrokenClaim):
        audit_network([0, 4], NetworkPolicy(k=2, max_share_below_k_ego=0.5))


def test_what_is_measured_is_what_was_asked_for_and_what_the_policy_limits() -> None:
    policy = NetworkPolicy(k=2, max_share_below_k_ego_size=0.5)
    assert wanted_knowledge([], NetworkPolicy()) == ()
    assert wanted_knowledge(["hubs"], policy) == ("ego-size", "hubs")
    assert wanted_knowledge(["all"], policy) == tuple(name for name in KNOWLEDGE if name != "degree")
    assert {name for name in KNOWLEDGE if given_rule(name) in NetworkPolicy.model_fields} == set(KNOWLEDGE) - {"degree"}
    with pytest.raises(BadInput, match="known: degree"):
        wanted_knowledge(["gossip"], policy)
    path = SimpleGraph.from_edges([(0, 1), (1, 2)])
    assert measure_risks(path, NetworkPolicy(k=3, hubs=1), ["hubs"])["hubs"].n == 2


def test_every_key_of_a_policy_is_documented() -> None:
    page = (Path(__file__).resolve().parents[4] / "docs" / "network-audit.md").read_text(encoding="utf-8")
    assert [key for key in NetworkPolicy.model_fields if f"`{key}`" not in page] == []
