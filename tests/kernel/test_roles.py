"""Roles and characters: an asymmetric game, in which a keeper plays nobody."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from protocol import codec, describe, messages
from protocol.archive import MAGIC, BadArchive, Header, load, write
from protocol.audit import audit
from protocol.common import events as on
from protocol.common.asks import Settle
from protocol.common.table import SIGNED_VERSION, FixedSetup, RoomTable, Settings, Stage
from protocol.common.text import Text
from protocol.event import Event, Stored, cut, everything, hidden, read
from protocol.keys import SigningKey
from protocol.types_file import types_file
from server.kernel.asks import Option
from server.kernel.errors import Refused
from server.kernel.game import Game, Procedure, Ruleset
from server.kernel.room import Room
from tests.kit.tables.keeper import (
    ABOUT,
    RULESET,
    KeptRules,
    KeptTable,
    Plotted,
    Replaced,
    Whispered,
)
from tests.kit.tables.playing import SeededEntropy, key_of, share_of
from tests.kit.tables.resuming import resume
from tests.verifying.logs import verifier

ROOM_ID = "room-of-the-keeper"
SERVER = SigningKey.from_seed(b"k" * 32)
GOLDEN = Path(__file__).parents[1] / "golden" / "roles" / "keeper.manse"
"""File of a whole game with roles, as written by the first server that had roles."""
KEEPER, ANN, BEN = 0, 1, 2


@attrs.frozen
class Shelf:
    """The library of the keeper's game."""

    rules: Ruleset = attrs.field(factory=KeptRules)

    def ruleset(self, name: str) -> Ruleset:
        return {RULESET: self.rules}[name]

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        return None

    def content(self, room: RoomTable) -> Any:
        """Return None, since the rules read no content."""
        return None


@attrs.define
class Evening:
    """A room of the keeper's game."""

    room: Room = attrs.field(factory=lambda: Room(ROOM_ID, Shelf(), SeededEntropy(7)))
    time: int = 1_700_000_000_000

    def give(self, happened: Event, origin: int) -> None:
        """Give the room an input."""
        self.time += 1000
        self.room.receive(happened, time=self.time, origin=origin)
        self.room.commit()

    def refusal(self, happened: Event, origin: int) -> str:
        """Return the code with which an input is refused."""
        with pytest.raises(Refused) as caught:
            self.room.receive(happened, time=self.time, origin=origin)
        return caught.value.code

    def answer(self, seat: int, at: int = 0) -> None:
        """Answer with one of the choices."""
        ask = self.room.table.room.ask
        assert ask is not None
        choice = ask.questions[seat].value.choices[at].choice_id
        self.give(on.Answered(seat, ask.ask_id, hidden((choice,))), seat)

    def events(self, *kinds: type[Event]) -> list[Any]:
        """Return the events of the given kinds."""
        records = (read(ROOM_ID, everything(stored)) for stored in self.room.log)
        return [record.event for record in records if isinstance(record.event, kinds)]


def seated(count: int = 3, rules: Ruleset | None = None) -> Evening:
    """Return a table with `count` seated players."""
    evening = Evening(Room(ROOM_ID, Shelf(rules or KeptRules()), SeededEntropy(7)))
    # As the golden game below: seats did not sign before version 3.
    opened = on.RoomOpened(
        ROOM_ID, RULESET, "kept/one", b"h" * 32, Settings(), SIGNED_VERSION - 1, source=None
    )
    evening.give(opened, 0)
    for seat in range(count):
        evening.give(on.SeatTaken(seat, f"Player {seat}", key_of(seat), is_bot=False), seat)
    return evening


def claimed(rules: Ruleset | None = None) -> Evening:
    """Return a table at which everybody has claimed a role and its characters."""
    evening = seated(rules=rules)
    evening.give(on.RoleClaimed(KEEPER, "keeper"), KEEPER)
    evening.give(on.CharactersClaimed(ANN, ("ann",)), ANN)
    evening.give(on.CharactersClaimed(BEN, ("ben",)), BEN)
    return evening


def started(rules: Ruleset | None = None) -> Evening:
    """Return a started game in which the keeper is asked for a plot."""
    evening = claimed(rules)
    for seat in range(3):
        evening.give(on.ReadySet(seat, is_ready=True), seat)
    evening.give(on.StartRequested(0), 0)
    for seat in range(3):
        evening.give(on.ShareCommitted(seat, hashlib.sha256(share_of(seat)).digest()), seat)
    for seat in range(3):
        evening.give(on.ShareOpened(seat, share_of(seat)), seat)
    return evening


