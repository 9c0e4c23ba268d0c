"""Texts of the command line: complete in each language, argparse's own words included."""

import argparse
import ast
import errno
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.error import CannotListenError

from client.locale import load
from commands import main as command
from commands.faults import why_refused
from commands.parser import Parser
from commands.speaking import LANGUAGES, language_for, words_of
from protocol.invitation import DEFAULT_PORT
from server.identity.files import UnusableFile
from server.storage.errors import (
    BackupDamaged,
    BackupInUse,
    BackupUnreadable,
    CopyFailed,
    DiskTooFull,
    StoreBroken,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreMoved,
    StoreNewer,
    StoreOutOfMemory,
    StoreShortened,
    StoreUnwritable,
    TargetExists,
)
from server.system.faults import in_words
from tests.project.catalog import compiled
from tests.project.entries import named

ROOT = Path(__file__).parents[2]
PACKAGES = ("commands", "client", "server")
OTHERS = LANGUAGES[1:]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the tester's settings and language out of the tests."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "MANSE_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MANSE_HOME", str(tmp_path))
    # Commands set it for good; here it is to be as it was.
    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def read(package: str, language: str) -> dict[str, Any]:
    """Return the content of a catalog file."""
    path = ROOT / package / "usage" / f"{language}.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def parser_of(name: str, monkeypatch: pytest.MonkeyPatch) -> Parser:
    """Return the parser that a subcommand makes."""
    made: list[Parser] = []

    class _Made(Exception):
        pass

    def parse(parser: Parser, *_: object) -> None:
        made.append(parser)
        raise _Made

    with monkeypatch.context() as patched:
        patched.setattr(Parser, "parse_args", parse)
        with pytest.raises(_Made):
            named(name)([])
    return made[0]


