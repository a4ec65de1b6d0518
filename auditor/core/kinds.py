"""Kinds of subjects: what one is made of, and which ones there are.

A kind is a folder that describes itself in one :class:`SubjectKind`, and one line in :data:`KINDS`. Everything else
asks this registry: audits, approvals, schedules, backups, the service. A description is plain data; the parts that it
names (``"module:attribute"``) are imported when they are first used: a command loads only the kinds that it needs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from auditor.core.errors import BadInput
from auditor.core.finding import Finding
from auditor.core.ports.happening import Happening, LedgerEvent, ReleaseOut, audited
from auditor.core.transactions import Transaction

if TYPE_CHECKING:
    from auditor.core.subject import AuditSubject

KINDS: dict[str, str] = {
    "network": "auditor.subjects.networks.kind:NETWORK",
    "table": "auditor.subjects.tables.kind:TABLE",
    "microdata": "auditor.subjects.microdata.kind:MICRODATA",
    "export": "auditor.exports.kind:EXPORT",
}
"""Every kind, and where its description is."""


@dataclass(frozen=True, slots=True)
class EntryKind:
    """A kind of ledger entries; it is stated where the kind is defined, with its sentence beside it.

    Parameters
    ----------
    meaning : str
        What happened, for lists of kinds.
    sentence : str
        What one entry says, to be filled in by :func:`auditor.ledger.sentences.tell_entry`.

    Notes
    -----
    In a sentence ``{who}`` is the actor, ``{what}`` the subject, and any other name a key of the payload.
    ``{audit:audited}`` shows words instead of the value, which lead to the page of what has that id. ``{linked:}``
    shows nothing and ``{!linked:}`` demands that the value is missing or false, so both are conditions. A part in
    square brackets is left out unless all that it names is there; a person who is the actor anyway counts as missing.

    Examples
    --------
    >>> EntryKind("a waiver was revoked", "{who} revoked a waiver of {what}").sentence
    '{who} revoked a waiver of {what}'
    """

    meaning: str
    sentence: str


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """What the first page of an empty store says to a newcomer who has a file of a kind.

    Parameters
    ----------
    title, line : str
        What they have, and what one line of the file is.
    sample : str
        The first lines of such a file.
    steps : tuple of (str, str)
        What they do, and the command that does the same.
    """

    title: str
    line: str
    sample: str
    steps: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a kind keeps in the store."""

    keys: Mapping[str, str] = field(default_factory=dict)
    """Kinds of nodes that backups hold, each with the property that tells its nodes apart."""
    relations: tuple[tuple[str, str, str], ...] = ()
    """Relations between such nodes: from, type, to. None has properties."""
    hidden: tuple[str, ...] = ()
    """Kinds of nodes that backups treat apart or leave out."""
    schema: tuple[str, ...] = ()
    """Constraints and indexes that no migration of the store makes; their names begin with ``auditor_``."""


