"""After a game: the keeper's hands, missed strikes, the answers that fitted, and the numbers."""

import functools
import os
import re
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from client.exports.figures import in_lines
from client.exports.statistics import counted
from client.journal.journal import Journal
from client.journal.replay_model import ReplayModel, replayed
from client.journal.timeline import timeline
from client.locale import LANGUAGES
from client.locale import load as locale_of
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.hindsight import LookedBack
from client.model.model import ClientModel
from client.model.viewpoints import EVERYTHING, seen_from
from client.screens.base.screen import Desk
from client.screens.review.replay import ReplayScreen
from client.screens.ui import Ui
from client.settings.preferences import Charset
from client.text.printable import width_of
from content.games.first_edition.answers import sets_of
from content.games.first_edition.schema.effects import Say, When
from content.games.first_edition.schema.requirements import AllOf, Answered, HasThreat, Revealed
from content.games.first_edition.schema.story import (
    LockRow,
    PlacementRow,
    QuestionOption,
    StoryClue,
    StoryEvent,
    StoryQuestion,
    fits,
)
from protocol import codec
from protocol.archive import Archive, load
from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.disclosure import Disclosure
from protocol.common.hindsight import Hindsight
from protocol.common.table import Settings, Table, fold
from protocol.common.text import Text, render
from protocol.event import Event, Record, hidden
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import MYTHOS_HAND, TRAUMA_HAND, FirstEditionTable
from protocol.games.first_edition.words import TraumaKind
from server.games.first_edition import hindsight
from server.kernel.hindsight import NotOver, Step, look_back
from server.packs import remembering
from server.packs.rememberer import Remembered
from server.packs.shelf import PackShelf
from tests.games.every import an_evening
from tests.games.first_edition.house import SCENARIO, manor
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    HALL,
    STUDY,
    insanity,
    mythos_card,
    objective,
    world,
)
from tests.games.second_edition.client.stage import RecordingPort
from tests.kit import warm

pytestmark = pytest.mark.issue(40)

CHILL = mythos_card("chill")
GREED = mythos_card("greed", requires=HasThreat(9))
NERVES = insanity("nerves")


@functools.cache
def archive() -> Archive:
    """Return the whole file of a game whose players answer at random."""
    made = an_evening("first_edition")
    return load(made.export(made.ann))


def shelf() -> PackShelf:
    found = PackShelf()
    found.add(manor())
    return found


@functools.cache
def known() -> tuple[Hindsight, ...]:
    """Return the hindsight on that game."""
    return look_back(archive(), shelf())


def of_kind(kind: str) -> list[Hindsight]:
    return [one for one in known() if one.kind == kind]


def tables() -> Iterator[tuple[Record, Table]]:
    """Yield each record with the table after it."""
    table = Table()
    for record in archive().records:
        table = fold(table, record)
        yield record, table


def names_in(text: Text | str | int) -> list[str]:
    """Return the cards that a text of hands names."""
    if isinstance(text, Text):
        return [name for param in text.params for name in names_in(param)]
    return [text] if isinstance(text, str) else []


def test_what_was_sealed_in_setup_is_told_with_its_places() -> None:
    told = [one.text for one in of_kind(hindsight.SEALED)]
    story = manor().scenarios[SCENARIO]
    record = next(r for r in archive().records if isinstance(r.event, fe.AnswersGiven))
    assert isinstance(record.event, fe.AnswersGiven)
    answers = record.event.answers.value

    given = [text.params for text in told if text.subject == "hindsight/answer"]
    assert given == [
        (Text(story.subject_of(question)), Text(story.subject_of(option)))
        for question, option in answers.items()
    ]
    for room in story.rooms:
        cards = [one for one in story.cards_under(room.id, answers) if one != "nothing"]
        piles = [t.params[1] for t in told if t.params[0] == room.id and t.subject.endswith("pile")]
        assert [name for pile in piles for name in names_in(pile)] == cards
    locks = [text.params for text in told if text.subject == "hindsight/lock"]
    assert locks == [(row.room, row.lock) for row in story.locks if fits(row.when, answers)]
    (coming,) = [text for text in told if text.subject == "hindsight/events"]
    assert names_in(coming) == [event.id for event in story.events]


