"""The configuration file: which one it is, and what it holds."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.config.sections import reason_of
from auditor.core.errors import PolicyError

_APPLICATION = "disclosure-auditor"


def read_file(config: Path | None, environ: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return where the configuration file is, or would be, and what it holds: nothing if none is there or named.

    Raises
    ------
    PolicyError
        If it is named and not there, cannot be read, or is not TOML.
    """
    named = config or (Path(environ["AUDITOR_CONFIG"]) if environ.get("AUDITOR_CONFIG") else None)
    path = named or xdg_folder(environ, "XDG_CONFIG_HOME", ".config") / "config.toml"
    try:
        with path.open("rb") as stream:
            return str(path), tomllib.load(stream)
    except FileNotFoundError as error:
        if named is None:
            return str(path), {}
        raise PolicyError(f"configuration file {path} does not exist") from error
    except OSError as error:
        raise PolicyError(f"configuration file {path} cannot be read: {reason_of(error)}") from error
    except UnicodeDecodeError as error:
        raise PolicyError(f"configuration file {path} is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"configuration file {path} is not valid TOML: {error}") from error


def xdg_folder(environ: Mapping[str, str], variable: str, default: str) -> Path:
    """Return our folder in one of those that the XDG specification names."""
    base = environ.get(variable, "")
    # The XDG specification says that a relative path counts as unset.
    if os.path.isabs(base):
        return Path(base) / _APPLICATION
    return Path(environ.get("HOME") or Path.home()) / default / _APPLICATION