def played() -> Evening:
    """Return a finished game."""
    evening = started()
    evening.answer(KEEPER)
    evening.answer(ANN)
    assert evening.room.table.room.stage is Stage.OVER
    return evening


def whole(log: Sequence[Stored]) -> bytes:
    """Return the file of a whole log."""
    header = Header(MAGIC, ROOM_ID, True, -1, 0, 1, SERVER.public, len(log))
    return b"".join(write(header, [everything(one) for one in log], (), sign=SERVER.sign))


def open_to(evening: Evening, kind: type[Event]) -> set[int | None]:
    """Return who can read the only secret of a kind: seats, and None for spectators."""
    [stored] = (s for s in evening.room.log if isinstance(_event(s), kind))
    return {seat for seat in (0, 1, 2, None) if cut(stored, seat).openings}


def _event(stored: Stored) -> Event:
    return read(ROOM_ID, everything(stored)).event


def test_a_role_without_characters_gets_ready_and_starts() -> None:
    [begun] = started().events(on.GameStarted)

    assert begun.players == (
        on.Player(KEEPER, "keeper", ()),
        on.Player(ANN, "investigator", ("ann",)),
        on.Player(BEN, "investigator", ("ben",)),
    )


def test_a_seat_that_has_to_choose_is_not_ready_before() -> None:
    evening = seated()

    assert evening.refusal(on.ReadySet(ANN, is_ready=True), ANN) == "table/choose_first"


def test_roles_are_claimed_as_the_roster_allows() -> None:
    evening = claimed()

    assert evening.refusal(on.RoleClaimed(ANN, "ghost"), ANN) == "table/no_such_role"
    assert evening.refusal(on.RoleClaimed(ANN, ""), ANN) == "table/no_such_role"
    assert evening.refusal(on.RoleClaimed(ANN, "keeper"), ANN) == "table/role_taken"
    assert evening.refusal(on.RoleClaimed(5, "keeper"), 5) == "table/no_such_seat"
    assert evening.refusal(on.CharactersClaimed(KEEPER, ("cid",)), KEEPER) == "table/no_such_piece"


def test_another_role_frees_the_characters() -> None:
    evening = seated()
    evening.give(on.CharactersClaimed(ANN, ("ann",)), ANN)
    evening.give(on.ReadySet(ANN, is_ready=True), ANN)

    evening.give(on.RoleClaimed(ANN, "keeper"), ANN)

    seat = evening.room.table.room.seats[ANN]
    assert (seat.role, seat.characters, seat.is_ready) == ("keeper", (), False)


def test_no_game_starts_without_the_roles_that_it_needs() -> None:
    evening = seated()
    for seat, one in enumerate(("ann", "ben", "cid")):
        evening.give(on.CharactersClaimed(seat, (one,)), seat)
        evening.give(on.ReadySet(seat, is_ready=True), seat)

    assert evening.refusal(on.StartRequested(0), 0) == "table/roles_unfilled"


def test_a_ruleset_may_refuse_a_start_with_reasons_of_its_own() -> None:
    evening = claimed()
    evening.give(on.CharactersClaimed(ANN, ("cid",)), ANN)
    for seat in range(3):
        evening.give(on.ReadySet(seat, is_ready=True), seat)

    assert evening.refusal(on.StartRequested(0), 0) == "kept/ben_alone"


def test_a_secret_of_a_role_is_known_to_its_seats_alone() -> None:
    assert open_to(played(), Plotted) == {KEEPER}


def test_a_secret_of_a_new_character_is_known_to_who_plays_them_now() -> None:
    evening = played()

    assert evening.events(Replaced) == [Replaced("ann", "dot", ANN)]
    assert open_to(evening, Whispered) == {ANN}


def test_a_game_with_roles_resumes_and_replays() -> None:
    evening = played()

    again = resume(
        ROOM_ID,
        list(evening.room.log),
        Shelf(),
        SeededEntropy(1),
        from_start=True,
    )

    assert again.table == evening.room.table


