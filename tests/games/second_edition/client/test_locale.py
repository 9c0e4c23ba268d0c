"""Client catalogs: complete in each language, and each key used has words."""

import ast
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client.journal.room import TELLERS
from client.keymap.keys import USUAL, Context
from client.locale import LANGUAGES, language_of, load
from client.plugs.face import face_of
from protocol.common.table import Stage
from protocol.common.templates import placeholders
from protocol.games.second_edition.table import (
    FeatureKind,
    Harm,
    MythosStep,
    Phase,
    Skill,
    TokenKind,
)
from protocol.plugs import games

CLIENT = Path(__file__).parents[4] / "client"


def test_all_languages_have_the_same_keys() -> None:
    keys = [set(load(language).templates) for language in LANGUAGES]

    assert keys[0] == keys[1]


def test_all_languages_use_the_same_parameters() -> None:
    first, second = (load(language).templates for language in LANGUAGES)

    different = {k for k in first if placeholders(first[k]) != placeholders(second[k])}

    assert different == set()


def keys_in(folder: Path, language: str) -> list[str]:
    """Return the keys in a catalog, with repetitions."""
    pairs: list[tuple[str, str]] = []
    path = folder / "locale" / f"{language}.json"
    json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=pairs.extend)
    return [key for key, _ in pairs]


GAMES = [path.parent for path in sorted((CLIENT / "games").glob("*/locale"))]
"""Folders of the games that have words of their own."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=lambda path: str(path.name))
def test_no_key_has_words_twice(game: Path, language: str) -> None:
    """The last entry of a key would win, and the words of all games would hide those of a game."""
    keys = keys_in(CLIENT, language) + keys_in(game, language)

    assert [key for key in set(keys) if keys.count(key) > 1] == []


@pytest.mark.issue(11)
@pytest.mark.parametrize("game", GAMES, ids=lambda path: str(path.name))
def test_only_a_game_says_its_own_words(game: Path) -> None:
    """If another game used such a key, its players would see the bare key."""
    own = set(keys_in(game, "en"))
    others = [path for path in CLIENT.rglob("*.py") if not path.is_relative_to(CLIENT / "games")]

    # Styles are named as keys are.
    said = {str(path): own & _constants(path) for path in others if path.name != "looks.py"}

    assert {path: keys for path, keys in said.items() if keys} == {}


KEY_SLOT = re.compile(r"\{key\.(\w+)\}")


def test_all_languages_name_the_same_keys() -> None:
    first, second = (load(language).templates for language in LANGUAGES)
    named = {key: set(KEY_SLOT.findall(words)) for key, words in first.items()}

    assert {key for key in first if named[key] != set(KEY_SLOT.findall(second[key]))} == set()
    assert set().union(*named.values()) <= {action.value for action in USUAL.actions}


LETTERS = {"en": "ais", "fr": "àÀahys"}
"""Words of one letter, by language; `s` means seconds and `h` the hour."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_named_but_through_its_slot(language: str) -> None:
    """A key name in a plain sentence would be wrong after a player changed the key."""
    templates = load(language).templates
    named = {f"keyname.{name}" for name in ("enter", "space", "backspace", "escape", "tab")}
    named |= {"keyname.page_up", "keyname.page_down"}
    words = "|".join([*sorted(templates[name] for name in named), "Backspace"])
    letter = rf"(?<![-\w’'{{.[])[^\W\dA-Z_{LETTERS[language]}](?![-\w’'}}|])"
    key = re.compile(rf"\b(?:{words})\b|{letter}|(?:^|[;,]\s)\?\s")
    ours = ("keyname.", "key.", "hint.", "plain.little_words")

    assert {
        name: words
        for name, words in templates.items()
        if not name.startswith(ours) and key.search(words)
    } == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_empty(language: str) -> None:
    assert [key for key, words in load(language).templates.items() if not words.strip()] == []


def _sources() -> list[Path]:
    """Return the client's sources, without those of a game that no player can open yet."""
    unopened = {path for path in (CLIENT / "games").iterdir() if path.name not in games()}
    return [path for path in CLIENT.rglob("*.py") if not unopened & set(path.parents)]


