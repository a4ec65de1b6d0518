"""What networks and tables have in common: a concept of the store whose nodes have a name each."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from auditor.core.names import is_name
from auditor.store.repository import Repository
from auditor.store.subjects import missing_subject

Info = TypeVar("Info")


class NamedSubjects(Repository, ABC, Generic[Info]):
    """The subjects of one family in a store, by name."""

    family: ClassVar[str]
    """What messages and commands call one, such as ``network``."""
    list_query: ClassVar[str]
    """Read: all of them, by name."""
    show_query: ClassVar[str]
    """Read: the one called ``$name``."""
    exists_query: ClassVar[str]
    """Read: how many are called ``$name``, as ``found``."""

    def list(self) -> Sequence[Info]:
        """Return all of them, by name."""
        return [self._info(dict(record)) for record in self._connection.read(self.list_query)]

    def show(self, name: str) -> Info:
        """Return what is known of one.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        records = self._connection.read(self.show_query, name=name) if is_name(name) else []
        if not records:
            raise missing_subject(self.family, name)
        return self._info(dict(records[0]))

    def exists(self, name: str) -> bool:
        """Whether there is one of that name; one that is still being loaded is not there."""
        return is_name(name) and bool(self._connection.read(self.exists_query, name=name)[0]["found"])

    @staticmethod
    @abstractmethod
    def _info(record: dict[str, Any]) -> Info:
        """Return what a record of the first two queries tells."""