@pytest.mark.rule("K-DECIDE-107")
@pytest.mark.parametrize(
    ("moment", "follows", "lapses"),
    [
        ("turn", fe.StepSpent(ADA), True),
        ("room/study", fe.StepSpent(ADA), False),
        ("turn", fe.ThreatChanged(-1), False),
    ],
)
def test_a_card_laid_ready_in_vain_is_named(moment: str, follows: Event, lapses: bool) -> None:
    bench = world(mythos=[CHILL])
    bench.emit(fe.LaidReady("keeper", hidden(((ADA, CHILL.id, moment),))))
    bench.table = bench.with_game(bench.game_table.with_moment(ADA, "turn"))
    night = Night(bench)
    night.note(fe.MomentsPassed(ADA))
    night.note(follows)

    found = [(one.sequence, one.text.params) for one in hindsight.lapsed_plans(night.steps)]
    assert found == ([(0, (CHILL.id, ADA))] if lapses else [])


def test_the_hands_are_told_whenever_they_change() -> None:
    told = {one.sequence: one for one in of_kind(hindsight.HAND)}
    now: list[str] = []

    for record, table in tables():
        game = table.game
        if record.sequence in told:
            now = names_in(told[record.sequence].text)
        if isinstance(game, FirstEditionTable):
            handles = (*game.hand(MYTHOS_HAND), *game.hand(TRAUMA_HAND))
            assert sorted(now) == sorted(map(game.card_of, handles))
    assert len(told) > 4


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 129, 800])
def test_a_hand_of_any_size_is_told_to_its_last_card(count: int) -> None:
    """Texts nest eight levels deep, and what is nested deeper has no words."""
    cards = [f"no{number}" for number in range(count)]
    bench = world(mythos=[mythos_card(name) for name in cards])
    night = Night(bench)
    night.note(fe.RoundBegan(1))
    (told,) = hindsight.hands(night.steps)
    catalog = shelf().catalogs(manor().digest)["en"]

    packed = codec.encode(Remembered("found", (told,)), Remembered)
    (again,) = codec.decode(packed, Remembered).found

    hand = ", ".join(sorted(f"mythos/{name}" for name in cards))
    assert render(again.text, catalog.get) == f"The keeper holds: {hand}. Trauma: nothing."


def test_the_number_of_fitting_answers_only_falls_and_ends_with_the_true_ones() -> None:
    numbers = [one.text.params for one in of_kind(hindsight.ANSWERS)]
    story = manor().scenarios[SCENARIO]

    assert numbers[0] == (len(sets_of(story)), len(sets_of(story)), len(story.objectives))
    assert numbers == sorted(numbers, reverse=True)
    # The objective is revealed at the end.
    assert numbers[-1][2] == 1


def test_a_running_game_and_a_seats_file_are_refused() -> None:
    made, whole = an_evening("first_edition"), archive()

    for file in (
        load(made.export(made.wat)),
        attrs.evolve(whole, records=whole.records[:-1], cuts=whole.cuts[:-1]),
    ):
        with pytest.raises(NotOver):
            look_back(file, shelf())


def test_no_word_of_it_is_on_the_log_or_sent_to_anybody() -> None:
    made = an_evening("first_edition")

    for client in (*made.clients, made.wat):
        assert not [name for name in client.model.words.subjects() if "hindsight" in name]
    assert b"hindsight" not in b"".join(cut.public for cut in archive().cuts)


# Strikes that were possible ----------------------------------------------------------------------


