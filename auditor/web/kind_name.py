"""The name of a kind of subject as a parameter of a request."""

from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from auditor.core.kinds import KINDS


def _known(name: str) -> str:
    if name not in KINDS:
        raise ValueError(f"must be one of {', '.join(KINDS)}")
    return name


KindName = Annotated[str, AfterValidator(_known), WithJsonSchema({"type": "string", "enum": [*KINDS]})]
KindNameOrAll = Annotated[str, AfterValidator(lambda name: name and _known(name))]
"""An empty one means all."""