@functools.cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a source file, cached for the tests of this module."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.fixture(autouse=True, scope="module")
def _forget_sources() -> Iterator[None]:
    """Drop the cached nodes afterwards: they are many."""
    yield
    _nodes.cache_clear()


def _named() -> set[str]:
    """Return the strings in the client's source that look like keys of the catalog."""
    families = {key.partition(".")[0] for key in load("en").templates}
    found = set()
    for path in _sources():
        for node in _nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                family, dot, rest = node.value.partition(".")
                is_key = dot and family in families and re.fullmatch(r"[a-z_/.]+", rest)
                if is_key and not rest.endswith((".", "/")):
                    found.add(node.value)
    # Styles and module names share the form.
    return {key for key in found if not key.startswith(("journal.r", "journal.s", "map.l"))}


def _constants(path: Path) -> set[str]:
    """Return every constant in a source file, as text."""
    nodes = _nodes(path)
    return {str(node.value) for node in nodes if isinstance(node, ast.Constant)}


def _strings(*folders: str) -> set[str]:
    """Return every constant and field name in the sources of some folders."""
    found: set[str] = set()
    for folder in folders:
        for path in (CLIENT.parent / folder).rglob("*.py"):
            for node in _nodes(path):
                if isinstance(node, ast.Constant):
                    found.add(str(node.value))
                elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    found.add(node.target.id)
    return found


def _made() -> set[str]:
    """Return regular expressions of the keys that f-strings in the client's source assemble."""
    found = set()
    for path in (*CLIENT.rglob("*.py"), *(CLIENT.parent / "commands").rglob("*.py")):
        for node in _nodes(path):
            if isinstance(node, ast.JoinedStr):
                parts = (
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else "(.+)"
                    for part in node.values
                )
                found.add("".join(map(str, parts)))
    return {pattern for pattern in found if re.match(r"[a-z_]+\\\.", pattern)}


def test_every_key_is_used() -> None:
    """Each key occurs in the source or matches an f-string of the source."""
    # The server names what is done, by words that are no enumeration of the protocol.
    said = _strings("client", "commands", "protocol", "server")
    # A scenario is as difficult as a number from 1 to 5.
    said |= set("12345")
    # What tellers put together, without the family of it all.
    said |= {f"{kind}.{one.value}" for kind in ("placed", "removed") for one in FeatureKind}
    said |= {f"token_placed.{one}" for one in ("anybody", *(kind.value for kind in TokenKind))}
    # What the environment has is said in small letters.
    said |= {name.lower() for name in said if name.isupper()}
    patterns = [re.compile(pattern) for pattern in _made()]

    # A game may have words of its own, as `pane.first_or_all_pass.cards`.
    own = tuple(f".{game}" for game in games())

    def is_used(key: str) -> bool:
        key = key.rpartition(".")[0] if key.endswith(own) else key
        made = filter(None, (pattern.fullmatch(key) for pattern in patterns))
        return key in said or any({*match.groups()} <= said for match in made)

    assert [key for key in load("en").templates if not is_used(key)] == []


def test_every_key_that_is_named_has_words() -> None:
    styles = {
        *("map.wall", "map.room", "status.away", "journal.private", "journal.chat"),
        *("journal.card", "journal.dice", "journal.deed", "journal.gain"),
        "journal.hindsight",
    }
    files = {"config.toml"}

    assert {key for key in _named() - styles - files if not load("en").has(key)} == set()


@pytest.mark.parametrize(
    "key",
    [
        *(f"skill.{skill.value}" for skill in Skill),
        *(f"harm.{harm.value}" for harm in Harm),
        *(f"phase.{phase.value}" for phase in Phase),
        *(f"step.{step.value}" for step in MythosStep),
        *(f"token.{kind.value}" for kind in TokenKind),
        *(f"stage.{stage.value}" for stage in Stage),
        *(f"help.{context.value}" for context in Context),
        *(f"key.{binding.action.value}" for binding in USUAL.bindings),
        *(f"hint.{binding.action.value}" for binding in USUAL.bindings),
    ],
)
def test_every_member_has_words(key: str) -> None:
    """Keys that are assembled from an enum of the protocol have words for each member."""
    assert load("en").has(key)