def all_of(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and the parsers of its tools."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for tool in action.choices.values():
                yield from all_of(tool)


def texts(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Yield every text for people in a parser's help, with its place."""
    for each in all_of(parser):
        yield f"{each.prog} about", each.description or ""
        yield f"{each.prog} below", each.epilog or ""
        for action in each._actions:
            yield f"{each.prog} {action.dest}", action.help or ""


@pytest.mark.parametrize("package", PACKAGES)
def test_all_languages_say_the_same(package: str) -> None:
    first, *others = (read(package, language) for language in LANGUAGES)
    slots = re.compile(r"\{\d+\}|%\(\w+\)s")

    for other in others:
        assert {key for key in first if not key.startswith("metavar.")} == {
            key for key in other if not key.startswith("metavar.")
        }
        for key, phrase in first.items():
            if isinstance(phrase, dict):
                assert len(phrase) == len(other[key]), key
            else:
                assert sorted(slots.findall(phrase)) == sorted(slots.findall(other[key])), key


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_is_left_as_it_was(package: str, language: str) -> None:
    """Words that are equal in two languages were probably not translated."""
    first, other = read(package, LANGUAGES[0]), read(package, language)

    assert [key for key in first if first[key] == other[key]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_faults_of_files_are_told_alike_by_client_and_commands(language: str) -> None:
    """The client has its own copy of these words, for its screens."""
    ours = {
        key: words
        for key, words in read("commands", language).items()
        if key.startswith(("config.", "fault."))
    }
    client = load(language)

    assert "config.toml.value" in ours
    assert {key: client.say(key) for key, words in ours.items() if "{" not in words} == {
        key: words for key, words in ours.items() if "{" not in words
    }


@pytest.mark.parametrize("name", command.COMMANDS)
def test_no_help_is_without_words_or_in_english(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    english = dict(texts(parser_of(name, monkeypatch)))
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    french = dict(texts(parser_of(name, monkeypatch)))

    shown = {what: text for what, text in french.items() if text != argparse.SUPPRESS}
    assert shown.keys() <= english.keys()
    helps = [what for what, text in shown.items() if not text and not what.endswith("below")]
    assert helps in (
        [],
        ["manse config tool"],
        ["manse setup tool"],
        ["manse content ==SUPPRESS=="],
        ["manse admin ==SUPPRESS=="],
        ["manse store ==SUPPRESS=="],
    )
    assert [what for what, text in shown.items() if text and text == english[what]] == []


@pytest.mark.parametrize("name", command.COMMANDS)
def test_the_frame_of_the_help_is_french_too(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")

    for tool in [each.prog.split()[2:] for each in all_of(parser_of(name, monkeypatch))]:
        with pytest.raises(SystemExit):
            named(name)([*tool, "--help"])
        printed = capsys.readouterr().out
        assert printed.startswith("usage\N{NO-BREAK SPACE}: manse")
        assert "montrer cette aide" in printed
        assert [line for line in printed.splitlines() if re.fullmatch(r"\w.*\w:", line)] == []
        english = r"positional|show this|examples:|\b(?:FILE|FOLDER|NAME|HOST|VALUE|FINGERPRINT)\b"
        assert re.findall(english, printed) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", command.COMMANDS)
def test_help_fits_a_usual_terminal(
    name: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        named(name)(["--language", language, "--help"])

    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) > 80 and not line.startswith("  manse ")] == []


def literals() -> set[str]:
    """Return the messages in argparse's source."""
    tree = ast.parse(Path(argparse.__file__).read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    found = set()
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id in {"_", "ngettext"}:
            words = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
            found.add("\0".join(str(word) for word in words[:2]))
    return found - {""}


@pytest.mark.parametrize("language", OTHERS)
def test_all_that_argparse_says_has_words(language: str) -> None:
    messages = messages_in(language)
    slots = re.compile(r"%(?:\(\w+\))?[sr]")

    assert literals() - messages.keys() == set()
    for message, words in messages.items():
        assert sorted(slots.findall(message)) == sorted(slots.findall(words)), message


def messages_in(language: str) -> dict[str, str]:
    """Return argparse's words in a language."""
    path = ROOT / "commands" / "usage" / f"argparse.{language}.json"
    found: dict[str, str] = json.loads(path.read_text("utf-8"))
    return found


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_words_are_those_that_can_be_read(language: str) -> None:
    """`MANSE_ACCEPT_SCREENS=1` compiles them again."""
    path = ROOT / "commands" / "usage" / language / "LC_MESSAGES" / "messages.mo"
    made = compiled(messages_in(language))
    if os.environ.get("MANSE_ACCEPT_SCREENS"):
        path.write_bytes(made)

    assert path.read_bytes() == made


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("verify", [], "manse verify : erreur : il manque : FICHIER"),
        ("play", ["--bogus"], "arguments inconnus : --bogus"),
        ("play", ["--theme", "x"], "argument --theme : choix 'x' impossible (au choix : "),
        ("play", ["--server", "a b"], "« a b » n’est pas une adresse"),
        ("play", ["--server", "a:0"], "« 0 » n’est pas un port"),
        ("play", ["--fingerprint", "abc"], "une empreinte compte 52 lettres et chiffres"),
        ("play", ["--name", "a/b"], "pas avoir de barre oblique"),
        ("join", ["host"], "Demandez la ligne entière"),
        ("bot", [], "soit une invitation"),
        ("bot", ["--open", "a/b", "--party", "0"], "n’est pas un nombre de 1 à 999"),
        ("serve", ["--port", "x"], "« x » n’est pas un port"),
        ("serve", ["--certificate", "x"], "vont ensemble"),
        ("solo", ["--language"], "une valeur est attendue"),
        ("tutorial", ["--ag", "x"], "arguments inconnus"),
        ("content", [], "il manque : OUTIL"),
        ("content", ["play", "core/x", "--players", "9"], "quelque chose comme 1-5"),
        ("content", ["play", "core/x", "--sense", "--random"], "ne va pas avec l’argument"),
    ],
)
def test_a_command_line_without_sense_is_refused_in_french(
    name: str,
    arguments: list[str],
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")

    with pytest.raises(SystemExit) as caught:
        named(name)(arguments)

    assert caught.value.code == 2
    told = capsys.readouterr().err.replace("\N{NO-BREAK SPACE}", " ")
    assert complaint in told
    assert "error" not in told


def test_the_command_itself_speaks_french(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")

    assert command.main([]) == 0
    assert "apprendre à jouer" in capsys.readouterr().out
    assert command.main(["sol"]) == 2
    assert "vouliez-vous dire « solo »" in capsys.readouterr().err.replace("\xa0", " ")


@pytest.mark.parametrize(
    ("argv", "environment", "settings", "language"),
    [
        ([], {}, "", "en"),
        ([], {"LANG": "fr_FR.UTF-8"}, "", "fr"),
        ([], {"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "", "en"),
        ([], {"LANG": "fr_FR.UTF-8"}, 'language = "en"', "en"),
        ([], {"MANSE_LANGUAGE": "fr"}, 'language = "en"', "fr"),
        (["--language", "en"], {"MANSE_LANGUAGE": "fr"}, "", "en"),
        (["x", "--language=fr"], {}, 'language = "en"', "fr"),
        (["--language", "tlh"], {"LANG": "fr"}, "", "fr"),
        (["--language"], {"LANG": "fr"}, "", "fr"),
        ([], {"LANG": "fr"}, "language = [", "fr"),
        ([], {"LANG": "fr"}, "language = 7", "fr"),
    ],
)
def test_the_nearest_wish_for_a_language_holds(
    home: Path, argv: list[str], environment: dict[str, str], settings: str, language: str
) -> None:
    """The order is: the command line, the environment's wish, the settings, the system."""
    (home / "config.toml").write_text(settings)

    assert language_for(argv, {**environment, "MANSE_HOME": str(home)}) == language


def test_every_word_is_said() -> None:
    sources = [path.read_text("utf-8") for each in PACKAGES for path in (ROOT / each).rglob("*.py")]
    said = {word for text in sources for word in re.findall(r"[\w.-]+", text)}
    said |= {word.lstrip("-").replace("-", "_") for word in said}
    fixed = {"about", "examples", "notes"}

    for package in PACKAGES:
        for key in read(package, LANGUAGES[0]):
            assert {key, key.rpartition(".")[2]} & (said | fixed), key


def test_the_usual_port_is_the_real_one() -> None:
    for language in LANGUAGES:
        assert f":{DEFAULT_PORT}" in words_of("client", language).say("any.server")


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_a_server_cannot_start_is_said_in_each_language(language: str, tmp_path: Path) -> None:
    words = words_of("server", language)
    kinds = ("folder", "readable", "unreadable", "certificate", "pair", "identity")
    faults: list[Exception] = [UnusableFile("", kind, tmp_path, "why") for kind in kinds]
    faults += [CannotListenError("127.0.0.1", 1, OSError("taken"))]  # type: ignore[no-untyped-call]
    stored = (StoreBroken, StoreForeign, StoreFull, StoreLocked, StoreMoved, StoreNewer)
    faults += [fault("") for fault in stored]
    faults += [StoreUnwritable(""), StoreOutOfMemory(""), DiskTooFull(Path("/store"), 1, 2)]
    faults += [StoreShortened(Path("/store")), BackupInUse(Path("/store"))]
    faults += [BackupDamaged(Path("/store")), BackupUnreadable(Path("/store"))]
    faults += [TargetExists(Path("/store"))]
    faults += [CopyFailed(Path("/store"), PermissionError(errno.EACCES, "not at all"))]

    told = [in_words(fault, words) for fault in faults]

    assert all(told)
    assert all(str(tmp_path) in each for each in told[: len(kinds)])
    assert "127.0.0.1:1" in told[len(kinds)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_usual_faults_of_a_disk_have_words(language: str) -> None:
    usual = [
        errno.ENOENT,
        errno.EACCES,
        errno.EEXIST,
        errno.EISDIR,
        errno.ENOTDIR,
        errno.ENOSPC,
        errno.EROFS,
    ]
    faults = [OSError(number, os.strerror(number)) for number in usual]
    ways = words_of("server", language).say, load(language).say

    told = [[why_refused(fault, say) for fault in faults] for say in ways]

    assert told[0] == told[1]
    assert len({*told[0]}) == len(usual)
    assert not {*told[0]} & {os.strerror(number) for number in usual}
    for no_room in (errno.EDQUOT, errno.EFBIG):
        assert why_refused(OSError(no_room, os.strerror(no_room)), ways[0]) in told[0]
    odd = OSError(errno.EXDEV, "Invalid cross-device link")
    assert why_refused(odd, ways[0]) == "Invalid cross-device link"
    assert why_refused(OSError("odd"), ways[0]) == "odd"


def test_an_operators_folder_is_refused_in_their_language(tmp_path: Path) -> None:
    fault = UnusableFile("", "folder", tmp_path, PermissionError(errno.EACCES, "Permission denied"))

    told = in_words(fault, words_of("server", "fr"))

    assert "vous n’en avez pas la permission. Donnez" in told


@pytest.mark.issue(39)
def test_no_catalog_has_a_key_twice() -> None:
    """Of two values of a key, the reader of JSON takes the last one without a word."""
    twice: list[str] = []

    def read_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            twice.extend(key for key, count in counts.items() if count > 1)
        return found

    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.json")]
    for path in files:
        if path.parent.name in {"locale", "usage"}:
            json.loads(path.read_text("utf-8"), object_pairs_hook=read_once)

    assert twice == []