class Night:
    """The moments of a night on the bench, as records of a log."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.steps: list[Step] = []

    def note(self, event: Event) -> None:
        """Write a record without a fold: the bench has the table."""
        record = Record(len(self.steps), 0, -1, event)
        self.steps.append(Step(self.bench.table, record, self.bench.table))

    def ask(self, rule: str = "K-DECIDE-16") -> None:
        self.note(events.Asked(1, rule, Text("about/turn"), Settle.BESIDE, (), {}))

    def fitting(self) -> list[tuple[object, ...]]:
        """Return how many sets of answers fit, of how many, with how many objectives."""
        bench = self.bench
        found = hindsight.fitting_answers(bench.game.content, bench.players, self.steps)
        return [one.text.params for one in found]

    def missed(self) -> list[tuple[int, tuple[object, ...]]]:
        """Return the events at which cards could have been played, each with card and person."""
        bench = self.bench
        found = hindsight.missed_strikes(bench.game.content, bench.players, self.steps)
        return sorted((one.sequence, one.text.params) for one in found)


@pytest.mark.rule("K-DECIDE-14", "K-MYTHOS-2")
def test_a_card_that_could_be_played_for_a_whole_turn_is_told_once() -> None:
    night = Night(world(mythos=[CHILL]))
    night.ask()
    night.ask("K-TURN-2")
    night.note(fe.TurnEnded(1))
    night.ask("K-TURN-2")

    # The last turn does not end on this log, so nothing is said of it.
    assert night.missed() == [(0, (CHILL.id, ADA))]


@pytest.mark.rule("K-DECIDE-69")
def test_a_card_whose_condition_does_not_hold_was_no_strike() -> None:
    night = Night(world(mythos=[GREED]))
    night.ask()
    night.note(fe.TurnEnded(1))

    assert night.missed() == []


@pytest.mark.rule("K-MYTHOS-3")
def test_where_a_mythos_card_was_played_no_other_was_missed() -> None:
    night = Night(world(mythos=[CHILL, mythos_card("draught")]))
    night.ask()
    handle = night.bench.hand(MYTHOS_HAND)[CHILL.id]
    night.note(fe.MythosPlayed(ADA, handle, CHILL.id))
    night.note(fe.TurnEnded(1))

    assert night.missed() == []


@pytest.mark.rule("K-DECIDE-107")
def test_at_a_table_by_calendar_a_card_could_have_been_laid_ready() -> None:
    """The keeper is not asked beside the step there, but a card laid ready could have struck."""
    bench = world(mythos=[CHILL])
    bench.table = bench.table.with_room(settings=Settings(by_calendar=True))
    night = Night(bench)
    night.ask("K-TURN-2")
    night.note(fe.TurnEnded(1))

    assert night.missed() == [(0, (CHILL.id, ADA))]


@pytest.mark.rule("K-TRAUMA-3", "K-DECIDE-17")
@pytest.mark.parametrize("is_played", [False, True])
def test_a_trauma_card_is_missed_unless_it_is_played(is_played: bool) -> None:
    bench = world((ADA, BEN), trauma=[NERVES])
    night = Night(bench)
    bench.emit(fe.TraumaTriggered(BEN, TraumaKind.INSANITY))
    night.ask("K-TRAUMA-3")
    if is_played:
        handle = bench.hand(TRAUMA_HAND)[NERVES.id]
        played = fe.TraumaPlayed(
            BEN, handle, NERVES.id, TraumaKind.INSANITY, is_instant=False, is_action=False
        )
        night.note(played)
    night.note(fe.TurnEnded(1))

    assert night.missed() == ([] if is_played else [(0, (NERVES.id, BEN))])


# The answers that still fitted -------------------------------------------------------------------


SAYS_WAKE = When(Answered("goal", "wake"), (Say("tests/awake"),), (Say("tests/wet"),))
SAYS_NOTHING_YET = When(
    AllOf((Revealed(is_so=True), Answered("goal", "wake"))), (Say("tests/awake"),)
)
TWO_GOALS: dict[str, Any] = {
    "questions": (
        StoryQuestion("goal", (QuestionOption("wake"), QuestionOption("flood"))),
        StoryQuestion("where", (QuestionOption("hall"), QuestionOption("study"))),
    ),
    "objectives": (objective("wake", keeper=HasThreat(5)), objective("flood")),
    "placement": (
        PlacementRow(HALL, ("item/rope", "nothing"), {"where": "hall"}),
        PlacementRow(HALL, ("nothing", "item/rope"), {"where": "study"}),
    ),
    "locks": (
        LockRow(STUDY, "lock/one", {"where": "hall"}),
        LockRow(STUDY, "lock/two", {"where": "study"}),
    ),
    "clues": (StoryClue("clue/last", 1, (SAYS_WAKE,)),),
    "events": (StoryEvent("event/one", 3, (SAYS_NOTHING_YET,)), StoryEvent("event/two", 4)),
}
"""A story with four sets of answers."""
AT = Disclosure(0, 0, bytes(32), b"")


@pytest.mark.rule("K-DECIDE-101")
@pytest.mark.parametrize(
    ("facts", "left"),
    [
        ((), 4),
        ((fe.CardTurnedUp(ADA, HALL, 1, AT, "item/rope"),), 2),
        ((fe.CardTurnedUp(ADA, HALL, 2, AT, "item/rope"),), 2),
        ((fe.LockShown(STUDY, AT, "lock/two"),), 2),
        ((fe.ClueFound(ADA, "clue/last"),), 2),
        ((fe.ClueFound(ADA, "clue/last"), fe.LockShown(STUDY, AT, "lock/one")), 1),
        ((fe.ObjectiveRevealed(AT, "objective/wake"),), 2),
        # What asks for more than the answers, and does not hold, tells nothing.
        ((fe.EventResolved(AT, "event/one"),), 4),
        ((fe.EventResolved(AT, "event/two"),), 4),
    ],
)
def test_only_what_was_seen_rules_answers_out(facts: tuple[Event, ...], left: int) -> None:
    night = Night(world(story=TWO_GOALS))
    night.note(fe.RoundBegan(1))
    for fact in facts:
        night.note(fact)

    assert night.fitting()[0] == (4, 4, 2)
    assert night.fitting()[-1][0] == left


@pytest.mark.rule("K-DECIDE-93")
@pytest.mark.parametrize(("threat", "left"), [(4, (4, 4, 2)), (5, (2, 4, 1))])
def test_a_side_that_has_not_won_does_not_have_that_objective(
    threat: int, left: tuple[int, ...]
) -> None:
    night = Night(world(story=TWO_GOALS, goal="flood", threat=threat))
    night.note(fe.RoundBegan(1))
    night.note(events.CheckpointReached())

    assert night.fitting()[-1] == left


@pytest.mark.long
def test_it_is_looked_back_on_in_a_child_process() -> None:
    made = an_evening("first_edition")
    data = made.export(made.ann)

    looked = remembering.look_back(data, "first_edition", ())

    assert looked.found == known()
    words = {chunk.language: dict(chunk.subjects) for chunk in looked.words}
    # The grammar of a language is with the words that belong to no game.
    assert [*words] == ["en", "fr"]
    assert all("language" in subjects for subjects in words.values())
    assert remembering.look_back(data, "second_edition", ()) == LookedBack()
    assert remembering.look_back(b"", "first_edition", ()).problem == "too_much"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_child_that_cannot_be_started_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(remembering, "command_of", lambda *_: ["/no/such/program"])

    looked = remembering.look_back(b"", "first_edition", ())

    assert "process" in locale_of(language).say(f"hindsight.{looked.problem}")


QUITS = """
import asyncio, sys
from client.terminal.runner import run
from server.commands import looking_back
from server.packs import remembering

