"""Real processes in real locales: what they print and read is in the locale's encoding."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.kit.compiled import with_packs

pytestmark = pytest.mark.issue(38)

_MANSE: Final = "import sys; from commands.main import main; sys.exit(main())"
LOCALEDEF: Final = shutil.which("localedef") or ""
SOURCES: Final = Path("/usr/share/i18n/charmaps")
MADE: Final = {
    "fr_FR.ISO-8859-1": ("iso-8859-1", "dire", "quitter", "l\xe9t\xe9"),
    "fr_FR.CP1252": (
        "cp1252",
        "dire",
        "quitter",
        "l\xe9t\xe9 \x9c\u20ac".replace("\x9c", "\u0153"),
    ),
    "zh_CN.GB18030": ("gb18030", "say", "quit", "\u4f60\u597d"),
}
"""Locales that are compiled for these tests: encoding, words of plain mode, and some talk."""
PATIENCE_SECONDS: Final = 120.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for compiled locales."""
    if not LOCALEDEF or not SOURCES.exists():
        pytest.skip("this machine cannot compile locales")
    return tmp_path_factory.mktemp("locales")


def compiled(folder: Path, name: str) -> dict[str, str]:
    """Compile a locale, at first use; return the variables that choose it."""
    if not (folder / name).exists():
        language, _, charmap = name.partition(".")
        made = subprocess.run(
            [LOCALEDEF, "--no-archive", "-c", "-i", language, "-f", charmap, str(folder / name)],
            capture_output=True,
            text=True,
            check=False,
        )
        if not (folder / name).exists():
            pytest.skip(f"this machine cannot compile {name}: {made.stderr}")
    return {"LOCPATH": str(folder), "LC_ALL": name}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment that names no encoding of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    (tmp_path / "home").mkdir()
    return {**kept, "MANSE_HOME": str(with_packs(tmp_path / "home"))}


def played(environment: dict[str, str], typed: bytes) -> "subprocess.CompletedProcess[bytes]":
    """Play a solo game in plain mode with typed input; return the process's result."""
    return subprocess.run(
        [sys.executable, "-c", _MANSE, "solo", "--plain"],
        env=environment,
        input=typed,
        capture_output=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )


# In every run, another test types at a terminal in the first of them.
@pytest.mark.long
@pytest.mark.parametrize("name", MADE)
def test_a_game_is_told_and_read_in_the_encoding_of_the_locale(
    name: str, folder: Path, environment: dict[str, str]
) -> None:
    coding, say, leave, talk = MADE[name]

    ended = played(
        {**environment, **compiled(folder, name)},
        f"{say} {talk}\n{leave}\n".encode(coding),
    )

    assert (ended.returncode, ended.stderr) == (0, b"")
    assert talk in ended.stdout.decode(coding)


LONG: Final = pytest.mark.long


# All three are one locale.
@pytest.mark.parametrize(
    ("name", "coerced"),
    [
        # With UTF-8, a process of another test is no different.
        ("C", False),
        *(pytest.param(*one, marks=LONG) for one in (("", True), ("", False), ("C", True))),
        *(pytest.param("POSIX", coerced, marks=LONG) for coerced in (True, False)),
    ],
)
def test_without_a_locale_nothing_fails(
    name: str, environment: dict[str, str], *, coerced: bool
) -> None:
    """Python then uses UTF-8; where that is switched off, letters lose their accents."""
    off = {} if coerced else {"PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    talk = "l\xe9t\xe9"

    ended = played(
        {**environment, **off, "LC_ALL": name, "MANSE_LANGUAGE": "fr"},
        f"dire {talk}\nquitter\n".encode(),
    )

    assert (ended.returncode, ended.stderr) == (0, b"")
    told = ended.stdout.decode("utf-8" if coerced else "ascii")
    assert not coerced or talk in told
    assert "Traceback" not in told


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Return both ends of a terminal device."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


def test_a_line_typed_at_a_terminal_is_read_in_its_encoding(
    folder: Path, environment: dict[str, str], terminal: tuple[int, int]
) -> None:
    """The line editor reads only UTF-8, so such a terminal is read without it."""
    master, slave = terminal
    name = "fr_FR.CP1252"
    process = subprocess.Popen(
        [sys.executable, "-c", _MANSE, "solo", "--plain"],
        env={**environment, **compiled(folder, name), "TERM": "xterm"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    told, end = b"", time.monotonic() + PATIENCE_SECONDS
    os.set_blocking(master, False)
    typed = [b"dire l\xe9t\xe9\r", b"quitter\r"]
    try:
        while process.poll() is None and time.monotonic() < end:
            try:
                told += os.read(master, 1 << 16)
            except BlockingIOError:
                time.sleep(0.05)
            # What is typed is echoed once, and told once.
            if typed and told.count(b"l\xe9t\xe9") >= 2 * (2 - len(typed)) and len(told) > 200:
                os.write(master, typed.pop(0))
        assert process.wait(1) == 0
    finally:
        process.kill()
        process.wait()

    assert told.count(b"l\xe9t\xe9") >= 2
    assert b"Traceback" not in told
