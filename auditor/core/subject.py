"""A subject as one look at the store found it, and the one parser of ``kind:name``."""

from dataclasses import dataclass

from auditor.core.errors import BadInput
from auditor.core.kinds import KINDS, SubjectKind, kind_named, kinds


@dataclass(frozen=True, slots=True)
class AuditSubject:
    """A subject as one look at the store found it."""

    family: str
    """Name of its kind."""
    name: str
    """Of a network or table; the id of an export."""
    key: str
    """What its audits belong together by: a network's name, a table's population, an export's id."""
    state: str
    """Tells whether what an audit depends on changed; never shown."""
    number: int | None = None
    """What the store has for this one: a network's number, a population's revision."""

    @property
    def shown(self) -> str:
        """``kind:name``, as the ledger has it."""
        return f"{self.family}:{self.name}"


def split_subject(text: str) -> tuple[str | None, str]:
    """Return the kind and the name in ``kind:name``; no kind and the text itself where it begins with none.

    Examples
    --------
    >>> split_subject("table:a:b"), split_subject("a:b")
    (('table', 'a:b'), (None, 'a:b'))
    """
    kind, colon, name = text.partition(":")
    return (kind, name) if colon and kind in KINDS else (None, text)


def parse_subject(text: str) -> tuple[str, str]:
    """Return the kind and the name that ``network:NAME``, ``table:NAME`` or ``export:ID`` mean.

    Raises
    ------
    BadInput
        If there is no such kind.

    Examples
    --------
    >>> parse_subject("table:a:b")
    ('table', 'a:b')
    """
    kind, name = split_subject(text)
    if kind is None or not name:
        known = [f"{known.name}:{'ID' if known.is_release else 'NAME'}" for known in kinds()]
        said = f"{', '.join(known[:-1])} or {known[-1]}"
        raise BadInput(f"{text!r} is no subject of an audit; write {said}")
    return kind, name


def kind_of_subject(text: str) -> SubjectKind:
    """Return the kind of ``kind:name``.

    Raises
    ------
    BadInput
        If there is no such kind.

    Examples
    --------
    >>> kind_of_subject("table:a:b").plural
    'tables'
    """
    return kind_named(parse_subject(text)[0])
