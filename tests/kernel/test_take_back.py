"""Going back: what stays, what is shuffled again, and who has to agree."""

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.checkpoints import CHECKPOINTS_KEPT
from protocol.common.table import SIGNED_VERSION, Proposal, Settings, Table
from protocol.event import Record, hidden
from tests.kit.tables.playing import (
    ROOM_ID,
    Recording,
    SeededEntropy,
    a_game,
    at_card,
    begin,
    facts,
    refused,
)
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy_table import Content, ToyTable, a_deck


def played_on() -> tuple[Recording, int, Table]:
    """Return a game after some turns, the sequence of an earlier checkpoint, and its table."""
    recording = begin(2, Content(deck=a_deck("storm")))
    recording.answer(0, "pass")
    checkpoint, then = max(recording.table.checkpoints), recording.table
    recording.answer(1, "peek")
    recording.answer(1, recording.game.hand("fox")[1])
    recording.answer(0, "toy/burn")
    recording.answer(1, "toy/keep")
    return recording, checkpoint, then


def test_everybody_has_to_agree() -> None:
    recording = begin(3)
    checkpoint = max(recording.table.checkpoints)
    recording.answer(0, "pass")

    recording.propose_back(1, checkpoint)
    recording.consent(0)
    assert not recording.happened(events.TakenBack)
    recording.consent(2)

    assert recording.happened(events.TakenBack) == [events.TakenBack(checkpoint)]


def test_one_refusal_ends_a_proposal() -> None:
    recording = begin(3)
    checkpoint = max(recording.table.checkpoints)
    recording.propose_back(1, checkpoint)

    recording.consent(0, is_agreed=False)

    assert recording.table.room.proposal is None
    assert recording.propose_back(2, checkpoint).table.room.proposal is not None


def test_a_table_without_takebacks_takes_no_proposal_to_go_back() -> None:
    recording = begin(1, settings=Settings(takebacks=False))
    checkpoint = max(recording.table.checkpoints)
    back = Proposal(recording.table.room.next_proposal_id, "take_back", 0, checkpoint=checkpoint)

    assert refused(recording, events.Proposed(back)) == "proposal/no_takebacks"
    assert recording.propose_gift(0, 0, b"z" * 32).table.room.seats[0].key == b"z" * 32


def test_who_plays_alone_asks_nobody() -> None:
    recording = begin(1)
    checkpoint = max(recording.table.checkpoints)

    recording.propose_back(0, checkpoint)

    assert recording.happened(events.TakenBack) == [events.TakenBack(checkpoint)]


def test_a_bot_has_no_voice() -> None:
    """A bot would never object."""
    recording = begin(2)
    gift = recording.table.room.next_proposal_id
    proposal = Proposal(gift, "give_seat", 0, seat=1, name="Bot", key=b"b" * 32, is_bot=True)
    recording.give(events.Proposed(proposal), 0)

    recording.propose_back(0, max(recording.table.checkpoints))

    assert len(recording.happened(events.TakenBack)) == 1


def test_the_game_is_as_it_was_but_for_what_nobody_knew() -> None:
    recording, checkpoint, then = played_on()

    recording.propose_back(0, checkpoint)
    recording.consent(1)

    assert isinstance(then.game, ToyTable)
    assert recording.game.people == then.game.people
    assert recording.game.done == then.game.done
    assert recording.ask.rule == "TOY-2"
    assert recording.ask.questions.keys() == {1}


def test_seats_presence_talk_and_draws_stand() -> None:
    recording, checkpoint, _ = played_on()
    recording.give(events.PresenceChanged(1, is_present=True), 1)
    recording.give(events.Chatted(0, hidden(b"oh no")), 0)
    before = recording.table.room

    recording.propose_back(0, checkpoint)
    recording.consent(1)

    after = recording.table.room
    assert after.seats == before.seats
    assert after.draws.keys() >= before.draws.keys()
    assert all(after.draws[row] >= number for row, number in before.draws.items())
    assert after.draws != before.draws
    assert after.next_ask_id > before.next_ask_id
    assert len(recording.happened(events.Chatted)) == 1


