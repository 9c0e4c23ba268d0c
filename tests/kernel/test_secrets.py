"""What each viewer is sent: enough to fold the table, and no secret of others."""

from collections.abc import Iterator

import attrs
import pytest

from protocol import codec
from protocol.common import events
from protocol.common.table import Stage, Table, fold
from protocol.event import Cut, Record, cut, openings_of, read
from tests.kit.closing import close_for
from tests.kit.tables.playing import (
    ROOM_ID,
    Policy,
    Recording,
    Shelf,
    a_game,
    play,
    viewers,
)
from tests.kit.tables.toy_table import BidsShown, Content, OmenShown, ToyTable, TurnedUp, a_deck

SEEDS = (0, 1, 2, 3, 6, 7, 15, 29)
"""Seeds of games in which the table went back, seats changed hands and omens were shown."""


# Fold agreement ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_folding_what_one_is_sent_is_closing_the_table_for_them(seed: int) -> None:
    """Folding a viewer's cuts gives the full table with the secrets of others sealed."""
    recording = a_game(seed, 1 + seed % 4)
    for seat in viewers(recording):
        table, since, at = Table(), 0, 0
        for step, end in zip(recording.steps, recording.boundaries(), strict=True):
            now = since_of(step.table, seat)
            if now != since:
                # Somebody else sits there: they begin from nothing.
                table, since, at = Table(), now, 0
            for stored in recording.log[at:end]:
                table = fold(table, read(ROOM_ID, cut(stored, seat, since=since)))
            at = end
            assert table == close_for(step.table, seat, since=since)


def since_of(table: Table, seat: int | None) -> int:
    """Return the first sequence from which a viewer may see a seat's secrets."""
    return 0 if seat is None or seat not in table.room.seats else table.room.seats[seat].since


def test_games_with_a_new_owner_are_among_those_that_are_folded() -> None:
    """The test above needs games with new owners, returns to checkpoints and shown omens."""
    games = [a_game(seed, 1 + seed % 4) for seed in SEEDS]

    owners = [seat.since for game in games for seat in game.table.room.seats.values()]

    assert any(owners)
    assert any(game.happened(events.TakenBack) for game in games)
    assert any(game.happened(OmenShown) for game in games)


# Canaries ----------------------------------------------------------------------------------


@attrs.frozen
class Canary:
    """Secret bytes, with the viewers that may not be sent them, and until when."""

    secret: bytes
    known_to: frozenset[int | None]
    """Viewers that may be sent the bytes, by the rules of the toy, whatever the events declare."""
    until: int
    """The sequence from which everybody may know the bytes."""

    def sings(self, seat: int | None, cuts: list[Cut]) -> bool:
        """True if a viewer who may not know the secret was sent it before it became public."""
        return seat not in self.known_to and any(
            self.secret in shown for shown in map(flat, cuts[: self.until])
        )


def flat(shown: Cut) -> bytes:
    openings = b"".join(opening.salt + opening.value for _, opening in shown.openings)
    return shown.public + openings


def omens(recording: Recording) -> Iterator[Canary]:
    """Yield each omen; its holder alone knows it until it is shown."""
    records = recording.records
    shown: dict[str, int] = {}
    holders: dict[str, set[int | None]] = {}
    table = Table()
    for record in records:
        happened = record.event
        if happened.tag in ("toy/omen_dealt", "toy/omen_misdealt"):
            piece, omen = happened.piece, happened.omen.value  # type: ignore[attr-defined]
            assert isinstance(table.game, ToyTable)
            holders.setdefault(omen, set()).add(table.game.people[piece].seat)
        if isinstance(happened, OmenShown):
            shown.setdefault(codec.decode(happened.opened.value, str), record.sequence)
        table = fold(table, record)
    for omen in recording.shelf.on_shelf.omens:
        known_to = frozenset(holders.get(omen, ()))
        yield Canary(codec.pack(omen), known_to, shown.get(omen, len(records)))


def dreams(recording: Recording) -> Iterator[Canary]:
    """Yield the dream that each omen gives its holder."""
    for omen in omens(recording):
        words = codec.unpack(omen.secret)
        assert isinstance(words, str)
        dream = words.replace("omen/", "dream/").encode()
        yield Canary(dream, omen.known_to, len(recording.log))


def cards(recording: Recording) -> Iterator[Canary]:
    """Yield each card that was never turned up and never told as a rumour."""
    told = {text for record in recording.records for text in rumours(record)}
    for card in recording.shelf.on_shelf.deck:
        first = [
            record.sequence
            for record in recording.records
            if isinstance(record.event, TurnedUp) and record.event.card == card
        ]
        if card not in told:
            yield Canary(card.encode(), frozenset(), min(first, default=len(recording.log)))


def rumours(record: Record) -> Iterator[str]:
    """Yield the card of a rumour."""
    if record.event.tag == "toy/rumoured":
        yield record.event.card.value  # type: ignore[attr-defined]


