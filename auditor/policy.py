"""The policy: what a subject must satisfy before it goes out. A TOML file, one section a family of subjects."""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from auditor.errors import BadFile, NotFound, PolicyError
from graphkit.tables.rules import DisclosureRules

__all__ = ["NetworkPolicy", "Policy", "TablePolicy", "given_rule", "load_policy", "parse_policy"]


_GIVEN = "max_share_below_k_"
_MOST = 2**53 - 1


class NetworkPolicy(BaseModel):
    """Thresholds for a network against an attacker who knows the degree of a vertex, or, where asked for, more."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    k: int = Field(default=5, ge=2, strict=True, description="every degree that occurs occurs at least k times")
    max_share_below_k: float = Field(
        default=0.0, ge=0, le=1, description="share of vertices in blocks of fewer than k that is tolerated"
    )
    max_unique_vertices: int = Field(
        default=0, ge=0, strict=True, description="vertices that are the only one of their degree, at most"
    )
    max_reidentification_rate: float | None = Field(
        default=None, ge=0, le=1, description="share of vertices that a guess within the right block hits, at most"
    )
    max_share_below_k_ego_size: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="share with fewer than k candidates by contacts and ties among them, at most",
    )
    max_share_below_k_ego: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="share with fewer than k candidates by who among the contacts is tied to whom, at most",
    )
    max_share_below_k_neighbours: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="share with fewer than k candidates by how many contacts each contact has, at most",
    )
    max_share_below_k_iterated: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="share with fewer than k candidates by how many those have, to the end, at most",
    )
    max_share_below_k_hubs: float | None = Field(
        default=None, ge=0, le=1, description="share with fewer than k candidates by the distances to the hubs, at most"
    )
    hubs: int = Field(default=5, ge=1, strict=True, description="vertices of highest degree that count as hubs")

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


class TablePolicy(BaseModel):
    """Thresholds for the marginals of a table, against somebody who knows all that are out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sensitive: Literal["small", "all", "named"] = Field(
        default="small",
        description="cells that are protected: small counts, all that are not zero, or named categories",
    )
    threshold: int = Field(default=3, ge=2, le=_MOST, strict=True, description="counts from 1 to below it are small")
    named: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="categories that are protected, by variable, for sensitive = 'named'"
    )
    min_width: int = Field(
        default=3,
        ge=1,
        le=_MOST,
        strict=True,
        description="least and largest possible count are so far apart, at least",
    )
    min_relative_width: float = Field(
        default=0.0, ge=0, le=100, allow_inf_nan=False, description="the same as a share of the count, at least"
    )
    hide_small: bool = Field(default=True, description="a small count could be as large as the threshold")
    min_values: int = Field(
        default=0,
        ge=0,
        le=_MOST,
        strict=True,
        description="so many different counts are possible, at least; 0: not asked",
    )
    min_tables: int = Field(
        default=0,
        ge=0,
        le=_MOST,
        strict=True,
        description="so many tables have the marginals, at least; 0: not asked",
    )
    group_disclosure: bool = Field(
        default=False, description="no marginal shows of a group that all of it are in one category"
    )
    answers: tuple[Literal["release", "refuse", "simulate"], ...] = Field(
        default=("release", "refuse"),
        description="with simulate, a refusal becomes an answer from a simulated table, and so do all that follow",
    )
    refusals: Literal["plain", "simulatable"] = Field(
        default="plain",
        description="simulatable: decided over tables drawn from what is out, so that an answer tells nothing else",
    )
    time_limit: float = Field(
        default=60.0, gt=0, allow_inf_nan=False, description="seconds for a decision; then it is undecided"
    )

    @model_validator(mode="after")
    def _named_belong_together(self) -> TablePolicy:
        if (self.sensitive == "named") != bool(self.named):
            raise ValueError("named categories and sensitive = 'named' belong together; give both or neither")
        if not {"release", "refuse"} <= set(self.answers):
            raise ValueError("answers must hold release and refuse; simulate may be added")
        return self

    def rules(self) -> DisclosureRules:
        """Return the thresholds as the engine takes them."""
        values = self.model_dump(exclude={"named", "time_limit", "answers", "refusals"})
        named = tuple((name, category) for name, categories in self.named.items() for category in categories)
        return DisclosureRules(**values, named=named)


class Policy(BaseModel):
    """All sections of a policy file; a section that is left out has its defaults."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    network: NetworkPolicy = NetworkPolicy()
    table: TablePolicy = TablePolicy()

    def text(self) -> str:
        """Return the policy as canonical JSON, every default written out."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def digest(self) -> str:
        """Return the SHA-256 of the canonical text: two policies are the same exactly when this is."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def load_policy(path: Path) -> Policy:
    """Return the policy in a TOML file.

    Raises
    ------
    NotFound
        If there is no such file.
    BadFile
        If it cannot be read or is no TOML.
    PolicyError
        If it does not fit the schema.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFound(f"policy file {path} does not exist") from None
    except UnicodeDecodeError:
        raise BadFile(f"policy file {path} is not UTF-8 text") from None
    except OSError as error:
        raise BadFile(f"policy file {path} cannot be read ({error.strerror})") from error
    try:
        return parse_policy(tomllib.loads(text), where=str(path))
    except tomllib.TOMLDecodeError as error:
        raise BadFile(f"policy file {path} is not valid TOML: {error}") from None


def parse_policy(data: dict[str, Any], where: str = "policy") -> Policy:
    """Return the policy that a mapping describes.

    Raises
    ------
    PolicyError
        If a key is unknown (the nearest known one is named) or a value does not fit.

    Examples
    --------
    >>> parse_policy({"network": {"k": 10}}).network.k
    10
    """
    try:
        return Policy.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            raise PolicyError(f"{where}: unknown key {key!r}{_nearest(first['loc'])}") from None
        raise PolicyError(f"{where}: {key}: {first['msg'].removeprefix('Value error, ')}") from None


def _nearest(location: tuple[int | str, ...]) -> str:
    """Return a hint at the known key that looks most like the last part of a location."""
    sections: dict[int | str, type[BaseModel]] = {"network": NetworkPolicy, "table": TablePolicy}
    model = sections.get(location[0], Policy) if len(location) > 1 else Policy
    known = sorted(model.model_fields)
    near = difflib.get_close_matches(str(location[-1]), known, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}"
