"""Settings: which source wins, what is refused, and that no secret shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.config import LOCAL, StoreSettings, load_settings
from auditor.core.errors import PolicyError

SECRET = "swordfish-7431"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_follow_the_xdg_folders(tmp_path: Path) -> None:
    settings = load_settings(environ={"HOME": str(tmp_path)})
    assert settings.home == tmp_path / ".local/share/disclosure-auditor"
    assert settings.cache == tmp_path / ".cache/disclosure-auditor"
    assert settings.store == StoreSettings()
    assert settings.store.is_local
    moved = load_settings(environ={"HOME": str(tmp_path), "XDG_DATA_HOME": "/data", "XDG_CACHE_HOME": "relative"})
    assert moved.home == Path("/data/disclosure-auditor")
    assert moved.cache == tmp_path / ".cache/disclosure-auditor"


def test_command_line_wins_over_environment_over_file_over_default(tmp_path: Path) -> None:
    config = write(tmp_path / "c.toml", '[store]\nurl = "bolt://file"\nuser = "file"\ndatabase = "file"\n')
    environ = {"HOME": "/h", "NEO4J_URI": "bolt://environment", "NEO4J_USERNAME": "environment"}
    settings = load_settings(config, "bolt://flag", environ)
    assert (settings.store.url, settings.store.user, settings.store.database) == ("bolt://flag", "environment", "file")
    assert load_settings(config, None, environ).store.url == "bolt://environment"
    assert load_settings(config, None, {"HOME": "/h"}).store.url == "bolt://file"
    assert load_settings(None, None, {"HOME": "/h"}).store.url == LOCAL


def test_the_file_is_named_by_the_option_else_the_variable_else_xdg(tmp_path: Path) -> None:
    option = write(tmp_path / "option.toml", 'home = "/option"')
    variable = write(tmp_path / "variable.toml", 'home = "/variable"')
    write(tmp_path / "xdg/disclosure-auditor/config.toml", 'home = "/xdg"')
    environ = {"AUDITOR_CONFIG": str(variable), "XDG_CONFIG_HOME": str(tmp_path / "xdg")}
    assert load_settings(option, None, environ).home == Path("/option")
    assert load_settings(None, None, environ).home == Path("/variable")
    assert load_settings(None, None, {"XDG_CONFIG_HOME": str(tmp_path / "xdg")}).home == Path("/xdg")


def test_the_first_of_two_variables_for_the_user_wins() -> None:
    assert load_settings(environ={"NEO4J_USERNAME": "a", "NEO4J_USER": "b"}).store.user == "a"
    assert load_settings(environ={"NEO4J_USER": "b"}).store.user == "b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[store]\nurll = "x"', r"unknown setting store\.urll; did you mean store\.url\?"),
        ('hom = "x"', r"unknown setting hom; did you mean home\?"),
        ("[store]\nidle_minutes = -1", r"store\.idle_minutes: "),
        ('[store]\nheap = "lots"', r"store\.heap: "),
        ('[store]\nurl = "http://x"', r"store\.url: must be 'local' or begin with one of bolt://"),
        ("store = 3", r"store must be a section"),
        ("[store", r"is not valid TOML"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    config = write(tmp_path / "c.toml", text)
    with pytest.raises(PolicyError, match=message) as caught:
        load_settings(config, None, {})
    assert str(config) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_bad_value_names_the_variable_or_option_that_gave_it() -> None:
    with pytest.raises(PolicyError, match=r"^AUDITOR_IDLE_MINUTES: store\.idle_minutes: "):
        load_settings(environ={"AUDITOR_IDLE_MINUTES": "soon"})
    with pytest.raises(PolicyError, match=r"^--store: store\.url: "):
        load_settings(store="nowhere", environ={})


def test_missing_unreadable_and_binary_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="does not exist"):
        load_settings(tmp_path / "none.toml", None, {})
    with pytest.raises(PolicyError, match="cannot be read: Is a directory"):
        load_settings(tmp_path, None, {})
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PolicyError, match="is not UTF-8 text"):
        load_settings(tmp_path / "b.toml", None, {})


def test_the_password_never_shows(tmp_path: Path) -> None:
    settings = load_settings(environ={"NEO4J_PASSWORD": SECRET, "NEO4J_URI": "bolt://x"})
    assert settings.store.read_password() == SECRET
    assert SECRET not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"
    config = write(tmp_path / "c.toml", f'[store]\npassword = ["{SECRET}"]')
    with pytest.raises(PolicyError) as caught:
        load_settings(config, None, {})
    assert SECRET not in str(caught.value)
    with pytest.raises(PolicyError, match="must not hold a user or password") as caught:
        load_settings(store=f"bolt://me:{SECRET}@host", environ={})
    assert SECRET not in str(caught.value)


def test_a_password_file_gives_its_first_line(tmp_path: Path) -> None:
    file = write(tmp_path / "p", f"{SECRET}\nmore\n")
    settings = load_settings(environ={"NEO4J_PASSWORD_FILE": str(file)})
    assert settings.store.read_password() == SECRET
    write(file, "")
    assert settings.store.read_password() == ""
    file.unlink()
    with pytest.raises(PolicyError, match=r"password_file .* cannot be read: No such file"):
        settings.store.read_password()


def test_a_password_of_the_environment_wins_over_a_file_of_the_configuration(tmp_path: Path) -> None:
    file = write(tmp_path / "p", "from-file")
    config = write(tmp_path / "c.toml", f'[store]\npassword_file = "{file}"\n')
    assert load_settings(config, None, {"NEO4J_PASSWORD": SECRET}).store.read_password() == SECRET
    config = write(tmp_path / "d.toml", '[store]\npassword = "from-configuration"\n')
    settings = load_settings(config, None, {"NEO4J_PASSWORD_FILE": str(file)})
    assert settings.store.read_password() == "from-file"


@given(st.text())
def test_any_store_address_is_accepted_or_refused_in_one_line(url: str) -> None:
    message = ""
    try:
        assert load_settings(store=url, environ={}).store.url == url
    except PolicyError as error:
        message = str(error)
    assert len(message.splitlines()) <= 1