def test_every_teller_s_key_has_words() -> None:
    said = re.compile(r'at\.say\(\s*"([a-z_]+)"|one_line\(\s*se\.\w+,\s*"([a-z_]+)"')
    paths = [path for path in _sources() if path.parent.name in {"tellers", "journal"}]
    source = "".join(path.read_text("utf-8") for path in paths)

    keys = {one or other for one, other in said.findall(source)}

    assert len(keys) > (len(TELLERS) + len(face_of("second_edition").tellers)) // 2
    assert {key for key in keys if not load("en").has(f"journal.{key}")} == set()


def test_plural_follows_the_language() -> None:
    """Zero takes the plural in English and the singular in French."""
    key = "journal.successes"

    said = [load(language).say(key, 0) for language in LANGUAGES]

    assert said == ["0 successes", "0 succès"]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "MANSE_LANGUAGE": "fr"}, "fr"),
        ({"LANG": "de_DE"}, "en"),
    ],
)
def test_the_environment_chooses(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


@pytest.mark.issue(12)
def test_what_was_said_before_is_said_again_by_type() -> None:
    """True equals 1 in Python, but the cache must not mix the two; nor must it mix languages."""
    english, french = load("en"), load("fr")
    key = "map.more"
    truth: Any = True

    said = [english.say(key, 1), english.say(key, truth), english.say(key, 1)]

    assert said[0] == said[2]
    assert (said[0].split()[0], said[1].split()[0]) == ("1", "True")
    assert french.say(key, 1) != english.say(key, 1)


def test_a_missing_key_is_seen() -> None:
    assert load("en").say("no.such.key", 1) == "<no.such.key>"


def test_a_missing_parameter_is_seen() -> None:
    """Text of a server that names a key of ours without its parameters must still be drawn."""
    assert load("en").say("error.report", "Oh.") == "Oh. Report: {1}"
    assert load("fr").say("seat.number") == load("fr").templates["seat.number"]


def _parts(arg: ast.expr) -> list[ast.expr]:
    """Return the arguments that a call receives: a starred tuple counts as its members."""
    if isinstance(arg, ast.Starred) and isinstance(arg.value, ast.Tuple):
        return arg.value.elts
    return [arg]


def _kinds(error: str, place: int) -> set[str]:
    """Return the kinds with which the protocol raises an error."""
    found = set()
    for path in (CLIENT.parent / "protocol").rglob("*.py"):
        for node in _nodes(path):
            is_raised = isinstance(node, ast.Call) and getattr(node.func, "id", "") == error
            if isinstance(node, ast.Call) and is_raised:
                given = [part for arg in node.args for part in _parts(arg)][place : place + 1]
                given += [word.value for word in node.keywords if word.arg == "kind"]
                found |= {str(each.value) for each in given if isinstance(each, ast.Constant)}
    return found


@pytest.mark.parametrize(
    ("error", "place", "family"),
    [
        ("BadArchive", 2, "bad_archive"),
        ("UnreadableInvitation", 1, "unreadable"),
        ("UnreadableFingerprint", 1, "unreadable"),
    ],
)
def test_every_fault_of_what_was_given_has_words(error: str, place: int, family: str) -> None:
    """The protocol names the kind of fault, and the client has words for each kind."""
    kinds = _kinds(error, place)

    assert len(kinds) >= 3
    assert {kind for kind in kinds if not load("en").has(f"{family}.{kind}")} == set()


@pytest.mark.issue(38)
@pytest.mark.parametrize(("language", "word"), [("en", "investigator"), ("fr", "investigateur")])
def test_words_of_every_game_name_nobody_by_one_game(language: str, word: str) -> None:
    """In other games a seat plays a character, not an investigator."""
    said = {key: load(language).templates[key] for key in keys_in(CLIENT, language)}

    assert [key for key, text in said.items() if word in text.casefold()] == []
