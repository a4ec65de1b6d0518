"""Settings: the log-in at a server, and the graph databases of the owner's."""

from pathlib import Path
from typing import ClassVar

from pydantic import SecretStr

from auditor.config.sections import Section, reason_of
from auditor.core.errors import PolicyError


class LogIn(Section):
    """Who logs in at a server, and with what.

    Parameters
    ----------
    user : str
    password : secret or None
    password_file : Path or None
        Holds the password on its first line.
    """

    section: ClassVar[str]
    """How errors name the section."""
    user: str = "neo4j"
    password: SecretStr | None = None
    password_file: Path | None = None

    def read_password(self) -> str | None:
        """Return the password for a server, from ``password`` or else from ``password_file``.

        Raises
        ------
        PolicyError
            If the password file cannot be read.
        """
        if self.password is not None:
            return self.password.get_secret_value()
        if self.password_file is None:
            return None
        try:
            first_line, *_ = self.password_file.read_text(encoding="utf-8").splitlines() or [""]
        except (OSError, UnicodeDecodeError) as error:
            raise PolicyError(
                f"{self.section}.password_file {self.password_file} cannot be read: {reason_of(error)}"
            ) from error
        return first_line


class GraphSettings(LogIn):
    """The log-in at graph databases of the owner's that are read (``network add --from neo4j://…``).

    Parameters
    ----------
    user, password, password_file : str, secret, path
        Log-in; ``password_file`` holds the password on its first line. A user who may only read is enough.
    database : str or None
        Name of the database where the address has none; None is the server's default.
    """

    section: ClassVar[str] = "graph"
    database: str | None = None