remembering.REMEMBERER = "import time; time.sleep(600)"

async def main(_):
    looking_back.look_back_later(b"", "first_edition", print)
    await asyncio.sleep(float(sys.argv[1]))
    return 0

sys.exit(run(main))
"""


@pytest.mark.parametrize("seconds", ["0", "0.3"])
def test_quitting_the_client_ends_the_child_and_says_nothing(seconds: str) -> None:
    client = warm.piped(warm.COMMANDS, QUITS, seconds, env=os.environ)

    printed, complaints = client.communicate(timeout=20)

    assert (client.poll(), printed, complaints) == (0, "", "")


CANCELS = """
import asyncio, subprocess, sys
from client.terminal.runner import run
from server.commands import looking_back
from server.packs import remembering

remembering.REMEMBERER = "import time; time.sleep(600)"
children = []

class Child(subprocess.Popen):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        children.append(self)

remembering.subprocess.Popen = Child

async def main(_):
    cancel = looking_back.look_back_later(b"", "first_edition", print)
    while not children:
        await asyncio.sleep(0.01)
    cancel()
    cancel()
    while children[0].poll() is None:
        await asyncio.sleep(0.01)
    return 0

sys.exit(run(main))
"""


def test_a_replay_that_is_left_ends_the_child_and_says_nothing() -> None:
    client = warm.piped(warm.COMMANDS, CANCELS, env=os.environ)

    printed, complaints = client.communicate(timeout=20)

    assert (client.poll(), printed, complaints) == (0, "", "")


FAILS = """
import asyncio, sys
from client.terminal.runner import run
from server.commands import looking_back
from server.packs import remembering

def look_back(*_):
    raise OSError("no more files")

remembering.look_back = look_back

async def main(_):
    told = asyncio.get_running_loop().create_future()
    looking_back.look_back_later(b"", "first_edition", told.set_result)
    print((await told).problem)
    return 0

