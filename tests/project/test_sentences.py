"""Sentences of the operators' pages, each compared with what it describes."""

import datetime as dt
import gc
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from twisted.internet.task import Clock
from twisted.logger import LogLevel, PredicateResult, globalLogPublisher

from commands.speaking import words_of
from commands.toml_files import BadConfig
from server.identity.certificate import operators_certificate, own_certificate
from server.process.configuration import parsed, template
from server.storage.database import MIGRATION_SIZES
from server.system import garbage
from server.system.garbage import CollectionPlan
from server.system.logs import Log
from server.system.made_up_user import made_up_user
from tests.deploy.settings_file import with_settings
from tests.project.test_docs import ROOT, UNIT
from tests.server.test_reloading import SETTINGS, reloaded, served

OPERATING: Final = (ROOT / "docs" / "operating.md").read_text("utf-8")
SERVING: Final = (ROOT / "docs" / "serving.md").read_text("utf-8")
BLOCK: Final = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
TOML: Final = [
    text for page in (OPERATING, SERVING) for kind, text in BLOCK.findall(page) if kind == "toml"
]

pytestmark = pytest.mark.issue(37)


def test_an_update_needs_the_space_that_the_pages_name() -> None:
    number = {2: "two", 3: "three", 4: "four"}[MIGRATION_SIZES]

    assert f"may need {number} times its size" in OPERATING
    assert f"refuses to start unless {number} times" in " ".join(SERVING.split())


@pytest.mark.parametrize("block", TOML)
def test_settings_of_the_pages_go_into_the_file_that_is_written(block: str) -> None:
    """Appended to the file, they would define their TOML tables a second time."""
    path = Path("/srv/serve.toml")
    written = template(words_of("server", "en"))
    with pytest.raises(BadConfig):
        parsed(written + block, path)

    values = parsed(with_settings(written, block), path)

    assert len(values) == block.count(" = ")


def test_a_collection_is_no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    observer: Any = seen.append
    monkeypatch.setattr(garbage, "LONG_MS", -1.0)
    plan = CollectionPlan(Clock(), lambda: True)
    plan.start()
    globalLogPublisher.addObserver(observer)
    try:
        gc.collect()
    finally:
        globalLogPublisher.removeObserver(observer)
        plan.stop()

    told = [event for event in seen if "generation" in event]
    assert {event["log_level"] for event in told} == {LogLevel.info}
    assert {Log(LogLevel.warn)(event) for event in told} == {PredicateResult.no}


def test_a_reload_that_worked_is_no_alarm(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir(mode=0o700)
    (folder / "serve.toml").write_text(f"{SETTINGS}[logs]\njson = true\n")
    with served(tmp_path) as (process, _):
        told = json.loads(reloaded(process))

    assert told["level"] == "info"
    assert "changed: no setting" in told["message"]


def reload_by_unit(folder: Path, pid: int) -> int:
    """Run the unit's reload commands as systemd does: the first failure ends them."""
    lines = re.findall(r"^ExecReload=(.*)$", UNIT.read_text("utf-8"), re.MULTILINE)
    for line in lines:
        command = line.replace("/opt/manse/.venv/bin/manse", str(ours("manse")))
        command = command.replace("%S/manse", str(folder)).replace("$MAINPID", str(pid))
        done = subprocess.run(command.split(), capture_output=True, check=False)
        if done.returncode:
            return done.returncode
    return 0


def ours(program: str) -> Path:
    """Return the path of an installed program."""
    return Path(sys.executable).with_name(program)


@pytest.mark.long
def test_a_reload_with_a_bad_file_fails(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir(mode=0o700)
    (folder / "serve.toml").write_text(SETTINGS)
    with served(tmp_path) as (process, _):
        (folder / "serve.toml").write_text(f"{SETTINGS}name = ''\n")
        assert reload_by_unit(folder, process.pid) == 1
        (folder / "serve.toml").write_text(f"{SETTINGS}name = 'Other'\n")
        assert reload_by_unit(folder, process.pid) == 0
        assert process.stderr is not None
        assert "changed: server.name" in process.stderr.readline()


def test_a_backup_that_is_moved_away_gets_another_owner() -> None:
    """On another machine, the number of the service's user may be another service's."""
    moved = re.findall(r"^# mv /var/lib/manse/backup (\S+)\n(.*)$", OPERATING, re.MULTILINE)

    assert len(moved) == 2
    assert all(after == f"# chown -R root: {target}" for target, after in moved)


@pytest.mark.parametrize(
    ("user", "made_up"),
    [(0, None), (998, None), (61183, None), (61184, 61184), (65519, 65519), (65534, None)],
)
def test_a_user_that_systemd_made_up_is_known(
    user: int, made_up: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manual of systemd names the range of user numbers for `DynamicUser=`."""
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)

    assert made_up_user() == made_up


def test_a_server_whose_mails_name_no_address_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir(mode=0o700)
    mail = "[mail]\nhost = 'mail.example.org'\nsender = 'manse@example.org'\n"
    (folder / "serve.toml").write_text(f"{SETTINGS}{mail}")
    with served(tmp_path) as (process, _):
        assert process.stderr is not None
        assert "mails name 127.0.0.1" in process.stderr.readline()


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_the_hook_copies_what_was_renewed(tmp_path: Path) -> None:
    lineage, folder, programs = (tmp_path / name for name in ("lineage", "manse", "programs"))
    for each in (lineage, folder, programs):
        each.mkdir(mode=0o700)
    own_certificate(lineage, dt.datetime.now(dt.UTC))
    text = (lineage / "certificate.pem").read_text()
    for name in ("privkey.pem", "fullchain.pem"):
        (lineage / name).write_text(text)
    (programs / "systemctl").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/told\n')
    (programs / "systemctl").chmod(0o755)
    (script,) = (text for kind, text in BLOCK.findall(SERVING) if kind == "sh")
    script = script.replace("/var/lib/manse", str(folder)).replace("-o manse", f"-o {os.getuid()}")
    (tmp_path / "hook").write_text(script)
    (tmp_path / "hook").chmod(0o755)

    subprocess.run(
        [str(tmp_path / "hook")],
        env={"PATH": f"{programs}:/usr/bin:/bin", "RENEWED_LINEAGE": str(lineage)},
        check=True,
    )

    assert (tmp_path / "told").read_text() == "reload manse\n"
    assert stat.S_IMODE((folder / "key.pem").stat().st_mode) == 0o600
    operators_certificate(folder / "chain.pem", folder / "key.pem")
