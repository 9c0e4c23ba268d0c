"""What a story gives stands with it; who comes to a running game is told the story so far."""

import re
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from protocol.common import events
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Phase, Possession
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, asked, playing, throw
from tests.games.second_edition.client.stage import OnStage, model_of, play

pytestmark = pytest.mark.issue(38)
Doing = Callable[[OnStage], Coroutine[Any, Any, None]]
ADA, VERA = "investigator/ada", "investigator/vera"
CID = b"c" * 32
WORDS = {
    "story/letter": "The letter is in your own hand.",
    "story/knock": "Somebody knocks, and does not stop.",
    "story/secret": "You wrote it yourself.",
}
PROLOGUE = "The river has come up over the road"


def on_stage(script: Script, doing: Doing, *, seat: int | None = 0) -> OnStage:
    """Let somebody watch a game on a screen."""
    model = model_of(script, seat=seat)
    model.words.add("en", tuple((key, (("text", said),)) for key, said in WORDS.items()))

    async def do(stage: OnStage) -> None:
        # The first box was opened by the real clock.
        stage.time = stage.terminal.ui.desk.now() + 1
        stage.stop_clock()
        await stage.look()
        await doing(stage)

    return play(model, do, rows=40, columns=120, is_new=True)


def box_of(text: str) -> str:
    """Return the text in the box of the story; empty if there is none."""
    lines = text.split("\n")
    found = [
        (row, at.start())
        for row, line in enumerate(lines)
        if (at := re.search("┌ (Story|The story so far)", line))
    ]
    if not found:
        return ""
    top, left = found[0]
    right = lines[top].index("┐", left)
    bottom = next(row for row in range(top, len(lines)) if lines[row][left : left + 1] == "└")
    return " ".join(line[left + 1 : right].strip() for line in lines[top + 1 : bottom])


# Gains -------------------------------------------------------------------------------------------


def test_what_a_story_gives_stands_in_its_box() -> None:
    """Below a text the box lists what it gives, but nothing gained before it or after dice."""
    script = asked()

    async def look(stage: OnStage) -> None:
        script.emit(
            se.CluesGained(VERA, 1),
            se.Told(Text("story/letter")),
            se.CluesGained(ADA, 2),
            se.PossessionGained(ADA, Possession("p9", "item/lantern")),
        )
        throw(script)
        script.emit(se.CluesGained(VERA, 3))
        await stage.arrive(script)
        said = box_of(stage.text)
        assert said.index("The letter") < said.index("Ada Lorne gains 2 Clues.")
        assert "Lantern" in said
        assert "Vera" not in said

    on_stage(script, look)


def test_a_gain_without_a_story_opens_no_box() -> None:
    """A Clue that was found in passing is in the journal alone."""
    script = asked()

    async def look(stage: OnStage) -> None:
        script.emit(se.CluesGained(ADA, 2))
        await stage.arrive(script)
        assert box_of(stage.text) == ""
        assert "Ada Lorne gains 2 Clues." in stage.text

    on_stage(script, look)


# The story so far --------------------------------------------------------------------------------


def later(*, newcomer: bool = True) -> Script:
    """Return a game in which Vera was told something in secret before Cid took her seat."""
    script = playing()
    script.emit(
        se.Told(Text("story/letter")),
        se.ToldPrivately(VERA, hidden(Text("story/secret"))),
    )
    if newcomer:
        script.emit(
            events.SeatTaken(1, "Cid", CID, is_bot=False),
            events.PresenceChanged(1, is_present=True),
        )
    return script