def seeds(recording: Recording) -> Iterator[Canary]:
    """Yield every seed; nobody knows them until the end."""
    closed = next(
        (r.sequence for r in recording.records if isinstance(r.event, events.RoomClosed)),
        len(recording.log),
    )
    for committed in recording.happened(events.SeedsCommitted):
        yield Canary(committed.play_seed.value, frozenset(), closed)
        yield Canary(committed.house_seed.value, frozenset(), closed)


def stakes(recording: Recording) -> Iterator[Canary]:
    """Yield the stakes that each seat could bid; only the seat knows them until bids are shown."""
    shown = [r.sequence for r in recording.records if isinstance(r.event, BidsShown)]
    if shown:
        for piece, person in people(recording).items():
            secret = f"stake/{piece}/".encode()
            yield Canary(secret, frozenset({person}), shown[0])


def people(recording: Recording) -> dict[str, int]:
    """Return the seat of each piece."""
    return {piece: person.seat for piece, person in recording.game.people.items()}


def answers(recording: Recording) -> Iterator[Canary]:
    """Yield the salt of each answer, which its giver alone knows; an opening needs it."""
    for record, stored in zip(recording.records, recording.log, strict=True):
        if isinstance(record.event, events.Answered):
            (opening,) = openings_of(stored)
            yield Canary(opening.salt, frozenset({record.event.seat}), len(recording.log))


def deals(recording: Recording) -> Iterator[Canary]:
    """Yield salt and order of each shuffle, which nobody knows."""
    for record, stored in zip(recording.records, recording.log, strict=True):
        if isinstance(record.event, events.Shuffled):
            (opening,) = openings_of(stored)
            yield Canary(opening.salt, frozenset(), len(recording.log))
            if len(record.event.order.value) > 1:
                yield Canary(opening.value, frozenset(), len(recording.log))


QUIET = (0, 1, 2, 8, 14)
"""Seeds of games in which each kind of secret occurs; most have no bids."""
SECRETS = (omens, dreams, cards, seeds, stakes, answers, deals)


def heard(recording: Recording) -> list[tuple[int | None, bytes]]:
    """Return every canary that a viewer was wrongly sent."""
    canaries = [canary for source in SECRETS for canary in source(recording)]
    found = []
    for seat in viewers(recording):
        cuts = [cut(stored, seat) for stored in recording.log]
        found += [(seat, canary.secret) for canary in canaries if canary.sings(seat, cuts)]
    return found


def a_quiet_game(seed: int, *faults: str) -> Recording:
    """Return a whole game in which no seat changes its owner."""
    content = Content(deck=a_deck("ballot", "quiet", "gust", "storm"), faults=faults)
    return play(Recording(Shelf(content), seed), Policy(seed, gifts=0), seats=3)


@pytest.mark.parametrize("seed", QUIET)
def test_no_secret_is_in_the_bytes_for_others(seed: int) -> None:
    assert heard(a_quiet_game(seed)) == []


def test_there_is_something_to_hear() -> None:
    """In a game without secrets, the test for leaks would prove nothing."""
    games = [a_quiet_game(seed) for seed in QUIET]

    for source in SECRETS:
        assert any(list(source(game)) for game in games), source.__name__
    known = [
        any(canary.secret in flat(cut(stored, seat)) for stored in game.log)
        for game in games
        for source in (omens, answers)
        for canary in source(game)
        for seat in canary.known_to
    ]
    assert known
    assert all(known)


@pytest.mark.parametrize("fault", ["misdealt", "leak/field", "leak/choice"])
def test_a_planted_leak_is_heard(fault: str) -> None:
    assert any(heard(a_quiet_game(seed, fault)) for seed in range(3))


# Salts, shapes -----------------------------------------------------------------------------


def test_no_salt_is_used_twice() -> None:
    """A repeated salt would show that two secrets are equal."""
    for seed in SEEDS:
        salts = [o.salt for stored in a_game(seed).log for o in openings_of(stored)]

        assert len(set(salts)) == len(salts)
        assert {len(salt) for salt in salts} == {32}


def test_the_public_part_is_the_same_for_everybody() -> None:
    """Every seat must compute the same head of the chain."""
    recording = a_game(2)

    for stored in recording.log:
        assert {cut(stored, seat).public for seat in (0, 1, 2, None)} == {stored.public}


def test_a_spectator_is_sent_no_opening() -> None:
    recording = a_game(2)

    assert not any(cut(stored, None).openings for stored in recording.log)


def test_the_seeds_are_opened_at_the_end_as_the_settings_allow() -> None:
    recording = a_game(2)
    (closed,) = recording.happened(events.RoomClosed)
    (seeds_of, *_) = recording.happened(events.SeedsCommitted)[::-1]

    assert recording.table.room.stage is Stage.OVER
    opened = [codec.decode(one.value, bytes) for one in closed.seeds]
    assert opened == [seeds_of.play_seed.value, seeds_of.house_seed.value]
