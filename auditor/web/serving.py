"""Serve: on this machine alone, unless it is safe elsewhere."""

import asyncio
import ipaddress
import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from auditor.config import Settings
from auditor.core.errors import BadInput
from auditor.operating.logs import Log
from auditor.operating.tracing import traced
from auditor.policy import Policy
from auditor.store import Store
from auditor.web.app import create_app
from auditor.web.connections import PATIENCE, CarefulProtocol, raise_file_limit
from auditor.web.jobs.runner import JobRunner
from auditor.web.service import Service
from auditor.web.warming import warm_up

_LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
_SECONDS_TO_END = 5


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service listens, and how it is reached."""

    host: str = "127.0.0.1"
    port: int = 8321
    names: tuple[str, ...] = ()
    """Names under which others reach it, beside its own address."""
    certificate: Path | None = None
    key: Path | None = None
    behind_proxy: bool = False
    """Whether a proxy on this machine or network speaks TLS for it."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def secure(self) -> bool:
        """Whether browsers reach it over TLS."""
        return self.certificate is not None or self.behind_proxy

    @property
    def url(self) -> str:
        """Where a browser finds it."""
        host = self.names[0] if self.names else self.host
        shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
        return f"{'https' if self.certificate is not None else 'http'}://{shown}:{self.port}/"


def check_address(address: Address, *, has_tokens: bool) -> None:
    """Refuse to listen where others could reach a service that is not safe there.

    Raises
    ------
    BadInput
        If it would listen beyond this machine without TLS or without a token, or a file is missing.
    """
    if (address.certificate is None) != (address.key is None):
        raise BadInput("--tls-cert and --tls-key belong together; give both")
    for path in (address.certificate, address.key):
        if path is not None and not os.access(path, os.R_OK):
            raise BadInput(f"{path} cannot be read; check the path and its permissions")
    if address.is_local:
        return
    if not address.secure:
        raise BadInput(
            f"{address.host} is reached from other machines: give --tls-cert and --tls-key, or --behind-proxy if a "
            "proxy speaks TLS for it"
        )
    if not has_tokens:
        raise BadInput("nobody could log in, and it would be open to tries: make a token first: auditor token create")


def serve(
    store: Store,
    policy: Policy,
    settings: Settings,
    address: Address,
    *,
    jobs: int = 2,
    log: Log | None = None,
    ready: Callable[[int], None] | None = None,
) -> None:
    """Serve until the process is told to end; what is under way is finished or interrupted within seconds.

    Parameters
    ----------
    store : Store
    policy : Policy
    settings : Settings
    address : Address
        Checked before.
    jobs : int, optional
        How many jobs at a time.
    log : Log, optional
        Told of every request.
    ready : callable, optional
        Called with the port when it listens: the system chooses one where that of the address is 0.
    """
    names: Sequence[str] = (*_LOCAL_NAMES, *address.names)
    if not address.is_local and address.host not in ("0.0.0.0", "::"):
        names = (*names, address.host)
    if settings.oidc.service_url is not None:
        # where the provider sends people back to
        names = (*names, urlsplit(settings.oidc.service_url).hostname or "")
    service = Service(store, policy, settings, tuple(dict.fromkeys(names)), address.secure, log=log)
    service.runner = JobRunner(service, most=jobs)
    app = create_app(service)
    raise_file_limit()
    config = uvicorn.Config(
        app,
        host=address.host,
        port=address.port,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
        proxy_headers=address.behind_proxy,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_SECONDS_TO_END,
        http=CarefulProtocol,
    )
    Thread(target=warm_up, args=(store,), daemon=True).start()
    with traced(settings.telemetry, log):
        _Server(config, ready).run()


class _Server(uvicorn.Server):
    """Tells when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[int], None] | None) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; who does not finish the handshake of TLS is not waited for either."""
        loop: Any = asyncio.get_running_loop()
        if self.config.is_ssl:
            loop.create_server = partial(loop.create_server, ssl_handshake_timeout=PATIENCE)
        await super().startup(sockets)
        if self.started and self._ready is not None:
            self._ready(self.servers[0].sockets[0].getsockname()[1])
