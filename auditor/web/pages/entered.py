"""What was entered in a form, checked where an error can show the form again: with what was entered, and the reason."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from auditor.core.errors import BadInput

Model = TypeVar("Model", bound=BaseModel)

_MOST_MINUTES = 1440


def seconds_of(minutes: float | None) -> float | None:
    """Return the seconds of a time limit in minutes.

    Raises
    ------
    BadInput
        If it is not above 0, or more than a day.

    Examples
    --------
    >>> seconds_of(0.5), seconds_of(None)
    (30.0, None)
    """
    if minutes is None:
        return None
    if not 0 < minutes <= _MOST_MINUTES:
        raise BadInput(f"the time limit ({minutes:g} minutes) must be above 0 and at most {_MOST_MINUTES}")
    return minutes * 60


def checked(kind: type[Model], /, **fields: Any) -> Model:
    """Return a model of what was entered.

    Raises
    ------
    BadInput
        Names the first field that does not fit, and why; never what was entered.

    Examples
    --------
    >>> from auditor.web.api.models import TokenIn
    >>> checked(TokenIn, person="eve", role="officer", days=0)
    Traceback (most recent call last):
    auditor.core.errors.BadInput: days: input should be greater than or equal to 1
    """
    try:
        return kind(**fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        reason = first["msg"].removeprefix("Value error, ")
        where = ".".join(map(str, first["loc"]))
        raise BadInput(f"{where}: {reason[:1].lower()}{reason[1:]}") from error
