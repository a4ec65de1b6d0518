"""Settings: where the data lies, which store is used and with which limits.

Every setting is taken from the first place that has it: command line, environment, configuration file, default. The
file is the one named by ``--config``, else by ``AUDITOR_CONFIG``, else ``disclosure-auditor/config.toml`` in the user's
configuration folder (``XDG_CONFIG_HOME``, by default ``~/.config``), which need not exist.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from auditor.errors import PolicyError

__all__ = ["LOCAL", "EdgeTableSettings", "Settings", "StoreSettings", "load_settings"]

LOCAL = "local"
"""The store URL that means: the private Neo4j that the auditor runs itself."""

_APPLICATION = "disclosure-auditor"
_SCHEMES = ("bolt://", "bolt+s://", "bolt+ssc://", "neo4j://", "neo4j+s://", "neo4j+ssc://")
_MEMORY = r"^[1-9][0-9]*[kmg]$"

# The first variable that is set wins; `None` as section means the top level of the file.
_ENVIRONMENT: tuple[tuple[str, str | None, str], ...] = (
    ("AUDITOR_HOME", None, "home"),
    ("AUDITOR_CACHE", None, "cache"),
    ("AUDITOR_NEO4J_LIB", None, "neo4j_lib"),
    ("NEO4J_URI", "store", "url"),
    ("NEO4J_USERNAME", "store", "user"),
    ("NEO4J_USER", "store", "user"),
    ("NEO4J_PASSWORD", "store", "password"),
    ("NEO4J_PASSWORD_FILE", "store", "password_file"),
    ("NEO4J_DATABASE", "store", "database"),
    ("AUDITOR_CONNECTION_TIMEOUT", "store", "connection_timeout"),
    ("AUDITOR_TRANSACTION_TIMEOUT", "store", "transaction_timeout"),
    ("AUDITOR_IDLE_MINUTES", "store", "idle_minutes"),
    ("AUDITOR_STRICT_NOTIFICATIONS", "store", "strict_notifications"),
    ("AUDITOR_EDGE_TABLE_MEMORY", "edge_table", "memory"),
    ("AUDITOR_EDGE_TABLE_THREADS", "edge_table", "threads"),
    ("AUDITOR_EDGE_TABLE_FOLDER", "edge_table", "folder"),
)


class StoreSettings(BaseModel):
    """Which Neo4j holds the data, and how it is reached.

    Parameters
    ----------
    url : str
        ``local``, or the address of a server (``neo4j://…``, ``bolt://…``, also ``+s`` and ``+ssc``).
    user, password, password_file : str, secret, path
        Log-in at a server; ``password_file`` holds the password on its first line. Not used by ``local``.
    database : str or None
        Name of the database; None is the server's default.
    connection_timeout, transaction_timeout : float
        Seconds until an unanswered connection, and a transaction of the server, is given up.
    retry_time : float
        Seconds for which a transaction that the server or the network failed is tried again.
    idle_minutes : float
        The local server stops itself after so long without a client; 0 keeps it running.
    heap, page_cache : str
        Memory of the local server, such as ``1g`` or ``512m``.
    strict_notifications : bool
        Ask the server for notifications about queries and make a warning of each; for tests.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    url: str = LOCAL
    user: str = "neo4j"
    password: SecretStr | None = None
    password_file: Path | None = None
    database: str | None = None
    connection_timeout: float = Field(default=15.0, gt=0)
    transaction_timeout: float = Field(default=600.0, gt=0)
    retry_time: float = Field(default=15.0, ge=0)
    idle_minutes: float = Field(default=30.0, ge=0)
    heap: str = Field(default="1g", pattern=_MEMORY)
    page_cache: str = Field(default="256m", pattern=_MEMORY)
    strict_notifications: bool = False

    @field_validator("url")
    @classmethod
    def _is_supported(cls, url: str) -> str:
        if not url.isprintable() or " " in url:
            raise ValueError("must be an address without spaces and control characters")
        if url == LOCAL or url.startswith(_SCHEMES):
            if "@" in url:
                raise ValueError("must not hold a user or password; use NEO4J_USERNAME and NEO4J_PASSWORD")
            return url
        raise ValueError(f"must be '{LOCAL}' or begin with one of {', '.join(_SCHEMES)}")

    @property
    def is_local(self) -> bool:
        """Whether the auditor runs the server itself."""
        return self.url == LOCAL

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
            raise PolicyError(f"store.password_file {self.password_file} cannot be read: {_reason(error)}") from error
        return first_line


class EdgeTableSettings(BaseModel):
    """What the database may use that works on edge tables larger than memory.

    Parameters
    ----------
    memory : str or None
        Such as ``8g`` or ``512m``, for the tables; None is half of the machine's. The process needs some more.
    threads : int or None
        None is one for each processor.
    folder : Path or None
        Where temporary files go past that memory; None is beside the output, or the folder for temporary files.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    memory: str | None = Field(default=None, pattern=_MEMORY)
    threads: int | None = Field(default=None, gt=0)
    folder: Path | None = None

    @field_validator("folder")
    @classmethod
    def _is_folder(cls, folder: Path | None) -> Path | None:
        if folder is not None and not folder.expanduser().is_dir():
            raise ValueError("must be a folder that exists")
        return None if folder is None else folder.expanduser()

    @property
    def memory_bytes(self) -> int | None:
        """The memory in bytes."""
        return None if self.memory is None else int(self.memory[:-1]) << {"k": 10, "m": 20, "g": 30}[self.memory[-1]]


class Settings(BaseModel):
    """All settings, checked.

    Parameters
    ----------
    home : Path
        Folder of the local store (``AUDITOR_HOME``), by default ``disclosure-auditor`` in the user's data folder.
    cache : Path
        Folder of what can be fetched again, the Neo4j server above all (``AUDITOR_CACHE``); shared by all homes.
    neo4j_lib : Path or None
        The ``lib`` folder of an unpacked Neo4j, used instead of a fetched one (``AUDITOR_NEO4J_LIB``).
    store : StoreSettings
    edge_table : EdgeTableSettings
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    home: Path
    cache: Path
    neo4j_lib: Path | None = None
    store: StoreSettings = StoreSettings()
    edge_table: EdgeTableSettings = EdgeTableSettings()

    @model_validator(mode="after")
    def _absolute(self) -> Settings:
        for name in ("home", "cache", "neo4j_lib"):
            path = getattr(self, name)
            if path is not None and not path.is_absolute():
                object.__setattr__(self, name, Path.cwd() / path.expanduser())
        return self


_SECTIONS: dict[str, type[BaseModel]] = {"store": StoreSettings, "edge_table": EdgeTableSettings}


def load_settings(
    config: Path | None = None, store: str | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """Return the settings of this run: command line over environment over configuration file over defaults.

    Parameters
    ----------
    config : Path or None
        Value of ``--config``: a file that must exist.
    store : str or None
        Value of ``--store``.
    environ : mapping of str to str or None
        The environment; None is the one of this process.

    Raises
    ------
    PolicyError
        If the file cannot be read, is not TOML, has an unknown key, or a value does not fit. The message never shows
        a value.

    Examples
    --------
    >>> settings = load_settings(environ={"HOME": "/home/ada", "AUDITOR_HOME": "/srv/audit"}, store="bolt://db:7687")
    >>> str(settings.home), settings.store.url
    ('/srv/audit', 'bolt://db:7687')
    """
    environ = os.environ if environ is None else environ
    source, values = _read_file(config, environ)
    for name in _SECTIONS:
        if not isinstance(values.setdefault(name, {}), dict):
            raise PolicyError(f"{source}: {name} must be a section; write it as [{name}]")
    store_values = values["store"]
    values.setdefault("home", _xdg_folder(environ, "XDG_DATA_HOME", ".local/share"))
    values.setdefault("cache", _xdg_folder(environ, "XDG_CACHE_HOME", ".cache"))
    origin: dict[str, str] = {}
    for variable, section, key in reversed(_ENVIRONMENT):
        if value := environ.get(variable):
            target = values if section is None else values[section]
            if key == "password_file":
                store_values.pop("password", None)
            target[key] = value
            origin[key] = variable
    if store is not None:
        store_values["url"] = store
        origin["url"] = "--store"
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise PolicyError(_explain(error, source, origin)) from None


def _read_file(config: Path | None, environ: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    named = config or (Path(environ["AUDITOR_CONFIG"]) if environ.get("AUDITOR_CONFIG") else None)
    path = named or _xdg_folder(environ, "XDG_CONFIG_HOME", ".config") / "config.toml"
    try:
        with path.open("rb") as stream:
            return str(path), tomllib.load(stream)
    except FileNotFoundError as error:
        if named is None:
            return str(path), {}
        raise PolicyError(f"configuration file {path} does not exist") from error
    except OSError as error:
        raise PolicyError(f"configuration file {path} cannot be read: {_reason(error)}") from error
    except UnicodeDecodeError as error:
        raise PolicyError(f"configuration file {path} is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"configuration file {path} is not valid TOML: {error}") from error


def _xdg_folder(environ: Mapping[str, str], variable: str, default: str) -> Path:
    base = environ.get(variable, "")
    # The XDG specification says that a relative path counts as unset.
    if os.path.isabs(base):
        return Path(base) / _APPLICATION
    return Path(environ.get("HOME") or Path.home()) / default / _APPLICATION


def _explain(error: ValidationError, source: str, origin: Mapping[str, str]) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    path = [str(part) for part in first["loc"]]
    key = ".".join(path)
    if first["type"] == "extra_forbidden":
        known = (_SECTIONS[path[0]] if len(path) > 1 and path[0] in _SECTIONS else Settings).model_fields
        near = difflib.get_close_matches(path[-1], known, n=1, cutoff=0)
        return f"{source}: unknown setting {key}; did you mean {'.'.join([*path[:-1], *near])}?"
    where = origin.get(path[-1], source)
    return f"{where}: {key}: {first['msg'].removeprefix('Value error, ')}"


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
