"""Settings of a run: command line over environment over configuration file over defaults."""

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from auditor.config.environment import ENVIRONMENT
from auditor.config.file import read_file, xdg_folder
from auditor.config.settings import SECTIONS, Settings
from auditor.core.errors import PolicyError

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class SourcedSettings:
    """Settings, and where each of them came from."""

    settings: Settings
    file: str
    """Where the configuration file is, or would be."""
    _given: Mapping[str, str]

    def source(self, key: str) -> str:
        """Return what gave a setting such as ``store.url``: an option, a variable, a file, or ``default``."""
        return self._given.get(key, DEFAULT)

    def values(self) -> dict[str, Any]:
        """Return every setting by its key, secrets as :class:`pydantic.SecretStr`."""
        found: dict[str, Any] = {}
        for name in Settings.model_fields:
            value = getattr(self.settings, name)
            if name in SECTIONS:
                found |= {f"{name}.{key}": getattr(value, key) for key in SECTIONS[name].model_fields}
            else:
                found[name] = value
        return found


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
    return load_sourced_settings(config, store, environ).settings


def load_sourced_settings(
    config: Path | None = None, store: str | None = None, environ: Mapping[str, str] | None = None
) -> SourcedSettings:
    """Return the settings of this run with the sources that they came from; see :func:`load_settings`.

    Examples
    --------
    >>> found = load_sourced_settings(environ={"HOME": "/home/ada", "AUDITOR_HOME": "/srv/audit"})
    >>> found.source("home"), found.source("store.url")
    ('AUDITOR_HOME', 'default')
    """
    environ = os.environ if environ is None else environ
    file, values = read_file(config, environ)
    for name in SECTIONS:
        if not isinstance(values.setdefault(name, {}), dict):
            raise PolicyError(f"{file}: {name} must be a section; write it as [{name}]")
    given = dict.fromkeys(_keys(values), file)
    values.setdefault("home", xdg_folder(environ, "XDG_DATA_HOME", ".local/share"))
    values.setdefault("cache", xdg_folder(environ, "XDG_CACHE_HOME", ".cache"))
    for variable, section, key in reversed(ENVIRONMENT):
        if value := environ.get(variable):
            if section is not None and key.endswith(("password_file", "secret_file")):
                secret = key.removesuffix("_file")
                values[section].pop(secret, None)
                given.pop(f"{section}.{secret}", None)
            (values if section is None else values[section])[key] = value
            given[key if section is None else f"{section}.{key}"] = variable
    if store is not None:
        values["store"]["url"] = store
        given["store.url"] = "--store"
    try:
        return SourcedSettings(Settings.model_validate(values), file, given)
    except ValidationError as error:
        raise PolicyError(_explain(error, file, given)) from None


def _keys(values: Mapping[str, Any]) -> list[str]:
    keys = []
    for name, value in values.items():
        keys += [f"{name}.{key}" for key in value] if name in SECTIONS else [name]
    return keys


def _explain(error: ValidationError, file: str, given: Mapping[str, str]) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    path = [str(part) for part in first["loc"]]
    key = ".".join(path)
    if first["type"] == "extra_forbidden":
        known = (SECTIONS[path[0]] if len(path) > 1 and path[0] in SECTIONS else Settings).model_fields
        near = difflib.get_close_matches(path[-1], known, n=1, cutoff=0)
        return f"{file}: unknown setting {key}; did you mean {'.'.join([*path[:-1], *near])}?"
    return f"{given.get('.'.join(path[:2]), file)}: {key}: {first['msg'].removeprefix('Value error, ')}"