sys.exit(run(main))
"""


def test_looking_back_that_fails_is_said_to_the_player() -> None:
    client = warm.piped(warm.COMMANDS, FAILS, env=os.environ)

    printed, complaints = client.communicate(timeout=20)

    assert (client.poll(), printed.strip(), complaints) == (0, "no_process", "")


# On the screen -----------------------------------------------------------------------------------


def replay(language: str) -> tuple[ReplayModel, WordStore]:
    """Return a replay with hindsight, and its words."""
    catalog = shelf().catalogs(manor().digest)[language]
    words = WordStore({name: dict(fields) for name, fields in catalog.items()}, language)
    game = replayed(archive())
    game.hindsight = known()
    return game, words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120), (60, 200)])
def test_each_round_of_the_timeline_is_drawn_in_words(
    rows: int, columns: int, language: str
) -> None:
    game, words = replay(language)
    model = ClientModel("", b"", locale_of(language), words=words)
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    ui = Ui(desk, ReplayScreen(desk, game))

    for place in game.rounds:
        game.position = place
        ui.press("T")
        drawn = ui.draw(rows, columns).plain()
        assert locale_of(language).say("box.timeline") in drawn
        assert all(width_of(line) <= columns for line in drawn.split("\n"))
        assert not re.search(r"<[a-z]+/|hindsight|\{[0-9]", drawn)
        ui.press("escape")


def test_threat_and_monsters_are_deeds_of_the_keeper_and_tests_of_the_investigators() -> None:
    game, words = replay("en")
    lines = game.journal(Speaker(locale_of("en").for_game("first_edition"), words))
    sides: dict[type[Event], set[str]] = {}

    for number in range(game.round_at(len(game.records)) + 1):
        for row in timeline(game, lines, number):
            if row.side:
                kind = type(game.records[row.line.sequence].event)
                sides.setdefault(kind, set()).add(row.side)

    assert sides[fe.ThreatChanged] == sides[fe.KeeperActed] == {"keeper"}
    assert sides[fe.Moved] == sides[fe.TestRolled] == {"investigator"}


def test_what_the_rules_lay_out_before_the_first_turn_is_no_deed_of_whoever_answered_last() -> None:
    game, words = replay("en")
    lines = game.journal(Speaker(locale_of("en").for_game("first_edition"), words))

    (said,) = [row for row in timeline(game, lines, 0) if "The keeper begins with" in row.line.text]

    assert not said.side


# Statistics --------------------------------------------------------------------------------------


def test_results_tests_and_cards_are_counted_as_they_are_on_the_log() -> None:
    (found,) = counted([seen_from(archive(), EVERYTHING)])
    happened = [record.event for record in archive().records]

    def amounts(chart: str) -> dict[tuple[str, str], float]:
        return {row: one.amount for row, one in found.charts[chart].items()}

    (ended,) = [event for event in happened if isinstance(event, fe.GameEnded)]
    (goal,) = [event for event in happened if isinstance(event, fe.ObjectiveRevealed)]
    (side,) = [one.value for one in ended.ending.winners]
    assert amounts("stories") == {("side", f"{side} scenario {SCENARIO}"): 1}
    assert amounts("objectives") == {("side", f"{side} card {goal.objective}"): 1}
    assert amounts("investigators") == {("side", f"{side} number 2"): 1}
    tests = [event.is_passed for event in happened if isinstance(event, fe.TestEnded)]
    assert amounts("tests") == {
        ("word", "stats.passed"): sum(tests),
        ("word", "stats.failed"): len(tests) - sum(tests),
    }
    struck = [e for e in happened if isinstance(e, fe.MythosPlayed | fe.MythosLaidDown)]
    assert sum(amounts("mythos").values()) == len(struck) > 0
    harm = [event for event in happened if isinstance(event, fe.HarmTaken)]
    assert sum(amounts("horror_taken").values()) == sum(max(0, one.horror) for one in harm)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_won_is_said_by_story_objective_and_number(language: str) -> None:
    (found,) = counted([seen_from(archive(), EVERYTHING)])
    _, words = replay(language)
    speaker = Speaker(locale_of(language).for_game("first_edition"), words)

    lines = "\n".join(in_lines(found, speaker, Charset.ASCII)).replace("\u00a0", " ")
    charts: Any = found.as_json()["charts"]

    story = {"en": "A Night in Six Rooms: ", "fr": "Une nuit en six pièces : "}[language]
    assert story in lines
    assert "stats." not in lines
    (row,) = charts["stories"]
    assert (row["kind"], row["row"], row["amount"]) == ("scenario", SCENARIO, 1)
    assert row["side"] in {"keeper", "investigator"}
