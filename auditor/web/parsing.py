"""Files that come with a request are read in a process of their own, which ends, and has little memory and time.

What somebody sends may be made to take all there is: an archive that grows a thousandfold, a header that claims too
much. The process that reads it is given neither the store nor any secret, and the service goes on when it is killed.
"""

import contextlib
import multiprocessing
import pickle
import resource
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from auditor.config import EdgeTableSettings
from auditor.core.errors import AuditorError, BadFile, RoomExhausted
from auditor.formats.edge_tables import open_counter
from auditor.formats.networks import LoadedNetwork, read_network
from auditor.formats.records.missing import missing_words
from auditor.formats.records.opening import open_records
from auditor.formats.records.packing import PackedRecords, pack_records
from auditor.formats.source import Source, unpacking_at_most
from auditor.formats.tables import LoadedTable, TableOptions, read_table
from graphkit.errors import GraphkitError

_AT_ONCE = BoundedSemaphore(2)
# the database takes the rest for itself
_SHARE = 2
_THREADS = 2
_GRACE = 5
_PIECE = 1 << 20
# what takes long to import is there when a process is forked
_PRELOADED = ["auditor.web.parsing", "duckdb"]


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """How much a file that was sent may take while it is read."""

    unpacked: int = 256 << 20
    """Bytes of it, once decompressed."""
    memory: int = 2 << 30
    """Bytes of memory of the process."""
    seconds: float = 60.0


def parsed_network(path: Path, limits: ParseLimits, *, symmetrize: bool = False) -> LoadedNetwork:
    """Return the network that a file holds; of a directed one only if its directions may be forgotten.

    Raises
    ------
    AuditorError
        As :func:`auditor.formats.networks.read_network`; BadFile where it takes more than it may.
    """
    loaded: LoadedNetwork = _parsed(partial(read_network, symmetrize=symmetrize), path, limits)
    return loaded


def parsed_table(path: Path, options: TableOptions, settings: EdgeTableSettings, limits: ParseLimits) -> LoadedTable:
    """Return the table that a file holds.

    Raises
    ------
    AuditorError, GraphkitError
        As :func:`auditor.formats.tables.read_table`; BadFile where it takes more than it may.
    """
    small = settings.model_copy(update={"memory": f"{limits.memory // _SHARE >> 20}m", "threads": _THREADS})
    loaded: LoadedTable = _parsed(_read_table, path, limits, options, small)
    return loaded


def packed_records(
    path: Path, target: Path, settings: EdgeTableSettings, limits: ParseLimits
) -> tuple[PackedRecords, tuple[str, ...]]:
    """Return the records that a file holds, written to a new file, and what there is to say of the file.

    Raises
    ------
    AuditorError, GraphkitError
        As :func:`auditor.formats.records.packing.pack_records`; BadFile where it takes more than it may.
    """
    small = settings.model_copy(update={"memory": f"{limits.memory // _SHARE >> 20}m", "threads": _THREADS})
    packed: tuple[PackedRecords, tuple[str, ...]] = _parsed(_pack_records, path, limits, target, small)
    return packed


def _pack_records(path: Path, target: Path, settings: EdgeTableSettings) -> tuple[PackedRecords, tuple[str, ...]]:
    with open_records(path, settings) as opened:
        remarks = tuple(found.remark for found in missing_words(opened))
        return pack_records(opened, target), remarks


def _read_table(path: Path, options: TableOptions, settings: EdgeTableSettings) -> LoadedTable:
    with open_counter(settings, path.parent) as connection:
        return read_table(connection, path, options)


def _parsed(read: Callable[..., Any], path: Path, limits: ParseLimits, *given: Any) -> Any:
    """Have a file read in a process that ends, and return what it holds.

    It comes back through a file beside the one that was sent: nothing is in memory twice.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    with _AT_ONCE:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(sender, limits, read, path, given), daemon=True)
        process.start()
        sender.close()
        try:
            if not receiver.poll(limits.seconds):
                raise BadFile(
                    f"{path}: reading it takes longer than {limits.seconds:g} s; add it with the command line instead"
                )
            outcome = receiver.recv()
        except EOFError:
            raise _too_much(path, limits) from None
        finally:
            receiver.close()
            process.kill()
            process.join()
    if outcome == "memory":
        raise _too_much(path, limits)
    if isinstance(outcome, Exception):
        raise outcome
    with _beside(path).open("rb") as stream:
        return pickle.load(stream)


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.parsed")


def _too_much(path: Path, limits: ParseLimits) -> BadFile:
    return BadFile(
        f"{path}: reading it takes more than {limits.memory >> 20} MB of memory; add it with the command line instead"
    )


def _work(sender: Any, limits: ParseLimits, read: Callable[..., Any], path: Path, given: tuple[Any, ...]) -> None:
    """Read a file within the limits, and say how that ended."""
    _limit_process(limits)
    outcome: str | Exception
    try:
        with unpacking_at_most(limits.unpacked):
            _check_size(path)
            loaded = read(path, *given)
        with _beside(path).open("xb") as stream:
            pickle.dump(loaded, stream, pickle.HIGHEST_PROTOCOL)
        outcome = "done"
    except (MemoryError, RoomExhausted):
        outcome = "memory"
    except (AuditorError, GraphkitError) as error:
        outcome = error
    except Exception as error:
        # words of other libraries may quote data
        outcome = AuditorError(f"internal error ({type(error).__name__})")
    sender.send(outcome)


def _check_size(path: Path) -> None:
    """Refuse what unpacks to too much before any of it is understood, which takes ten times as long as unpacking."""
    # what is empty or not there is told by its reader, which knows what it should hold
    if path.is_file() and path.stat().st_size and (source := Source(path)).compression:
        with source.stream() as stream:
            while stream.read(_PIECE):
                pass


def _limit_process(limits: ParseLimits) -> None:
    """Let this process have no more memory and time; where the system cannot count one of them, the other one."""
    now = 0
    with contextlib.suppress(OSError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
        now = int(pages) * resource.getpagesize()
    seconds = int(limits.seconds) + _GRACE
    for kind, limit in ((resource.RLIMIT_AS, now + limits.memory), (resource.RLIMIT_CPU, seconds * _THREADS)):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (limit, limit))
