"""What others have for coAuthorsDBLP: sizes, bounds on the sequence, bounds on the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

DBLP = "coAuthorsDBLP"


@dataclass(frozen=True, slots=True)
class Reference:
    """One line of the paper's table.

    Examples
    --------
    >>> REFERENCES[7].realized, REFERENCES[200].realized
    (542, 21960)
    >>> REFERENCES[5].peer
    'paper: CH 531, OH 321, OPT 317, sequence 317 to 317; known bound: 315'
    """

    clustering: int
    """CH: edges of the clustering heuristic of Lu, Song and Bressan."""
    heuristic: int
    """OH: edges of the paper's upper bound heuristic."""
    optimum: int | None
    """OPT: edges of a solution that the paper proves to be optimal, where it has one."""
    lower: int
    """DP: lower bound on the sequence problem (k-RDSA)."""
    upper: int
    """DP: upper bound on the sequence problem, which is no solution of the graph problem."""
    provable: int | None
    """A bound on the graph problem that the relaxed Erdős–Gallai inequality is known to give, where it was computed."""

    @property
    def realized(self) -> int:
        """The best size for which the paper has a graph."""
        return self.heuristic if self.optimum is None else self.optimum

    @property
    def peer(self) -> str:
        """All of it in words."""
        optimum = "–" if self.optimum is None else str(self.optimum)
        known = "" if self.provable is None else f"; known bound: {self.provable}"
        return (
            f"paper: CH {self.clustering}, OH {self.heuristic}, OPT {optimum}, "
            f"sequence {self.lower} to {self.upper}{known}"
        )


# Hartung, Hoffmann, Nichterlein 2014, table 3 (appendix B)
REFERENCES: Mapping[int, Reference] = {
    2: Reference(97, 62, 61, 61, 61, 61),
    3: Reference(253, 180, 179, 179, 179, 179),
    4: Reference(344, 231, None, 230, 230, 229),
    5: Reference(531, 321, 317, 317, 317, 315),
    7: Reference(817, 542, None, 414, 527, 524),
    10: Reference(1_372, 893, None, 869, 869, 866),
    15: Reference(2_352, 1_549, None, 1_481, 1_481, None),
    20: Reference(3_323, 2_188, None, 2_081, 2_081, 2_071),
    30: Reference(5_381, 3_557, None, 3_391, 3_391, None),
    50: Reference(9_661, 6_700, None, 4_744, 6_042, 5_994),
    100: Reference(21_267, 15_050, None, 10_577, 11_981, 11_694),
    150: Reference(32_932, 24_139, None, 16_483, 16_483, 16_133),
    200: Reference(45_411, 32_925, 21_960, 21_960, 21_960, 21_960),
}