@dataclass(frozen=True, slots=True)
class SubjectKind:
    """A kind of subject.

    Parameters
    ----------
    name, plural : str
        ``network`` in ``network:NAME``; ``networks`` in addresses.
    node : str
        Cypher: the node ``s`` of the subject called ``$name``.
    number : str
        Cypher: what tells ``s`` apart from another one of its name; ``null`` where the name does.
    listed : str
        Cypher: all that can be audited, as rows of ``name``, ``key``, ``state`` and ``of``.
    title : str
        Cypher: what people call such a row, where it is not its name.
    port : str
        Its :class:`SubjectPort`.
    audited : str
        Cypher: whether such a row is among what is audited where all subjects are.
    past : str
        Cypher: the nodes ``s``, also of what was removed, whose entries in the ledger are the history of ``$name``.
    about : str
        Cypher: the node ``s`` that entries of the ledger about ``$name`` are tied to; none by default.
    people : str
        Cypher: each ``name`` of a person, once, for whom or by whom something of it was recorded; none by default.
    policy : str
        The model of its section of a policy, a :class:`~auditor.policy.values.Section`.
    commands : tuple of str
        The module of its group of commands, and the line about it in the overview; None where it has no group.
    files : str
        ``(path, policy, settings, roles)``: returns the findings in a file of it, without a store; none by default.
    rules : str
        A mapping: what its findings ask for that no key of a policy states, by rule.
    remedies : str
        ``(name, rule, policy, of)``: returns the :class:`~auditor.core.finding.Remedy` of a finding; `of` is what an
        export was made from.
    searched : str
        ``(store, text, limit)``: what of it fits a text, where its list of all that can be audited does not say enough;
        records with ``id``, ``name``, ``subject``, ``state`` and ``at``.
    report : str
        What writes its pages for `auditor report`, a :class:`~cli.report.reporter.Reporter`; none by default.
    shown_by : str
        What shows a subject where there are no such pages: commands, in words.
    guide : str
        What leads from a file of it to a release in `auditor start`, a :class:`~cli.start.guide.Guide`; else none.
    is_release : bool
        Whether it is something that was made from a subject, and that the policy has looked at again after a while.
    contents : Contents
    large : str
        A :class:`LargeContent`: what is too large to be backed up as nodes.
    outside : str
        An :class:`OutsideContent`: what it keeps in files beside the store.
    tidied : str
        ``(connection, progress)``: called when a store is opened, to delete what processes left that were killed.
    approvals : mapping of str to str
        What of it awaits a second person, each with its :class:`~auditor.approvals.approver.Approver`.
    protecting : str
        ``(store, schedule, policy, run, hold)``: makes the protected export that a schedule wants.
    entries : mapping of str to EntryKind
        Kinds of entries of the ledger that nobody else writes, each with the sentence that tells of one.
    jobs : mapping of str to str
        Long work that the service does, each a :class:`~auditor.web.jobs.kinds.JobKind`.
    pages, last_pages, api : tuple of str
        Routers of the service; the last pages take every name, so they come after all others.
    templates : tuple of str
        Packages with a folder ``templates``; pages name one of them ``PLURAL/NAME.html``.
    navigation : tuple of (str, str, str)
        Address, title and right of its entries in the menu.
    help : tuple of (str, str, str, str)
        Address, title, text and page of the documentation of the help on its pages.
    first : FirstSteps, optional
        Of the first page of an empty store, which leads to the form ``#add`` of its pages.
    """

    name: str
    plural: str
    node: str
    number: str
    listed: str
    port: str
    title: str = "null"
    audited: str = "true"
    past: str = ""
    about: str = ""
    people: str = ""
    policy: str = ""
    commands: tuple[str, str] | None = None
    files: str = ""
    rules: str = ""
    remedies: str = ""
    searched: str = ""
    report: str = ""
    shown_by: str = ""
    guide: str = ""
    is_release: bool = False
    contents: Contents = Contents()
    large: str = ""
    outside: str = ""
    tidied: str = ""
    approvals: Mapping[str, str] = field(default_factory=dict)
    protecting: str = ""
    entries: Mapping[str, EntryKind] = field(default_factory=dict)
    jobs: Mapping[str, str] = field(default_factory=dict)
    pages: tuple[str, ...] = ()
    last_pages: tuple[str, ...] = ()
    api: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    navigation: tuple[tuple[str, str, str], ...] = ()
    help: tuple[tuple[str, str, str, str], ...] = ()
    first: FirstSteps | None = None

    def load(self) -> SubjectPort:
        """Return the port, imported when it is first asked for."""
        return cast("type[SubjectPort]", part(self.port))()


