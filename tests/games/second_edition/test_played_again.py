"""Games whose server cheats where no audit can see it: played again, the record is named."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from client.keyring.identity import HOME_VARIABLE
from protocol.archive import Archive, BadArchive, load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Stage
from server.authoring.driver import Hangs
from server.commands.verify import main as verify
from server.kernel.errors import Refused, RuleFailed
from server.kernel.replaying import play_again
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.random_games import scenario_of
from tests.games.second_edition.simulate import CoreLibrary, SeededEntropy, Simulation, simulate
from tests.kit.tables.cheating import CHEATS, cheating, leaving_out_a_choice
from tests.verifying.logs import file_of

KINDS = (*CHEATS, "option")
MOST_FORGED = int(os.environ.get("MANSE_FORGED", "300"))
"""Games that the long test forges."""


def a_game(seed: int) -> Simulation:
    """Return a game of the house, about to be opened."""
    game = simulate(seed, seed % 4 + 1, pack=house())
    game.scenario = scenario_of(seed)
    return game


def forge(kind: str, game: Simulation, turn: int) -> tuple[bytes, int] | None:
    """
    Play a game whose server cheats once, and return its file with the forged record.

    None where the game has no such turn or does not end, or an audit finds the forgery.
    """
    try:
        if kind == "option":
            with leaving_out_a_choice(turn) as done:
                game.play()
            at = _sequence_of(game, done[0]) if done else -1
        else:
            with cheating(kind, turn) as done:
                game.play()
            at = done[0] if done else -1
    except (Hangs, Refused, RuleFailed):
        return None
    if at < 0 or game.room.table.room.stage is not Stage.OVER:
        return None
    file = file_of(game.room)
    try:
        audit(load(file))
    except BadArchive:
        return None
    return file, at


def _sequence_of(game: Simulation, ask_id: int) -> int:
    records = load(file_of(game.room)).records
    asked = (r for r in records if isinstance(r.event, events.Asked) and r.event.ask_id == ask_id)
    return next(record.sequence for record in asked)


def first_wrong(archive: Archive) -> int | None:
    """Return the sequence of the first record that the rules do not write."""
    found = play_again(archive, CoreLibrary(house()), SeededEntropy(3))
    return None if found is None else found.sequence


@pytest.mark.parametrize("kind", KINDS)
def test_a_forged_game_is_found(kind: str) -> None:
    """The very record, in a log that every audit takes for right; the honest game passes."""
    every = (forge(kind, a_game(seed), seed % 3) for seed in range(40))
    file, at = next(one for one in every if one is not None)

    assert first_wrong(load(file)) == at


def test_an_honest_game_is_not_blamed() -> None:
    """Of any scenario."""
    for seed in (0, 5, 10, 15):
        game = a_game(seed).play()
        assert first_wrong(load(file_of(game.room))) is None


@pytest.mark.long
def test_many_forged_games_are_found() -> None:
    """Forged deals, decks, options and bounds, each at many moments; MANSE_FORGED forges more."""
    found: Counter[str] = Counter()
    seed = 0
    while found.total() < MOST_FORGED:
        kind = KINDS[seed % len(KINDS)]
        made = forge(kind, a_game(seed // len(KINDS)), seed % 23)
        if made is not None:
            file, at = made
            assert first_wrong(load(file)) == at, (kind, seed)
            found[kind] += 1
        seed += 1
    assert set(found) == set(KINDS)


@pytest.fixture
def dealt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, int]:
    """Return the file of a core game whose server chose what was dealt, and the record."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C")
    every = (forge("deal", simulate(seed, 2), 0) for seed in range(9))
    file, at = next(one for one in every if one is not None)
    path = tmp_path / "dealt.manse"
    path.write_bytes(file)
    return path, at


def test_the_command_names_the_record_and_what_should_stand_there(
    dealt: tuple[Path, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """In both languages and for scripts; without the rules all is well."""
    path, at = dealt

    assert verify([str(path)]) == 1
    english = capsys.readouterr().err
    assert verify(["--language", "fr", str(path)]) == 1
    french = capsys.readouterr().err
    assert verify(["--json", str(path)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert verify(["--no-rules", str(path)]) == 0

    assert f"WRONG: event {at} (dealt) is not the one that the rules write: choice" in english
    assert f"FAUX : l’événement {at} (dealt)" in french.replace("\xa0", " ").replace("\u202f", " ")
    assert (told["ok"], told["event"]) == (False, at)
    assert told["rules"]["outcome"] == "differs"
    assert told["rules"]["place"].startswith("choice")
    assert told["rules"]["found"] != told["rules"]["expected"]
