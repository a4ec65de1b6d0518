"""Types of values that several sections use; what means the same is written the same, so that it has one digest."""

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

MOST = 2**53 - 1
"""The largest whole number that a policy may hold: counts are kept below 2^53."""

Role = Literal["viewer", "requester", "officer", "administrator"]
"""Who somebody is to the service; a role may nothing that is not given to it."""

Severity = Literal["violation", "undecided", "warning", "info"]
"""How grave a finding is, the gravest first."""

Count = Annotated[int, Field(le=MOST, strict=True)]

Share = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]


class Section(BaseModel):
    """A part of a policy: unknown keys are refused, nothing changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)
    about: ClassVar[str] = ""
    """What the section is about, for the help of a policy."""


def in_order_of(choices: Any) -> AfterValidator:
    """Return what puts a list of some of the choices into their order, each once.

    Parameters
    ----------
    choices : Literal type
    """
    order = get_args(choices)
    return AfterValidator(lambda given: tuple(choice for choice in order if choice in given))