class SubjectPort(ABC):
    """What audits and commands do with the subjects of one kind."""

    @abstractmethod
    def find(self, store: Any, name: str) -> AuditSubject:
        """Return a subject as it is now.

        Raises
        ------
        NotFound
            If there is none of that name.
        """

    def with_outside(self, store: Any, subject: AuditSubject) -> AuditSubject:
        """Return a subject whose state also tells what of it lies outside of the store is now."""
        return subject

    @abstractmethod
    def check_same(self, tx: Transaction, subject: AuditSubject) -> None:
        """Make sure, in the transaction of a record, that a subject is there, and is the one that was looked at.

        Raises
        ------
        NotFound
            If it is gone.
        StoreConflict
            If it is another one by now, or something of it was released meanwhile.
        """

    @abstractmethod
    def audit(self, store: Any, subject: AuditSubject, policy: Any, clock: Callable[[], float]) -> Sequence[Finding]:
        """Return what a policy finds in a subject."""

    def audit_release(self, store: Any, export: Any, policy: Any, path: Path | None = None) -> Sequence[Finding]:
        """Return what is wrong with an export of a subject: its files (at another `path`), and what it claims.

        Raises
        ------
        BadInput
            If subjects of this kind have no exports.
        """
        raise BadInput("this kind of subject has no exports")

    def release_checks(self, store: Any, export: Any, policy: Any) -> tuple[Sequence[Any], Sequence[str]]:
        """Return the checks of an export, made again now, and what cannot be, and why; nothing protected."""
        return (), ()

    def release_state(self, store: Any, export: Any) -> str:
        """Return what an audit of an export depends on beside its own files; never shown."""
        return ""

    def review_release(self, store: Any, export: Any) -> Sequence[Any]:
        """Return what a second person sees of an export that awaits them, each a fact of the review.

        Its claim and what is recorded of it are shown in any case; nothing protected.
        """
        return ()

    def release_risk(self, store: Any, export: Any, policy: Any, path: Path) -> Any:
        """Return the risk of a subject before an export and after it, an :class:`~auditor.approvals.review.Risk`.

        None where this kind does not measure it.

        Parameters
        ----------
        store, export, policy
        path : Path
            Where its main file is now.
        """
        return None

    def asked_of_release(self, claim: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what of a recorded claim its requester chose: of the same request for another k only k differs."""
        return {name: value for name, value in claim.items() if name != "files"}

    def check_release_place(self, destination: Any) -> None:
        """Refuse a destination that an export of a subject could not, or must not, be written to.

        Raises
        ------
        BadInput, AlreadyExists, NotFound
            As :func:`auditor.exports.destination.check_place`; or if subjects of this kind have no exports.
        """
        raise BadInput("this kind of subject has no exports")

    def stale_beside(self, destination: Any, names: Sequence[str]) -> Sequence[Path]:
        """Return files of an earlier export that would be read as part of one with files of such names."""
        return ()

    def happenings(self, event: LedgerEvent) -> Sequence[Happening]:
        """Return what an entry of the ledger means to a person who looks back on a period.

        Parameters
        ----------
        event : LedgerEvent
            An entry of a kind that only this kind of subject writes, or an audit of one of its subjects.

        Returns
        -------
        sequence of Happening
            Nothing where it says neither of a release, a refusal, a disclosure view nor an audit.
        """
        return (audited(event),) if event.kind == "audit" else ()

    def releases_out(self, tx: Transaction, until: str) -> Sequence[ReleaseOut]:
        """Return what had been released before a time and is audited again as a release; when it was verified last."""
        return ()


class LargeContent(ABC):
    """What a kind keeps in so many nodes and relations that backups hold it packed."""

    records: ClassVar[tuple[str, ...]]
    """The kinds of records of a backup that hold it."""
    deletions: ClassVar[tuple[str, ...]]
    """Queries that delete ``$limit`` of it, and return how many they ``deleted``; before its nodes are deleted."""

    @abstractmethod
    def read(self, connection: Any) -> Iterator[dict[str, Any]]:
        """Yield the records."""

    @abstractmethod
    def counted(self, record: dict[str, Any]) -> tuple[str, int]:
        """Return what a record holds, and how many of it."""

    @abstractmethod
    def written(self, record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the queries, with their parameters, that write a record."""

    @abstractmethod
    def present(self, connection: Any) -> Mapping[str, int]:
        """Return how many of everything that :meth:`counted` names are in the store."""


class OutsideContent(ABC):
    """What a kind keeps in files beside the store; backups hold it where that is asked for."""

    @abstractmethod
    def save(self, connection: Any, folder: Path) -> int:
        """Copy the files into an empty folder, checked, and return how many."""

    @abstractmethod
    def restore(self, connection: Any, folder: Path, home: Path) -> int:
        """Copy the files of such a folder into the home of a store that was restored, and return how many."""


def kinds() -> list[SubjectKind]:
    """Return all kinds, in the order of the registry."""
    return [cast(SubjectKind, part(address)) for address in KINDS.values()]


def kind_named(name: str) -> SubjectKind:
    """Return the kind of that name.

    Raises
    ------
    BadInput
        If there is none.

    Examples
    --------
    >>> kind_named("table").plural
    'tables'
    """
    if name not in KINDS:
        raise BadInput(f"there is no kind of subject {name!r}; there are {', '.join(KINDS)}")
    return cast(SubjectKind, part(KINDS[name]))


def part(address: str) -> Any:
    """Return what ``module:attribute`` names."""
    module, _, attribute = address.partition(":")
    return getattr(import_module(module), attribute)


def large_contents() -> list[LargeContent]:
    """Return the large contents of all kinds that have one."""
    return [part(kind.large)() for kind in kinds() if kind.large]


def outside_contents() -> list[OutsideContent]:
    """Return what kinds keep in files, of all kinds that do."""
    return [part(kind.outside)() for kind in kinds() if kind.outside]


def parts(addresses: Iterable[str]) -> list[Any]:
    """Return what each of some addresses names."""
    return [part(address) for address in addresses]
