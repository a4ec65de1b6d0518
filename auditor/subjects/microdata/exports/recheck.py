"""How a published file is verified again: what each sort of claim brings."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from auditor.core.finding import Finding
from auditor.formats.records.columns import Column
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.exports.key import RecordsKey
from auditor.subjects.microdata.policy import MicrodataPolicy
from graphkit.verification import Check


class Recheck(ABC):
    """A claim about a file of records that is looked at again."""

    @abstractmethod
    def alone(self, file: Path) -> Sequence[Check]:
        """Return what anybody can check who has the file.

        Raises
        ------
        BadInput
            If it cannot be read, or lacks a column.
        """

    @abstractmethod
    def against(self, opened: OpenRecords, leaving: tuple[Column, ...], key: RecordsKey, file: Path) -> Sequence[Check]:
        """Return what the owner can check, who has the original.

        Parameters
        ----------
        opened : OpenRecords
            The original, unchanged.
        leaving : tuple of Column
            The columns that may leave.
        key : RecordsKey
            Which record is which.
        file : Path

        Raises
        ------
        BadFile
            If the original is not what it was.
        BadInput
            If the file cannot be read.
        """

    @abstractmethod
    def lacking(self, file: Path, roles: Roles, policy: MicrodataPolicy) -> Sequence[Finding]:
        """Return what a policy demands by now of sensitive columns that left as they are, and the release has not.

        Parameters
        ----------
        file : Path
        roles : Roles
            Of the original.
        policy : MicrodataPolicy

        Raises
        ------
        BadInput
            If the file cannot be read, or lacks a column.
        """
