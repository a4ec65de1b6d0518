"""`auditor serve`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from auditor.core.extras import require
from cli.terminal.commands import single
from cli.terminal.context import Context
from cli.terminal.daemon_log import LogFormatOption, log_of
from cli.terminal.policy_option import PolicyOption, PresetOption, policy_of


def serve(
    context: Context,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 8321,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="Name under which it is reached, such as audit.example.org.")
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option("--tls-cert", metavar="FILE", help="Certificate (PEM).")] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="Its key (PEM).")] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", metavar="", help="A proxy speaks TLS and passes the addresses of clients.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=32, help="Jobs at a time.")] = 2,
    check: Annotated[
        bool, typer.Option("--check", metavar="", help="Only check whether and where it would serve.")
    ] = False,
    log_format: LogFormatOption = None,
) -> None:
    """Serve the web page and the API until the process is told to end.

    It listens on localhost. Any other address requires TLS (or a proxy that speaks it) and a
    token. Each person logs in with their own token: auditor token create NAME --role officer

    It logs to stderr, a line for each request. Ctrl-C or SIGTERM ends it; work that is under way can be resumed.

        auditor serve --policy policy.toml

        auditor serve --host 0.0.0.0 --name audit.example.org --tls-cert cert.pem --tls-key key.pem

    Example: auditor serve --check
    """
    from auditor.access.tokens import Tokens

    require("service")
    from auditor.web.serving import Address, check_address
    from auditor.web.serving import serve as serve_until_told

    rules = policy_of(context, policy, preset)
    address = Address(host, port, tuple(name or ()), tls_cert, tls_key, behind_proxy)
    # before the store is started
    check_address(address, has_tokens=True)
    store = context.store
    now = store.ledger.clock()
    tokens = [token for token in Tokens(store).list() if token.state(now) == "valid"]
    has_provider = context.settings.oidc.issuer is not None
    check_address(address, has_tokens=bool(tokens) or has_provider)
    if check:
        data = {"url": address.url, "tls": address.secure, "policy": rules.digest(), "tokens": len(tokens)}
        data["provider"] = context.settings.oidc.issuer
        at = f"; people log in at {data['provider']}" if has_provider else ""
        context.output.answer(data, f"it would serve on {address.url}; valid tokens: {len(tokens)}{at}")
        return
    if not tokens and not has_provider:
        context.output.note("no valid token yet; create one: auditor token create NAME --role officer")
    serve_until_told(
        store,
        rules,
        context.settings,
        address,
        jobs=jobs,
        log=log_of(context, log_format),
        ready=lambda chosen: context.output.note(f"serving on {replace(address, port=chosen).url}; Ctrl-C ends it"),
    )


app = single(serve)
