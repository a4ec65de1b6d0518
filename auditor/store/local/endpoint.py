"""Which server lives in a home, and how it is reached."""

from dataclasses import dataclass, field

from auditor.store.local.layout import Layout
from auditor.store.local.state import ServerState, is_running, read_state


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How the running server is reached.

    Parameters
    ----------
    url, user, password : str
    server : ServerState
        Which process it is.
    """

    url: str
    user: str
    password: str = field(repr=False)
    server: ServerState = field(repr=False)


def alive_state(layout: Layout) -> ServerState | None:
    """Return what the server says of itself that lives in this home, in whatever phase; None if there is none."""
    state = read_state(layout.state)
    return state if state is not None and is_running(state) else None


def endpoint_of(layout: Layout) -> Endpoint | None:
    """Return how the server of this home is reached; None if none is ready."""
    state = alive_state(layout)
    if state is None or state.phase != "ready":
        return None
    return Endpoint(f"bolt://127.0.0.1:{state.port}", "neo4j", state.password, state)


def is_alive(endpoint: Endpoint) -> bool:
    """Whether the process still runs that serves there; whether it answers is another question."""
    return is_running(endpoint.server)
