"""Section `[network]`: how exposed a network may be."""

from typing import Annotated

from pydantic import Field

from auditor.policy.meaning import Meaning
from auditor.policy.values import Section, Share

_GIVEN = "max_share_below_k_"

_MORE = (
    "An attacker may know more than a degree. No release of this program is built to withstand it: audit the release,"
    " and limit only what it can keep. No source was found that names a number."
)


class NetworkPolicy(Section):
    """Thresholds for a network against an attacker who knows the degree of a vertex, or, where asked for, more."""

    about = "how exposed a network may be"
    k: Annotated[
        int,
        Meaning(
            "An attacker who knows the number of contacts of a person finds at least k people with this number, and "
            "guesses right once in k times at best. The literature names no k for networks; the presets take the "
            "sizes that are usual for cells of tables, since a block of vertices of one degree is such a cell.",
            "higher",
            ("liu-terzi-2008", "hartung-2014", "el-emam-2013"),
        ),
    ] = Field(default=5, ge=2, strict=True, description="every degree that occurs occurs at least k times")
    max_share_below_k: Annotated[
        Share,
        Meaning(
            "0 requires k-anonymity of all; more tolerates that some are found, for an audit of data that stay inside.",
            "lower",
        ),
    ] = Field(default=0.0, description="share of vertices in blocks of fewer than k that is tolerated")
    max_unique_vertices: Annotated[
        int,
        Meaning(
            "The only vertex of its degree is found without any guess. It matters only where a share is tolerated.",
            "lower",
        ),
    ] = Field(default=0, ge=0, strict=True, description="vertices that are the only one of their degree, at most")
    max_reidentification_rate: Annotated[
        Share | None,
        Meaning(
            "The mean over all vertices of the chance that a guess within the right block hits, where k limits the "
            "worst. With every block of at least k it is at most 1/k.",
            "lower",
        ),
    ] = Field(default=None, description="share of vertices that a guess within the right block hits, at most")
    max_share_below_k_ego_size: Annotated[Share | None, Meaning(_MORE, "lower")] = Field(
        default=None, description="share with fewer than k candidates by contacts and ties among them, at most"
    )
    max_share_below_k_ego: Annotated[Share | None, Meaning(_MORE, "lower")] = Field(
        default=None,
        description="share with fewer than k candidates by who among the contacts is tied to whom, at most",
    )
    max_share_below_k_neighbours: Annotated[Share | None, Meaning(_MORE, "lower")] = Field(
        default=None,
        description="share with fewer than k candidates by how many contacts each contact has, at most",
    )
    max_share_below_k_iterated: Annotated[Share | None, Meaning(_MORE, "lower")] = Field(
        default=None,
        description="share with fewer than k candidates by how many those have, to the end, at most",
    )
    max_share_below_k_hubs: Annotated[Share | None, Meaning(_MORE, "lower")] = Field(
        default=None, description="share with fewer than k candidates by the distances to the hubs, at most"
    )
    hubs: Annotated[
        int,
        Meaning(
            "Everybody knows the hubs, and many know how far they are from one. The hubs themselves are not counted, "
            "so more of them are not stricter in every network."
        ),
    ] = Field(default=5, ge=1, strict=True, description="vertices of highest degree that count as hubs")

    @property
    def shares_given(self) -> dict[str, float]:
        """Share of vertices with fewer than k candidates that is tolerated under each knowledge with a threshold."""
        limits = {name: getattr(self, given_rule(name)) for name in _KNOWLEDGE}
        return {name: limit for name, limit in limits.items() if limit is not None}


_KNOWLEDGE = tuple(
    name.removeprefix(_GIVEN).replace("_", "-") for name in NetworkPolicy.model_fields if name.startswith(_GIVEN)
)


def given_rule(knowledge: str) -> str:
    """Return the key that limits the share of vertices below k under a knowledge other than the degree.

    Examples
    --------
    >>> given_rule("ego-size")
    'max_share_below_k_ego_size'
    """
    return _GIVEN + knowledge.replace("-", "_")