@pytest.mark.parametrize("seat", [None, 1])
def test_who_comes_to_a_running_game_reads_the_story_so_far(seat: int | None) -> None:
    """A newcomer reads the story so far without secrets of others, and leaves it with one key."""

    async def look(stage: OnStage) -> None:
        assert "┌ The story so far" in stage.text
        assert PROLOGUE in box_of(stage.text)
        told = ""
        for _ in range(9):
            told += box_of(stage.text)
            stage.time += 1
            await stage.press("pagedown")
        assert "The letter is in your own hand." in told
        # What the server sends of the secrets of a seat's last owner is not for the client to say.
        assert ("You wrote it yourself." in told) == (seat == 1)
        stage.time += 1
        await stage.press("escape")
        assert box_of(stage.text) == ""

    on_stage(later(), look, seat=seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_was_there_from_the_start_is_not_told_again(seat: int) -> None:
    """A player who returns after an absence reads what they missed instead."""

    async def look(stage: OnStage) -> None:
        assert "The story so far" not in stage.text

    on_stage(later(newcomer=False), look, seat=seat)
    script = later()
    script.emit(
        events.PresenceChanged(1, is_present=False), events.PresenceChanged(1, is_present=True)
    )
    on_stage(script, look, seat=1)


def test_a_spectator_follows_without_a_key() -> None:
    """The story so far and each page turn by themselves, after the time needed to read them."""
    script = later(newcomer=False)

    async def look(stage: OnStage) -> None:
        for _ in range(20):
            stage.time += 60
            await stage.look()
        assert box_of(stage.text) == ""
        script.emit(se.Told(Text("story/knock")), se.PhaseBegan(Phase.MYTHOS, 7))
        await stage.arrive(script)
        assert "Somebody knocks" in box_of(stage.text)
        assert "Round 7" not in stage.text
        stage.time += 1
        await stage.look()
        assert "Somebody knocks" in box_of(stage.text)
        stage.time += 9
        await stage.look()
        assert box_of(stage.text) == ""
        assert "Round 7" in stage.text

    on_stage(script, look, seat=None)


def test_a_players_page_waits_for_a_key() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        script.emit(se.Told(Text("story/knock")))
        await stage.arrive(script)
        stage.time += 900
        await stage.look()
        assert "Somebody knocks" in box_of(stage.text)

    on_stage(script, look)


def handed_on(*, knowing: bool) -> Script:
    """Return a game in which Bob left, a bot played his seat, and Cid took it from the bot."""
    script = later(newcomer=False)
    script.emit(
        events.PresenceChanged(1, is_present=False),
        se.CluesGained(VERA, 1),
        events.SeatGiven(1, "Bot 1", b"b" * 32, is_bot=True, with_secrets=False),
        events.PresenceChanged(1, is_present=True),
        events.PresenceChanged(1, is_present=False),
        se.CluesGained(VERA, 1),
        events.SeatGiven(1, "", b"", is_bot=False, with_secrets=False),
        (events.SeatFilledKnowing if knowing else events.SeatFilled)(1, "Cid", CID),
        events.PresenceChanged(1, is_present=True),
    )
    return script


@pytest.mark.parametrize("knowing", [False, True])
def test_an_absence_of_the_last_owner_is_not_the_newcomers(*, knowing: bool) -> None:
    """A newcomer reads the story so far, and after an absence of their own what they missed."""
    script = handed_on(knowing=knowing)

    async def look(stage: OnStage) -> None:
        assert "┌ The story so far" in stage.text
        assert "Since you left" not in stage.text

    on_stage(script, look, seat=1)
    said = "\n".join(Console(script, seat=1).printed)
    assert "The story so far" in said
    assert "Since you left" not in said

    script.emit(
        events.PresenceChanged(1, is_present=False),
        se.CluesGained(ADA, 2),
        events.PresenceChanged(1, is_present=True),
    )
    said = "\n".join(Console(script, seat=1).printed)
    assert "Since you left, 1 line" in said
    assert "The story so far" not in said


@pytest.mark.parametrize("seat", [None, 1])
def test_plain_mode_prints_the_story_so_far(seat: int | None) -> None:
    """Plain mode prints the story under a line that says so, and then follows the game."""
    console = Console(later(), seat=seat)
    words = tuple((key, (("text", said),)) for key, said in WORDS.items())
    console.model.words.add("en", words)
    console.model.changed()

    said = "\n".join(console.printed)
    assert "The story so far" in said
    assert PROLOGUE in said
