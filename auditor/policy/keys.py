"""All keys that a policy may have, read from the models: what the docs, `explain` and `diff` know of them."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from auditor.core.subject import split_subject
from auditor.policy.meaning import Meaning
from auditor.policy.whole import policy_model


@dataclass(frozen=True, slots=True)
class Key:
    """A key that a policy may have."""

    name: str
    """With its sections, such as ``table.threshold``; ``*`` stands for a name that the author chooses."""
    asks: str
    default: Any
    """None where there is none."""
    required: bool
    meaning: Meaning


def known_keys() -> tuple[Key, ...]:
    """Return all keys, in the order of the models.

    Examples
    --------
    >>> [key.name for key in known_keys()][:2]
    ['network.k', 'network.max_share_below_k']
    """
    return _all_keys(policy_model())


@cache
def _all_keys(model: type[BaseModel]) -> tuple[Key, ...]:
    return tuple(_keys_of(model, ""))


def key_of(name: str) -> Key | None:
    """Return what is known of a key of some policy; None of one that is not known (any more).

    Examples
    --------
    >>> key_of("notify.channels.office.kind").name, key_of("table.named.illness").name
    ('notify.channels.*.kind', 'table.named')
    """
    parts = name.split(".")
    for key in known_keys():
        pattern = key.name.split(".")
        fits = len(pattern) <= len(parts) and all(p in ("*", part) for p, part in zip(pattern, parts, strict=False))
        if fits and (len(pattern) == len(parts) or isinstance(key.default, dict)):
            return key
    return None


def key_of_rule(family: str, rule: str, of: str | None = None) -> Key | None:
    """Return the key that states a rule; what a policy asks of a subject, it asks of what was made from it as well.

    Parameters
    ----------
    family, rule : str
    of : str, optional
        What an export was made from.

    Examples
    --------
    >>> key_of_rule("export", "distinct_l", "microdata:people").name, key_of_rule("export", "file", "network:friends")
    ('microdata.distinct_l', None)
    """
    origin = split_subject(of)[0] if of else None
    return key_of(f"{family}.{rule}") or key_of(f"{origin}.{rule}")


def flat_values(policy: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return the values of a policy by their full keys; what is empty or not given is None.

    Examples
    --------
    >>> flat_values({"network": {"k": 5}, "notify": {"channels": {}}})
    {'network.k': 5, 'notify.channels': None}
    """
    found: dict[str, Any] = {}
    for name, value in policy.items():
        if isinstance(value, Mapping) and value:
            found |= flat_values(value, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = None if isinstance(value, Mapping) else value
    return found


def known_parts(place: Sequence[str]) -> list[str]:
    """Return the names that may stand at a place of a policy file, such as the keys of the section ``["table"]``."""
    model: type[BaseModel] | None = policy_model()
    names = ["preset"] if not place else []
    for part in place:
        if model is not None and part in model.model_fields:
            model = _model_in(model.model_fields[part])
        # else: a name that the author chose, of something that has the model
    return sorted([*names, *(model.model_fields if model is not None else ())])


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name that looks most like one, or at all of them.

    Examples
    --------
    >>> nearest("treshold", ["threshold", "named"])
    "did you mean 'threshold'?"
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names)}"


def _keys_of(model: type[BaseModel], before: str) -> Iterator[Key]:
    for name, field in model.model_fields.items():
        inner = _model_in(field)
        if inner is not None:
            yield from _keys_of(inner, f"{before}{name}." if _is_model(field) else f"{before}{name}.*.")
            continue
        meaning = next((item for item in field.metadata if isinstance(item, Meaning)), Meaning(""))
        default = None if field.is_required() else field.get_default(call_default_factory=True)
        yield Key(f"{before}{name}", field.description or "", default, field.is_required(), meaning)


def _is_model(field: FieldInfo) -> bool:
    return isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)


def _model_in(field: FieldInfo) -> type[BaseModel] | None:
    """Return the model of a field that is one, or that holds several by name."""
    for item in (field.annotation, *get_args(field.annotation)):
        if isinstance(item, type) and issubclass(item, BaseModel):
            return item
    return None
