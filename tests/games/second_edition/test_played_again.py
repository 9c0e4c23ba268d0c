"""Cheating that no audit can see: replaying the rules finds the record."""

import contextlib
import itertools
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from client.keyring.identity import HOME_VARIABLE
from content.games.second_edition.schema.pack import Pack
from protocol.archive import Archive, BadArchive, load
from protocol.audit import audit
from server.commands.verify import main as verify
from server.kernel.replaying import play_again
from server.packs import playing
from tests.games.second_edition.forging import (
    EFFECT,
    KINDS,
    Forged,
    Honest,
    first_wrong,
    forge,
    forgeries,
)
from tests.games.second_edition.simulate import CoreLibrary, SeededEntropy, core
from tests.kit import warm
from tests.verifying.logs import file_of, types, verifier

FORGED = int(os.environ.get("MANSE_FORGED", "10000"))
"""Number of forgeries in the long tests."""
GAMES = 40
"""Number of games that the long tests forge; each is also replayed whole."""
ALL_KINDS = 12
"""Seed of a game in which every kind of forgery is possible."""
PER_RUN = 60
"""Number of forgeries in every run."""


def first_difference(archive: Archive, pack: Pack) -> int | None:
    """Return the sequence of the first record of an archive that the rules would not write."""
    found = play_again(archive, CoreLibrary(pack), SeededEntropy(3))
    return None if found is None else found.sequence


def check_forgeries(game: Honest, count: int, *, seed: int, whole: int) -> Counter[str]:
    """Forge a game this many times; each forgery must be found, nearly all at the exact record.

    Args:
        whole: number of forgeries also checked as files: by an audit and by a whole replay.
    """
    assert first_difference(load(file_of(game.room)), game.pack) is None
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    for number, forged in enumerate(itertools.islice(forgeries(game, rng), count)):
        place = forged.kind, seed, forged.moment.end
        wrong = first_wrong(forged)
        if forged.kind == EFFECT or forged.kind.endswith(" again"):
            # Two events or draws in a row may be honest; then the next one is missed, or too many.
            assert wrong is not None, place
            assert wrong >= forged.at, place
        else:
            assert wrong == forged.at, place
        if number % (count // whole) == 0:
            archive = load(file_of(forged.room))
            # What an audit finds it names itself; the rules name the forged record all the same.
            with contextlib.suppress(BadArchive):
                audit(archive)
            assert first_difference(archive, game.pack) == wrong, place
        found[forged.kind] += 1
    return found


@pytest.mark.long
def test_forgeries_of_every_kind_are_found() -> None:
    """The kinds are deals, decks, options, refusals and bounds, some visible to an audit."""
    found = check_forgeries(Honest.played(ALL_KINDS), PER_RUN, seed=3, whole=3)

    assert found.total() == PER_RUN
    assert set(found) == set(KINDS)


@pytest.mark.parametrize("kind", ["deck", "deal", "bound", "secret bound", "option", "refusal"])
def test_no_audit_sees_what_only_the_rules_know(kind: str) -> None:
    """Both verifiers accept such a log, and only the rules find the record."""
    game = Honest.played(ALL_KINDS)
    tried = itertools.product(game.moments_for(kind), range(3))
    made = (forge(game, kind, moment, turn) for moment, turn in tried)
    unseen = (forged for forged in made if forged is not None and is_unseen(forged))
    forged = next(unseen)
    file = file_of(forged.room)

    verifier().verify(file, types())

    assert first_difference(load(file), game.pack) == forged.at


def is_unseen(forged: Forged) -> bool:
    """True if an audit accepts a forged game."""
    try:
        audit(load(file_of(forged.room)))
    except BadArchive:
        return False
    return True


def test_an_honest_game_is_not_blamed() -> None:
    for seed in (0, 5, 10, 15):
        game = Honest.played(seed)
        assert first_difference(load(file_of(game.room)), game.pack) is None


def calls(work: Callable[[], object]) -> int:
    """Return the number of Python function calls of some work.

    It does not depend on machine load.
    """
    count = 0

    def look(_frame: object, what: str, _argument: object) -> None:
        nonlocal count
        count += what == "call"

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def test_playing_again_takes_at_most_twice_the_work_of_playing() -> None:
    """Work is counted in function calls.

    In seconds, a replay takes an eighth more than the rules took.
    """
    game = Honest.played(5)
    archive = load(file_of(game.room))

    again = calls(lambda: first_difference(archive, game.pack))

    assert again <= 2 * calls(lambda: Honest.played(5))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(GAMES))
def test_many_forgeries_are_found(seed: int) -> None:
    """MANSE_FORGED sets a higher number of forgeries."""
    count = FORGED // GAMES

    found = check_forgeries(Honest.played(seed), count, seed=seed, whole=5)

    assert found.total() == count


@pytest.fixture
def dealt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, int]:
    """Return the file of a core game whose server chose a deal, and the sequence of that deal."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C")
    game = Honest.played(1, core())
    made = (forge(game, "deal", moment, 0) for moment in game.moments_for("deal"))
    forged = next(one for one in made if one is not None)
    path = tmp_path / "dealt.manse"
    path.write_bytes(file_of(forged.room))
    return path, forged.at


AT_HAND = ("server.games.second_edition.plug", "tests.kit.packs_at_hand")
"""Modules that the child has imported when it begins."""


def test_the_command_names_the_record_and_what_should_stand_there(
    dealt: tuple[Path, int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the rules the command reports no fault."""
    path, at = dealt
    monkeypatch.setattr(playing, "subprocess", warm.subprocess_with(warm.PLAYER, *AT_HAND))

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
