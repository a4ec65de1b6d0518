"""Exposure to attackers who know more than a degree: candidate sets by ego networks, neighbours' degrees and hubs."""

from graphkit.networks.attackers.knowledge import KNOWLEDGE, Knowledge, candidate_sets, structural_risk

__all__ = ["KNOWLEDGE", "Knowledge", "candidate_sets", "structural_risk"]
