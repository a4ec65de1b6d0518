"""The risk under each knowledge, in words and figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphkit.networks.attackers.knowledge import KNOWLEDGE
from graphkit.networks.risk.candidates import CandidateRisk
from graphkit.numbers import count, share


@dataclass(frozen=True, slots=True)
class KnowledgeFigures:
    """What an attacker with a certain knowledge finds in a network."""

    below: str
    """Vertices with fewer than k candidates."""
    unique: str
    """Vertices with a single candidate."""


@dataclass(frozen=True, slots=True)
class KnowledgeRow:
    """A knowledge, and what it singles out before and after; `after` is None without a release."""

    name: str
    text: str
    before: KnowledgeFigures
    after: KnowledgeFigures | None
    open: bool
    """Whether a figure is a lower bound."""


def knowledge_rows(given: Sequence[Mapping[str, CandidateRisk]], k: int) -> list[KnowledgeRow]:
    """Return a row for each knowledge that was measured.

    Parameters
    ----------
    given : sequence of mapping of str to CandidateRisk
        Nothing, one network, or the original and its release; the degree is among what is known.
    k : int
        Required number of candidates.
    """
    if not given:
        return []
    rows = []
    for name, knowledge in KNOWLEDGE.items():
        risks = [risks[name] for risks in given if name in risks]
        if len(risks) == len(given):
            figures = [_figures(risk, k) for risk in risks]
            after = figures[1] if len(figures) > 1 else None
            text = _with_number(knowledge.text, given[0]["degree"].n - risks[0].n)
            rows.append(KnowledgeRow(name, text, figures[0], after, any(risk.undecided for risk in risks)))
    return rows


def _with_number(words: str, left_out: int) -> str:
    """Say how many the hubs are: those that no candidate set holds."""
    return words.replace("the hubs are", f"the {count(left_out)} hubs are") if left_out else words


def _figures(risk: CandidateRisk, k: int) -> KnowledgeFigures:
    least = "≥\N{NO-BREAK SPACE}" if risk.undecided else ""
    below = f"{least}{count(risk.below(k))}\N{NO-BREAK SPACE}({share(risk.share_below(k))})"
    return KnowledgeFigures(below, f"{least}{count(risk.unique_vertices)}")
