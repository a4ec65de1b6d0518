"""What can be requested as a job, by whom, and what is done then: audits, and what kinds of subjects add."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from auditor.access.rights import Right
from auditor.approvals.words import MOST_LETTERS, purpose_of
from auditor.core.errors import BadInput
from auditor.core.kinds import kinds, part
from auditor.core.names import LONGEST_NAME, given_name
from auditor.core.origin import Origin
from auditor.core.progress import Progress
from auditor.policy import Policy
from auditor.store import Store


@dataclass(frozen=True, slots=True)
class JobPorts:
    """What a job is given."""

    store: Store
    policy: Policy
    exports: Path
    """Folder for files that it makes."""
    person: str
    origin: Origin
    report: Progress


class JobInput(BaseModel, ABC):
    """Parameters of a job, as the API takes them."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    kind: str
    """Name of the kind of job; a literal in each subclass."""

    @abstractmethod
    def subjects_named(self) -> Sequence[str]:
        """Return the subjects that it is about, each ``kind:name``."""


class ExportInput(JobInput):
    """Parameters of a job that makes an export."""

    purpose: Annotated[str | None, AfterValidator(purpose_of)] = Field(
        default=None, max_length=MOST_LETTERS, description="what it is for, for a second person and the ledger"
    )
    name: Annotated[str | None, AfterValidator(given_name)] = Field(
        default=None, max_length=LONGEST_NAME, description="what the export is called in lists; its id stays"
    )


def _accept(store: Store, policy: Policy, given: Any) -> None:
    """Refuse nothing."""


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job."""

    right: Right
    """What its requester needs."""
    input: type[JobInput]
    work: Callable[[JobPorts, Mapping[str, Any]], dict[str, Any]]
    """Does it, and returns what came out: no protected value."""
    check: Callable[[Store, Policy, Any], None] = _accept
    """Called before it is queued, with the input; raises where it could not be done or must not be."""
    private: bool = False
    """Whether what came out is for its requester alone."""


class AuditIn(JobInput):
    """Audit subjects under the policy of the service."""

    kind: Literal["audit"]
    subjects: list[str] = Field(min_length=1, max_length=1000)

    def subjects_named(self) -> Sequence[str]:
        """Return the subjects that the job is about."""
        return self.subjects


def _audit(ports: JobPorts, given: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.audits.running import run_audit

    subjects, verdicts = list(given["subjects"]), {}
    for place, subject in enumerate(subjects):
        ports.report("audit", place, len(subjects))
        audit = run_audit(ports.store, subject, ports.policy, trigger="service", actor=ports.person)
        verdicts[subject] = {"audit": audit.id, "verdict": audit.verdict}
    return {"audits": verdicts}


def job_kinds() -> dict[str, JobKind]:
    """Return all kinds of jobs by name, in order of their names."""
    found = {name: cast(JobKind, part(address)) for kind in kinds() for name, address in kind.jobs.items()}
    return dict(sorted({"audit": JobKind("schedule", AuditIn, _audit), **found}.items()))


def kind_of(name: str) -> JobKind:
    """Return a kind of job.

    Raises
    ------
    BadInput
        If there is none of that name.
    """
    found = job_kinds()
    if name not in found:
        raise BadInput(f"there is no job {name!r}; there are {', '.join(found)}")
    return found[name]