def test_the_audit_asks_the_table_who_knows_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the planted fault, another seat hears a whisper to the dead character."""
    data = whole(played().room.log)
    report = audit(load(data))
    assert (report.has_game_laws, report.is_finished) == (True, True)

    monkeypatch.setattr(KeptTable, "seats_of", lambda *_: (BEN,))

    with pytest.raises(BadArchive, match="others know it"):
        audit(load(data))


def test_a_golden_game_with_roles_is_read_audited_and_replayed() -> None:
    archive = load(GOLDEN.read_bytes())
    log = [
        Stored(c.public, codec.pack(tuple((one.salt, one.value) for _, one in c.openings)))
        for c in archive.cuts
    ]

    room = resume(
        ROOM_ID,
        log,
        Shelf(),
        SeededEntropy(1),
        from_start=True,
    )

    assert audit(archive).is_finished
    assert room.head == archive.head


def test_the_independent_verifier_takes_a_game_in_which_characters_are_replaced() -> None:
    """The verifier leaves it to the laws of the game who knows the secrets of such characters."""
    modules = {**describe.event_modules(), RULESET: "tests.kit.tables.keeper"}
    events = {of: describe.events_of(module) for of, module in modules.items()}
    types = types_file(messages.message_kinds().values(), events)
    data = GOLDEN.read_bytes()

    log = verifier().verify(data, types)

    assert RULESET not in types["claims_stand"]
    assert len(log.records) == len(load(data).cuts)


# Votes of a character who has replaced another


@attrs.frozen
class Council(KeptRules):
    """The keeper's game, in which the investigators vote on the words of the whisper."""

    is_on_list: bool

    def next_procedure(self, game: Game[Any, Any]) -> Procedure | None:
        """Return the vote in place of the whisper."""
        return self.vote(game) if game.table.chapter == 3 else super().next_procedure(game)

    async def vote(self, game: Game[Any, Any]) -> None:
        """Let the seats of Dot, who has replaced Ann, and of Ben agree."""
        options = [Option(word, Text(f"kept/{word}")) for word in WORDS]
        asked: Any = {"rule": "KEPT-3", "about": ABOUT, "prompt": ABOUT}
        if self.is_on_list:
            words = await game.agree_on_list(
                ("dot", "ben"), options, at_least=2, at_most=2, **asked
            )
        else:
            words = (await game.agree(("dot", "ben"), options, **asked),)
        game.emit(Whispered("dot", hidden(" ".join(words))))


WORDS = ("beware", "flee", "hide")


@pytest.fixture(params=[False, True], ids=["one", "list"])
def council(request: pytest.FixtureRequest) -> Evening:
    """Return a game in which a replaced character votes, on one word or on a list of them."""
    evening = started(Council(request.param))
    evening.answer(KEEPER)
    return evening


def vote(evening: Evening, seat: int, *words: str) -> None:
    """Vote for the first of these words, or for all where a list is asked for."""
    ask = evening.room.table.room.ask
    assert ask is not None
    question = ask.questions[seat].value
    ids = {choice.text.subject: choice.choice_id for choice in question.choices}
    picks = tuple(ids[f"kept/{word}"] for word in words[: question.at_most])
    evening.give(on.Voted(seat, ask.ask_id, picks), seat)


def said(evening: Evening) -> str:
    """Return the words that were agreed on."""
    words: str = evening.events(Whispered)[-1].words.value
    return words


@pytest.mark.issue(39)
def test_a_character_who_replaced_another_votes(council: Evening) -> None:
    ask = council.room.table.room.ask
    assert ask is not None
    assert (ask.settle, ask.voters) == (Settle.AGREE, (("dot", ANN), ("ben", BEN)))

    vote(council, ANN, "flee", "hide")
    vote(council, BEN, "flee", "hide")

    assert said(council) in {"flee", "flee hide"}
    assert council.room.table.room.stage is Stage.OVER


@pytest.mark.issue(39)
def test_a_lot_may_fall_on_a_character_who_replaced_another(council: Evening) -> None:
    vote(council, ANN, "flee", "hide")
    vote(council, BEN, "beware", "flee")
    ask = council.room.table.room.ask
    assert ask is not None

    council.give(on.TiebreakCalled(ANN, ask.ask_id), ANN)

    [drawn] = council.events(on.Picked)
    assert (drawn.purpose, drawn.bound) == ("lot", 2)
    assert said(council) in (("flee", "flee hide"), ("beware", "beware flee"))[drawn.result]


@pytest.mark.issue(39)
def test_a_vote_of_a_replaced_character_is_audited_and_replayed(council: Evening) -> None:
    rules = council.room._library.ruleset(RULESET)
    vote(council, ANN, "flee", "hide")
    vote(council, BEN, "flee", "hide")

    again = resume(ROOM_ID, list(council.room.log), Shelf(rules), SeededEntropy(1), from_start=True)

    assert again.table == council.room.table
    assert audit(load(whole(council.room.log))).is_finished


@pytest.mark.issue(39)
def test_nobody_has_the_seat_of_the_dead(council: Evening) -> None:
    running = council.room._runner.running
    assert running is not None

    assert running.game.seat_of("dot") == ANN
    with pytest.raises(KeyError):
        running.game.seat_of("ann")
