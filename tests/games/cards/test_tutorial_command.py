"""`manse tutorial` of the card game as it is typed: a whole game that follows the coach."""

import os
from pathlib import Path

import pytest

from client.games.cards.lessons import LESSONS
from client.locale import LANGUAGES, load
from client.teaching.coach import words_of
from client.text.printable import printable
from protocol.games.cards.words import RULESET
from tests.games.cards.test_first_game import CODE, ENDS, IMPORTS, PATIENCE_SECONDS, SEED
from tests.kit import warm
from tests.kit.compiled import with_packs

pytestmark = pytest.mark.issue(42)

GOOD_SEED = "2"
"""At this chance the typed lines win."""
TYPED = {
    "en": (
        *("start", "0", "investigate", "1", "pass", "move lofts", "investigate", "pass"),
        *("advance", "1", "1", "1", "end", "1", "1", "1", "pass", "fight gull", "pass"),
        *("move low", "end", "2", "2", "1", "1", "pass", "evade man", "pass"),
        *("investigate", "pass", "investigate", "pass", "advance"),
    ),
    "fr": (
        *("commencer", "0", "enquêter", "1", "passer", "aller grenier", "enquêter", "passer"),
        *("avancer", "1", "1", "1", "finir", "1", "1", "1", "passer", "combattre goéland"),
        *("passer", "aller feu", "finir", "2", "2", "1", "1", "passer", "esquiver homme"),
        *("passer", "enquêter", "passer", "enquêter", "passer", "avancer"),
    ),
}
ALWAYS = {
    *("lobby", "mulligan", "turn", "commit", "board", "advance", "harm", "nested", "window"),
    *("fight", "evade", "doom", "over"),
}
"""Lessons that the game comes to in any case."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_does_what_the_coach_says_wins(tmp_path: Path, language: str) -> None:
    """All is said in words, and each lesson once, with commands instead of keys."""
    env = {**os.environ, "MANSE_HOME": str(with_packs(tmp_path)), SEED: GOOD_SEED}
    arguments = ("tutorial", "--game", "cards", "--plain", "--language", language)
    process = warm.piped(IMPORTS, CODE, *arguments, env=env)
    typed = "".join(f"{line}\n" for line in TYPED[language])
    printed, complaints = process.communicate(typed, timeout=PATIENCE_SECONDS)
    lines = printed.splitlines()

    assert (process.wait(0), complaints) == (0, "")
    assert ENDS[language][0] in lines
    assert [line for line in lines if "<" in line or "{" in line] == []
    told, here = load(language, game=RULESET), load(language)
    assert lines[-1] == printable(here.say("coach.next", "manse solo --game cards"))
    mark = printable(here.say("coach.line", ""))
    said = [line.removeprefix(mark) for line in lines if line.startswith(mark)]
    words = {printable(words_of(one, told, is_plain=True)): one.name for one in LESSONS}
    names = [words[line] for line in said if line in words]
    assert len(names) == len(said) == len(set(names))
    assert ALWAYS - set(names) == set()
    assert not [line for line in said if "F3" in line or "PgUp" in line]