def test_unknown_piles_are_mixed_anew() -> None:
    """Nobody may profit from cards seen after the checkpoint to which the table goes back."""
    recording, checkpoint, then = played_on()

    recording.propose_back(0, checkpoint)
    recording.consent(1)

    assert then.game is not None
    for pile, old in then.game.piles.items():
        new = recording.game.piles[pile]
        assert set(new).isdisjoint(old)
        assert sorted(map(recording.game.card_of, new)) == sorted(map(then.game.card_of, old))
    assert any(
        list(map(recording.game.card_of, recording.game.piles[pile]))
        != list(map(then.game.card_of, old))
        for pile, old in then.game.piles.items()
    )


def test_draw_numbers_are_never_used_twice() -> None:
    went_back = 0
    for seed in range(30):
        drawn = a_game(seed).happened(events.Rolled, events.Picked, events.Shuffled)
        rows: dict[str, list[int]] = {}
        for draw in drawn:
            row = events.row_of(SIGNED_VERSION - 1, draw.drawn_from, draw.purpose)
            rows.setdefault(row, []).append(draw.number)
        assert all(numbers == list(range(len(numbers))) for numbers in rows.values())
        went_back += len(a_game(seed).happened(events.TakenBack))
    assert went_back > 10


def test_a_new_branch_has_other_dice() -> None:
    recording = begin(1)
    checkpoint = max(recording.table.checkpoints)
    faces = set()

    for _ in range(20):
        recording.answer(0, "gamble")
        faces.add(recording.happened(events.Rolled)[-1].faces)
        recording.propose_back(0, checkpoint)

    assert len(faces) > 3


def test_nothing_after_the_checkpoint_can_be_gone_back_to() -> None:
    recording, checkpoint, _ = played_on()
    later = max(recording.table.checkpoints)

    recording.propose_back(0, checkpoint)
    recording.consent(1)

    assert later not in recording.table.checkpoints
    assert checkpoint in recording.table.checkpoints


def test_the_table_can_go_back_twice() -> None:
    recording, checkpoint, _ = played_on()
    recording.propose_back(0, checkpoint)
    recording.consent(1)
    again = max(recording.table.checkpoints)
    assert again > checkpoint

    recording.answer(1, "pass")
    recording.propose_back(1, again)
    recording.consent(0)
    recording.propose_back(1, checkpoint)
    recording.consent(0)

    assert recording.ask.questions.keys() == {1}
    room = resume(ROOM_ID, recording.log, recording.shelf, SeededEntropy())
    assert facts(room) == facts(recording.room)


def test_the_table_can_go_back_out_of_an_open_agreement() -> None:
    recording = at_card("moot")
    recording.vote(0, "fog")
    old = recording.ask
    assert old.settle is Settle.AGREE

    recording.propose_back(0, max(recording.table.checkpoints))
    recording.consent(1)
    recording.consent(2)

    late = events.Voted(1, old.ask_id, (f"{old.ask_id}.0",))
    assert refused(recording, late, 1) == "answer/stale"
    assert recording.ask.rule == "TOY-2"


def test_the_table_can_go_back_to_the_start_of_the_game() -> None:
    recording = begin(2)
    first = min(recording.table.checkpoints)

    recording.propose_back(0, first)
    recording.consent(1)

    assert recording.ask.rule == "TOY-1"
    draws = recording.table.room.draws
    assert [n for row, n in draws.items() if row.startswith("setup ")] == [2, 2, 2]


def test_a_checkpoint_that_was_forgotten_meanwhile_cannot_be_agreed_to() -> None:
    recording = begin(2, Content(rounds=1000))
    checkpoint = min(recording.table.checkpoints)
    recording.propose_back(0, checkpoint)
    while checkpoint in recording.table.checkpoints:
        seat = recording.ask.waiting_for[0]
        recording.answer(seat, "pass" if recording.ask.rule == "TOY-2" else "toy/keep")
    number = recording.table.room.next_proposal_id - 1

    assert len(recording.table.checkpoints) == CHECKPOINTS_KEPT
    agreed = events.Consented(1, number, is_agreed=True)
    assert refused(recording, agreed, 1) == "proposal/no_such_rest"
    recording.consent(1, is_agreed=False)
    assert recording.table.room.proposal is None


def test_what_follows_a_checkpoint_is_told_by_the_table_alone() -> None:
    records: list[Record] = a_game(2).records

    ends = [r for r in records if r.event.tag in ("toy/turn_ended", "toy/laid_out")]

    assert ends
    assert all(
        isinstance(records[end.sequence + 1].event, events.CheckpointReached) for end in ends
    )
