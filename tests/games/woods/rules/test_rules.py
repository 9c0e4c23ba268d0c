"""The rules of the woods, by their ids."""

import pytest

from protocol.common.table import LaidReady, Settings
from tests.games.woods.content.schema import Content
from tests.games.woods.protocol.events import SnareLaid, SnareMoved, SnareShown, Walked
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.games.woods.table import Party, a_game, told
from tests.kit.servers.tables import room_of

rule = pytest.mark.rule


def one_round(party: Party, snare: str, *walks: str) -> None:
    """Lay the snare, then have each animal walk."""
    party.answer(party.kim, snare)
    for client, clearing in zip(party.others, walks, strict=True):
        party.answer(client, clearing)


@rule("WOODS-1")
def test_the_keeper_alone_knows_where_the_snare_lies() -> None:
    party = a_game()
    assert party.kim.model.view is not None
    question = party.kim.model.view.my_question()
    assert question is not None
    assert len(question.choices) == 3
    party.answer(party.kim, "glade")

    (known,) = told(party.kim, SnareLaid)
    (sealed,) = told(party.others[0], SnareLaid)

    assert known.clearing.is_open
    assert known.clearing.value == "clearing/glade"
    assert not sealed.clearing.is_open


@rule("WOODS-2", "WOODS-4")
def test_animals_walk_at_once_and_find_a_berry_where_no_snare_is() -> None:
    party = a_game()

    one_round(party, "thicket", "brook", "glade")

    (walked,) = told(party.kim, Walked)
    assert dict(walked.walks) == {
        "animal/badger": "clearing/brook",
        "animal/crane": "clearing/glade",
    }
    assert [animal.berries for animal in party.game.living()] == [2, 2]
    assert told(party.kim, SnareShown) == []


@rule("WOODS-3", "WOODS-5")
def test_an_animal_in_the_snare_falls_and_the_next_one_comes() -> None:
    party = a_game()

    one_round(party, "brook", "brook", "glade")

    assert [(animal.name, animal.seat) for animal in party.game.living()] == [
        ("animal/crane", 2),
        ("animal/deer", 1),
    ]
    assert party.game.animals["animal/badger"].berries == 1
    assert party.game.snare is None
    assert len(told(party.others[1], SnareShown)) == 1


@rule("WOODS-6")
def test_the_keeper_wins_when_no_animal_is_left() -> None:
    """Two fall in each round until no animals are left."""
    party = a_game()

    one_round(party, "brook", "brook", "brook")
    one_round(party, "brook", "brook", "brook")
    assert party.game.winner == ""
    party.answer(party.kim, "brook")
    (last,) = party.game.living()
    party.answer(party.others[last.seat - 1], "brook")

    assert party.game.winner == KEEPER


@rule("WOODS-6")
def test_animals_win_when_one_is_left_after_the_last_round() -> None:
    party = a_game()

    for _ in range(8):
        one_round(party, "thicket", "brook", "glade")
    assert party.game.winner == ""
    one_round(party, "thicket", "brook", "glade")

    assert party.game.winner == ANIMAL


@rule("WOODS-7")
def test_animals_set_off_one_after_another_while_the_keeper_has_a_trick() -> None:
    party = a_game(content=Content(tricks=1))
    party.answer(party.kim, "thicket")

    for client, clearing in zip(party.others, ("brook", "glade"), strict=True):
        party.house.settle(5)
        party.answer(client, clearing)

    assert [event.walks for event in told(party.others[0], Walked)] == [
        (("animal/badger", "clearing/brook"),),
        (("animal/crane", "clearing/glade"),),
    ]
    assert party.game.round_number == 1


@rule("WOODS-8")
def test_the_keeper_moves_the_snare_unseen_once() -> None:
    party = a_game(content=Content(tricks=1))
    ann, ben = party.others
    party.answer(party.kim, "thicket")
    party.house.settle(5)
    party.answer(ann, "brook")

    party.answer(party.kim, "brook")

    (known,) = told(party.kim, SnareMoved)
    (sealed,) = told(ben, SnareMoved)
    assert known.clearing.value == "clearing/brook"
    assert not sealed.clearing.is_open
    assert party.game.tricks == 1
    party.answer(ben, "glade")
    assert party.game.animals["animal/badger"].has_fallen
    assert not party.game.animals["animal/crane"].has_fallen


@rule("WOODS-9")
@pytest.mark.parametrize(
    ("laid_ready", "limit", "rule_asked"),
    [
        (LaidReady.ALWAYS, 0, "WOODS-2"),
        (LaidReady.BY_CALENDAR, 86400, "WOODS-2"),
        (LaidReady.BY_CALENDAR, 0, "WOODS-8"),
        (LaidReady.NEVER, 86400, "WOODS-8"),
    ],
)
def test_the_keeper_has_no_trick_where_interruptions_are_laid_ready(
    laid_ready: LaidReady, limit: int, rule_asked: str
) -> None:
    settings = Settings(time_limit_seconds=limit, by_calendar=limit > 0, laid_ready=laid_ready)
    party = a_game(settings, Content(tricks=1))
    party.answer(party.kim, "thicket")

    ask = room_of(party.house, party.kim).ask
    assert ask is not None
    assert ask.rule == rule_asked
