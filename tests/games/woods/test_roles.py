"""Roles: a keeper without characters and with secrets; animals that are replaced."""

import pytest

from protocol.common.table import Stage
from tests.games.woods.protocol.events import SnareLaid, TasteLearnt
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.games.woods.table import a_game, a_party, told
from tests.kit.servers.tables import assert_same, room_of

pytestmark = pytest.mark.issue(11)


def test_a_keeper_is_ready_without_a_character() -> None:
    party = a_party()

    party.get_ready(party.kim)

    assert party.ready(party.kim)


def test_an_animal_is_not_ready_without_a_character() -> None:
    party = a_party()
    (ann, _) = party.others

    party.get_ready(ann)

    assert not party.ready(ann)
    assert party.refusal(ann) == "table/choose_first"


def test_there_is_one_keeper() -> None:
    """The second one is refused and stays an animal."""
    party = a_party()
    (ann, _) = party.others

    ann.port.claim_role(KEEPER)
    party.house.settle()

    assert party.refusal(ann) == "table/role_taken"
    assert room_of(party.house, ann).seats[1].role == ""


def test_a_keeper_claims_no_character() -> None:
    party = a_party()

    party.kim.port.claim(("animal/badger",))
    party.house.settle()

    assert party.refusal(party.kim) == "table/no_such_piece"


def test_nobody_starts_without_a_keeper() -> None:
    party = a_party()
    party.kim.port.claim_role(ANIMAL)
    party.house.settle()
    for client, animal in zip(
        (party.kim, *party.others), ("animal/deer", "animal/badger", "animal/crane"), strict=True
    ):
        party.get_ready(client, animal)

    party.start()

    assert party.refusal(party.kim) == "table/roles_unfilled"
    assert room_of(party.house, party.kim).stage is Stage.LOBBY


def test_who_is_alone_with_the_keeper_plays_two_animals() -> None:
    party = a_party(["Ann"])
    (ann,) = party.others
    party.get_ready(party.kim)
    party.get_ready(ann, "animal/badger")
    party.start()
    assert party.refusal(party.kim) == "table/choose_first"

    party.get_ready(ann, "animal/badger", "animal/crane")
    party.start()

    assert room_of(party.house, ann).stage is Stage.PLAYING
    assert [animal.seat for animal in party.game.animals.values()] == [1, 1]


def test_each_seat_has_its_role_in_the_game() -> None:
    party = a_game()

    roles = [seat.role for seat in room_of(party.house, party.kim).seats.values()]

    assert roles == [KEEPER, ANIMAL, ANIMAL]


def test_the_keeper_alone_knows_where_the_snare_lies() -> None:
    party = a_game()

    party.answer(party.kim, "glade")

    (laid,) = told(party.kim, SnareLaid)
    assert laid.clearing.value == "clearing/glade"
    for other in party.others:
        (sealed,) = told(other, SnareLaid)
        assert not sealed.clearing.is_open
    assert_same(party.house, [party.kim, *party.others])


def test_the_keeper_does_not_know_what_an_animal_likes() -> None:
    party = a_game()

    known = [
        [event.taste.is_open for event in told(client, TasteLearnt)]
        for client in (party.kim, *party.others)
    ]

    assert known == [[False, False], [True, False], [False, True]]


def test_an_animal_that_falls_is_replaced_and_its_seat_knows_the_new_one() -> None:
    """Nobody had claimed the new animal, and the seat learns its secrets."""
    party = a_game()
    ann, ben = party.others
    party.answer(party.kim, "glade")
    party.answer(ann, "glade")
    party.answer(ben, "brook")

    assert [animal.name for animal in party.game.living(1)] == ["animal/deer"]
    learnt = [told(client, TasteLearnt)[-1] for client in (ann, ben, party.kim)]
    assert [event.taste.is_open for event in learnt] == [True, False, False]
    assert_same(party.house, [party.kim, ann, ben])


def test_a_replaced_animal_is_there_after_a_restart() -> None:
    party = a_game()
    ann, ben = party.others
    party.answer(party.kim, "glade")
    party.answer(ann, "glade")
    party.answer(ben, "brook")
    room_id = room_of(party.house, party.kim).room_id
    before = party.game

    party.house.restart()
    for client in (party.kim, ann, ben):
        client.connect()
        client.port.enter(room_id)
        party.house.settle()

    assert party.game == before
    party.answer(party.kim, "thicket")
    assert ann.model.view is not None
    question = ann.model.view.my_question()
    assert question is not None
    assert question.prompt.params == ("animal/deer",)


def test_the_keeper_wins_where_no_animal_is_left() -> None:
    party = a_game()
    ann, ben = party.others
    for _ in range(9):
        if room_of(party.house, party.kim).stage is Stage.OVER:
            break
        party.answer(party.kim, "glade")
        for client in (ann, ben):
            view = client.model.view
            if view is not None and view.my_question() is not None:
                party.answer(client, "glade")

    assert party.game.winner == KEEPER
    assert len(party.game.animals) == 5
