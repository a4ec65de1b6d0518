"""What is published of a record: one model, for `--json`, the API and the pages."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Representation(BaseModel):
    """The base of all such models: what a record holds beside the fields of the model is not published.

    Examples
    --------
    >>> class Answer(Representation):
    ...     real: float
    ...     seconds: int = 0
    >>> Answer.from_record(2 + 3j, seconds=7)
    Answer(real=2.0, seconds=7)
    """

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def from_record(cls, record: object, /, **given: Any) -> Self:
        """Return what is published of a record.

        Parameters
        ----------
        record : object
            Has an attribute for each field, under its name or its validation alias; a field with a default may be
            missing.
        **given
            Fields that the record does not have, or that are published otherwise.
        """
        names = {name: str(field.validation_alias or name) for name, field in cls.model_fields.items()}
        found = {alias: getattr(record, alias) for alias in names.values() if hasattr(record, alias)}
        return cls.model_validate(found | {names.get(name, name): value for name, value in given.items()})
