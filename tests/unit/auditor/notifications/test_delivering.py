"""Files and mails: whole, once, to whom they are for; and secrets that no error shows."""

from __future__ import annotations

import base64
import json
import multiprocessing
import os
import ssl
from datetime import UTC, datetime
from pathlib import Path

import pytest

from auditor.config import SmtpSettings
from auditor.notifications.delivering import delivery
from auditor.notifications.failure import NotSent
from auditor.notifications.file import append_line
from auditor.notifications.mail import make_mail, send_mail
from auditor.notifications.message import trial_message
from auditor.policy import parse_policy
from tests.support.receivers import mail_server, write_certificate

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SECRET = "swordfish-7431"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_certificate(tmp_path_factory.mktemp("tls"))


def smtp(port: int, **more: object) -> SmtpSettings:
    return SmtpSettings(server="localhost", port=port, sender="auditor@example.org", **more)  # type: ignore[arg-type]


def mail(text: str = "Größe: etwas ist neu", recipient: str = "officer@example.org"):  # type: ignore[no-untyped-def]
    return make_mail("msg_1", sender="auditor@example.org", recipient=recipient, text=text, at=NOW)


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_mail_arrives_over_tls(certificate: Path, security: str) -> None:
    context = ssl.create_default_context(cafile=str(certificate))
    with mail_server(certificate, implicit=security == "tls") as server:
        send_mail(mail(), smtp(server.port, security=security, user="auditor"), SECRET, context=context)
    (text,) = server.mails
    assert "Message-ID: <msg_1@example.org>" in text
    assert "Auto-Submitted: auto-generated" in text
    assert [base64.b64decode(login) for login in server.logins] == [b"\0auditor\0" + SECRET.encode()]
    assert set(server.clear) <= {"EHLO", "STARTTLS"}


def test_nothing_is_said_to_a_server_without_tls_or_with_anothers_certificate(certificate: Path) -> None:
    context = ssl.create_default_context(cafile=str(certificate))
    with mail_server(certificate) as server:
        with pytest.raises(NotSent, match="certificate"):
            send_mail(mail(), smtp(server.port), None)
        server.offers_tls = False
        with pytest.raises(NotSent):
            send_mail(mail(), smtp(server.port), None, context=context)
    assert server.mails == []
    assert not {"MAIL", "AUTH"} & set(server.clear)


def test_what_a_mail_server_says_is_not_repeated(certificate: Path) -> None:
    context = ssl.create_default_context(cafile=str(certificate))
    with mail_server(certificate) as server:
        server.recipient_code = 550
        with pytest.raises(NotSent, match="550") as caught:
            send_mail(mail(), smtp(server.port), None, context=context)
    assert "officer" not in str(caught.value)


@pytest.mark.parametrize("recipient", ["a@b.org\r\nBcc: eve@example.org", "a@b.org\nX: 1"])
def test_no_header_can_be_put_in(recipient: str) -> None:
    with pytest.raises(ValueError, match=r"(?i)linefeed|newline|carriage"):
        mail(recipient=recipient)


def test_a_text_cannot_become_a_header() -> None:
    made = mail("Subject\r\nBcc: eve@example.org").as_bytes()
    head = made.split(b"\r\n\r\n")[0]
    assert b"\r\nBcc" not in head


def test_lines_are_appended_whole_to_a_file_of_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "told.jsonl"
    append_line(path, '{"a":1}')
    assert path.stat().st_mode & 0o777 == 0o600
    # a writer that was killed in the middle of a line
    with path.open("a") as stream:
        stream.write('{"torn')
    append_line(path, '{"b":2}')
    assert path.read_text().splitlines() == ['{"a":1}', '{"torn', '{"b":2}']


def test_several_writers_do_not_mix_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "told.jsonl"
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_append_many, args=(path, letter)) for letter in "abc"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert sorted(path.read_text().splitlines()) == sorted(letter * 5000 for letter in "abc" for _ in range(20))


def _append_many(path: Path, letter: str) -> None:
    for _ in range(20):
        append_line(path, letter * 5000)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "none" / "told", Path("/dev/null")):
        with pytest.raises(NotSent) as caught:
            append_line(path, "{}")
        assert str(path) not in str(caught.value)


def test_addresses_and_keys_come_from_the_environment_at_that_moment(tmp_path: Path) -> None:
    policy = parse_policy(
        {
            "notify": {
                "channels": {
                    "file": {"kind": "file", "address_env": "TOLD_FILE"},
                    "mail": {"kind": "email", "address_env": "TOLD_MAIL"},
                    "web": {"kind": "webhook", "address_env": "TOLD_URL", "secret_env": "TOLD_KEY"},
                }
            }
        }
    )
    environ: dict[str, str] = {}
    deliver = delivery(SmtpSettings(server="localhost", sender="a@example.org"), environ, lambda: NOW)

    def send(name: str) -> None:
        message = trial_message(name, policy, "2026-03-01T12:00:00.000000Z", "x")
        deliver(policy.notify.channels[name], policy.notify, message)

    for name, variable in (("file", "TOLD_FILE"), ("mail", "TOLD_MAIL"), ("web", "TOLD_URL")):
        with pytest.raises(NotSent, match=variable):
            send(name)
    environ |= {"TOLD_FILE": str(tmp_path / "told"), "TOLD_MAIL": f"{SECRET}\r\nBcc: x@y.org", "TOLD_URL": "https://x"}
    send("file")
    line = json.loads((tmp_path / "told").read_text())
    assert (line["type"], line["id"][:4]) == ("trial", "msg_")
    with pytest.raises(NotSent, match="TOLD_MAIL") as caught:
        send("mail")
    assert SECRET not in str(caught.value)
    with pytest.raises(NotSent, match="TOLD_KEY"):
        send("web")
    environ |= {"TOLD_KEY": SECRET}
    with pytest.raises(NotSent, match="key") as caught:
        send("web")
    assert SECRET not in str(caught.value)
