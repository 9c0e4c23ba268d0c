"""The keeper moves the snare while an animal decides, through the lobby, in virtual time."""

import pytest

from protocol.common.table import Settings, Stage
from tests.games.twins.compare import unlike
from tests.games.twins.notes import Note, noting
from tests.games.woods.content.schema import Content
from tests.games.woods.protocol.events import SnareMoved, Walked
from tests.games.woods.table import Party, a_game, told
from tests.kit.servers.house import Client
from tests.kit.servers.tables import assert_same, room_of

pytestmark = pytest.mark.issue(39)

LEAST = Settings().least_seconds


def with_a_trick(tricks: int = 1) -> Party:
    """Return a game at its first question to an animal, with the snare in the glade."""
    party = a_game(content=Content(tricks=tricks))
    party.answer(party.kim, "glade")
    return party


def is_asked(client: Client) -> bool:
    return client.model.view is not None and client.model.view.my_question() is not None


def walked(party: Party) -> list[tuple[str, str]]:
    """Return who has walked where, in the order of the walks."""
    return [walk for event in told(party.kim, Walked) for walk in event.walks]


def test_keeper_and_animal_are_asked_at_once_and_each_sees_its_own_question() -> None:
    party = with_a_trick()
    ann, ben = party.others
    questions = [
        view.my_question() for one in (party.kim, ann) if (view := one.model.view) is not None
    ]

    prompts = [question.prompt.subject for question in questions if question is not None]
    assert prompts == ["woods/where_to_move", "woods/where_to_walk"]
    assert not is_asked(ben)


def test_a_keeper_who_does_nothing_costs_an_animal_that_thinks_no_second() -> None:
    """The answer of one who thinks longer than the least time settles the question at once."""
    party = with_a_trick()
    waited = list[float]()
    for client in party.others:
        party.house.settle(LEAST + 1)
        began = party.house.clock.seconds()
        party.answer(client, "brook")
        while not walked(party)[len(waited) :]:
            party.house.settle(0.1)
        waited.append(party.house.clock.seconds() - began)

    assert max(waited) < 0.5
    assert party.game.round_number == 1


def test_an_animal_that_answers_at_once_leaves_the_keeper_the_least_time() -> None:
    party = with_a_trick()
    ann, _ = party.others

    party.answer(ann, "brook")
    party.house.settle(LEAST - 1)
    early = walked(party)
    party.house.settle(2)

    assert early == []
    assert walked(party) == [("animal/badger", "clearing/brook")]


def test_a_keeper_who_moves_the_snare_is_quicker_than_what_is_held() -> None:
    """The animal is asked anew, and walks into the snare that only the keeper knows."""
    party = with_a_trick()
    ann, ben = party.others
    party.answer(ann, "brook")

    party.answer(party.kim, "brook")

    assert walked(party) == []
    assert is_asked(ann)
    assert not is_asked(party.kim)
    assert [
        event.clearing.is_open for one in (party.kim, ann) for event in told(one, SnareMoved)
    ] == [
        True,
        False,
    ]
    party.answer(ann, "brook")
    party.answer(ben, "thicket")
    assert party.game.animals["animal/badger"].has_fallen
    assert_same(party.house, [party.kim, ann, ben])


def test_where_nobody_walks_the_others_learn_nothing_of_where_the_snare_is_moved() -> None:
    """Its new place is secret, even if it is the old one."""

    def evening(to: str) -> list[list[Note]]:
        party = with_a_trick()
        notes = [noting(party.house, client) for client in party.others]
        party.answer(party.kim, to)
        for client in party.others:
            party.answer(client, "brook")
        return notes

    first, second = evening("glade"), evening("thicket")

    assert all(len(notes) > 1 for notes in first)
    assert [unlike(*pair) for pair in zip(first, second, strict=True)] == [None, None]
    assert any(unlike(*pair) for pair in zip(first, evening("brook"), strict=True))


def test_without_a_trick_all_animals_are_asked_at_once_again() -> None:
    party = with_a_trick()
    ann, ben = party.others
    party.answer(party.kim, "glade")
    for client in (ann, ben):
        party.answer(client, "brook")

    party.answer(party.kim, "glade")

    assert is_asked(ann)
    assert is_asked(ben)
    assert not is_asked(party.kim)


def test_a_game_of_bots_with_tricks_comes_to_its_end() -> None:
    """The brain of the keeper lets most animals be."""
    party = with_a_trick()
    for seed, client in enumerate((party.kim, *party.others)):
        party.house.bot(client, seed)

    for _ in range(400):
        if room_of(party.house, party.kim).stage is Stage.OVER:
            break
        party.house.settle(1)

    assert party.game.winner
    assert len(told(party.kim, SnareMoved)) <= 1
