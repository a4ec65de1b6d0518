"""Objects of the API that are no data classes elsewhere; what they hold is what `--json` prints."""

from datetime import datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Json

from auditor.access.rights import Role
from auditor.core.representation import Representation
from auditor.schedules.repository import CatchUp

Item = TypeVar("Item")
Merged = dict[str, list[list[str]]]


class In(BaseModel):
    """What a request brings; what it does not know is an error, and nothing of it is quoted."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class Page(BaseModel, Generic[Item]):
    """A part of a list."""

    items: list[Item]
    next: str | None = Field(default=None, description="address of the next page; null on the last one")


class Me(Representation):
    """The person who sends the request."""

    person: str
    role: str
    rights: list[str]


class VariableLinkIn(In):
    """What has become of a variable of an earlier version."""

    old: str
    new: list[str] = Field(
        default_factory=list, max_length=20, description="variables that it goes with; none if it is gone"
    )
    rows: list[list[str | None]] = Field(
        default_factory=list,
        max_length=100_000,
        description="its category and one of each new variable; none where the categories are the same",
    )


class TableMapIn(In):
    """A declaration about variables of an earlier version."""

    variables: list[VariableLinkIn] = Field(min_length=1, max_length=200)
    version: int | None = Field(default=None, ge=1, description="the other version; found where only one is undeclared")


class TableMapOut(BaseModel):
    """What is declared of the versions of a table."""

    table: str
    version: int
    declared: list[dict[str, Any]]
    undeclared: list[dict[str, Any]]


class TableOverlapIn(In):
    """Whether two tables are of the same people."""

    other: str
    linked: bool = Field(
        description="true: releases of either count for both, permanently; false: the respondents are different"
    )


class TableOverlapOut(BaseModel):
    """Tables that look alike, of which nobody has said whether they are of the same people."""

    table: str
    population: str
    open: list[dict[str, Any]]


class MarginalIn(In):
    """A marginal by names."""

    variables: list[str] = Field(min_length=1, max_length=100)
    merged: Merged = Field(default_factory=dict, description="categories that become one, by variable")


class RequestIn(MarginalIn):
    """A request for a marginal."""

    by: str | None = Field(
        default=None, max_length=200, description="the beneficiary; only officers can request for others"
    )
    explain: bool = Field(default=False, description="show the cells behind a refusal; needs the right 'look'")
    purpose: str | None = Field(
        default=None, max_length=1000, description="what it is for, for a second person and the ledger"
    )


class FindingOut(Representation):
    """A finding; where it is, what was measured and its sentence only where details were asked for."""

    rule: str
    severity: str
    change: str
    fingerprint: str
    waiver: str | None
    where: str | None = None
    figure: float | None = None
    threshold: float | None = None
    message: str | None = None


class AuditOut(Representation):
    """An audit."""

    id: str
    at: datetime
    subject: str
    verdict: str
    trigger: str
    actor: str
    seconds: float
    repeats: bool
    policy: str = Field(validation_alias="policy_hash")
    findings: list[FindingOut]
    gone: int


class ScheduleIn(In):
    """A new schedule; it audits under the policy of the service."""

    name: str = Field(max_length=200)
    subjects: list[str] = Field(min_length=1, max_length=1000)
    cron: str = Field(max_length=200)
    timezone: str = Field(default="UTC", max_length=100)
    catch_up: CatchUp = "last"


class TokenIn(In):
    """A new token."""

    person: str = Field(max_length=100)
    role: Role
    days: int = Field(default=90, ge=1, le=365)
    only: list[str] | None = None
    note: str = Field(default="", max_length=100)


class WaiverIn(In):
    """A new waiver."""

    fingerprint: str = Field(max_length=100)
    reason: str = Field(min_length=1, max_length=1000)
    until: datetime


class JobOut(Representation):
    """A piece of long work."""

    id: str
    kind: str
    subject: str | None
    person: str
    at: datetime
    state: str
    phase: str | None
    done: int
    total: int
    result: dict[str, Any] | None
    reason: str | None
    finished_at: datetime | None


class EntryOut(Representation):
    """An entry of the ledger."""

    seq: int
    at: str
    actor: str
    kind: str
    subject: str | None
    payload: Json[dict[str, Any]]
    previous: str
    hash: str
