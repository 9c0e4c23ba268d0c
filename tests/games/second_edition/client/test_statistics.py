"""Statistics of a game, compared with independent counts over its log."""

import functools
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import attrs
import pytest

from client.commands import stats
from client.exports.figures import in_lines, in_svg
from client.exports.statistics import Amount, Statistics, counted
from client.games.second_edition.counting import COUNTING
from client.locale import LANGUAGES
from client.locale import load as locale_of
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.viewpoints import EVERYTHING, Seen, seen_from
from client.settings.preferences import Charset
from protocol.archive import load
from protocol.common import events
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Harm, SecondEditionTable
from server.games.second_edition.rules.dice import FACES
from tests.games.second_edition.simulate import finished_game
from tests.kit.hostile import hostile_words
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(17)


@functools.cache
def files() -> tuple[bytes, bytes]:
    """Return the complete archive of a finished game, and the one that a seat may have."""
    room = finished_game()
    return file_of(room), file_of(room, 1)


@functools.cache
def seen() -> Seen:
    """Return the game with all secrets open."""
    return seen_from(load(files()[0]), EVERYTHING)


def numbers(*games: Seen) -> Statistics:
    """Return the statistics of the given games, by default of the finished one."""
    (found,) = counted(games or (seen(),))
    return found


def amounts(found: Statistics, chart: str) -> dict[str, float]:
    return {piece: amount.amount for (_, piece), amount in found.charts[chart].items()}


def spoken(language: str = "en") -> Speaker:
    """Return a speaker without words of a server."""
    return Speaker(locale_of(language).for_game("second_edition"), WordStore(language=language))


def test_all_dice_that_were_rolled_are_counted() -> None:
    rolled = sum(
        len(record.event.faces)
        for record in seen().records
        if isinstance(record.event, events.Rolled) and record.event.sides == len(FACES)
    )

    dice = numbers().charts["dice"].values()

    assert rolled > 150
    assert any(isinstance(r.event, se.DiceShown) and r.event.rerolled for r in seen().records)
    assert sum(each.amount for each in dice) == rolled
    assert sum(each.expected or 0 for each in dice) == rolled


def test_what_chance_brings_is_what_the_die_shows() -> None:
    """The client knows no rules, so its table of chances is compared with the die of the rules."""
    shares = Counter(face.value for face in FACES)
    dice = numbers().charts["dice"]
    total = sum(each.amount for each in dice.values())

    for (_, words), each in dice.items():
        assert each.expected == total * shares[words.removeprefix("stats.")] / len(FACES)


@pytest.mark.parametrize("harm", Harm)
def test_what_was_taken_and_not_discarded_lies_there_in_the_end(harm: Harm) -> None:
    found, game = numbers(), seen().tables[-1].game
    assert isinstance(game, SecondEditionTable)
    taken = amounts(found, f"{harm.value}_taken")
    healed = amounts(found, f"{harm.value}_healed")

    assert sum(taken.values()) > 5
    for who, investigator in game.investigators.items():
        facedown = sum(
            len(pile) for name, pile in game.piles.items() if who in name and harm.value in name
        )
        assert taken.get(who, 0) - healed.get(who, 0) == facedown + len(
            investigator.faceup_cards(harm)
        )


def test_clues_are_counted_in_the_round_in_which_they_were_found() -> None:
    found: Counter[str] = Counter()
    round_number = 0
    for record in seen().records:
        if isinstance(record.event, se.PhaseBegan):
            round_number = record.event.round_number
        elif isinstance(record.event, se.CluesGained):
            found[str(round_number)] += record.event.count

    assert amounts(numbers(), "clues") == found


def test_a_seat_s_time_is_from_the_question_to_its_first_answer() -> None:
    """A vote that is changed counts as one answer."""
    records = seen().records
    asked = {r.event.ask_id: r.time for r in records if isinstance(r.event, events.Asked)}
    first: dict[tuple[int, int], int] = {}
    for record in records:
        if isinstance(record.event, events.Answered | events.Passed | events.Voted):
            first.setdefault((record.event.seat, record.event.ask_id), record.time)
    mine = [(time - asked[ask]) / 1000 for (seat, ask), time in first.items() if seat == 0]
    (name,) = {seen().tables[-1].room.seats[0].name}

    found = numbers()

    assert amounts(found, "answers")[name] == len(mine)
    assert amounts(found, "thinking")[name] == pytest.approx(sum(mine))


def test_what_was_taken_back_is_not_counted() -> None:
    """Of moves that were taken back, only the time is counted."""
    rolls = [r.sequence for r in seen().records if isinstance(r.event, se.DiceShown)]
    first, end = rolls[0], rolls[3] + 1
    before = numbers(Seen(seen().records[: first + 1], seen().tables[: first + 2]))
    back = attrs.evolve(seen().records[end], event=events.TakenBack(first))
    went = Seen((*seen().records[:end], back), seen().tables[: end + 2])

    after = numbers(went)

    assert after.charts["dice"] == before.charts["dice"]
    assert sum(amounts(after, "answers").values()) > sum(amounts(before, "answers").values())


def test_games_together_are_the_sum_of_each() -> None:
    both = numbers(seen(), seen())

    assert both.games == 2
    assert amounts(both, "actions") == {
        action: 2 * count for action, count in amounts(numbers(), "actions").items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chart_and_row_has_words(language: str) -> None:
    text = "\n".join(in_lines(numbers(), spoken(language), Charset.ASCII))

    assert "<" not in text
    assert "#####" in text
    assert text.isprintable() or "\n" in text
    assert {chart.name for chart in COUNTING.charts} <= set(numbers().charts)


def test_pictures_are_well_formed_whatever_somebody_is_called() -> None:
    words, one = spoken(), _one()
    for word in hostile_words(200):
        found = Statistics("second_edition", charts={"thinking": {("seat", word): one}})
        root = ET.fromstring(f"<body>{in_svg(found, words)}</body>")  # noqa: S314 (ours)
        tags = [element.tag for element in root.iter()]
        assert tags == ["body", "figure", "figcaption", "svg", "text", "rect", "text"]


def _one() -> Amount:
    amount = next(iter(numbers().charts["thinking"].values()))
    return attrs.evolve(amount, amount=1.0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with both archives, isolated from personal settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    for name, data in zip(("whole.manse", "mine.manse"), files(), strict=True):
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_two_files_of_one_game_are_counted_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stats.main(["--json", str(folder / "mine.manse"), str(folder / "whole.manse")]) == 0

    (found,) = json.loads(capsys.readouterr().out)["statistics"]
    assert found["games"] == 1
    assert found["events"] == len(seen().records)
    assert {row["row"] for row in found["charts"]["dice"]} == {"success", "investigation", "blank"}


def test_a_table_with_bars_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stats.main(["--language", "fr", str(folder / "whole.manse")]) == 0

    printed = capsys.readouterr().out
    assert "1 partie," in printed
    assert "Les dés" in printed


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda: b"", "not an exported game"),
        (lambda: files()[0][:5000], "event "),
        (lambda: files()[0][:-1], "ends"),
        (lambda: b"GIF89a" * 200, "not an exported game"),
    ],
    ids=["empty", "cut short", "without its end", "another kind"],
)
def test_a_file_that_is_none_is_named_with_the_place(
    read: Callable[[], bytes], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is counted, not even the valid files."""
    bad = folder / "bad.manse"
    bad.write_bytes(read())

    assert stats.main([str(folder / "whole.manse"), str(bad)]) == 1

    told = capsys.readouterr()
    assert told.out == ""
    assert "bad.manse" in told.err
    assert said in told.err
