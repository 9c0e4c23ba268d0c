"""Handmade logs with every kind of draw, with a setup of their own or a fixed one."""

from protocol.commitments import Opening
from protocol.common import events
from protocol.common.chance import (
    SeededChance,
    Stream,
    commitment_of_setup,
    deal_key,
    play_key,
    salt_of_setup,
    salt_of_shares,
    setup_key,
)
from protocol.common.table import LOG_VERSION, FixedSetup, GameTable, Settings, register_game
from protocol.event import Event, hidden, openings_of
from server.authoring.seat_keys import bound
from tests.protocol.archives import PLAYERS, ROOM, SHARES, Log, archive

PLAY_SEED, HOUSE_SEED, SALT = b"p" * 32, b"q" * 32, b"t" * 32
COMMITMENT = commitment_of_setup(SALT, HOUSE_SEED)
NO_GAME = "none"
"""Name of a game without records and laws of its own."""
register_game(NO_GAME, GameTable)
CARDS = ("card/a", "card/a", "card/a", "card/b", "card/c")


def _shuffled(chance: SeededChance, stream: Stream, number: int, pile: str, *knowers: int) -> Event:
    """Return a shuffle: ranked, unless it belongs to play."""
    purpose = f"shuffle {pile}"
    mix = chance.shuffle if stream is Stream.PLAY else chance.rank
    order = mix(number, purpose, CARDS)
    handles = tuple(f"{stream.value}{number}{pile}{at}" for at in range(len(order)))
    return events.Shuffled(stream, number, purpose, pile, handles, knowers, hidden(order))


def dealt_log(*, is_fixed: bool) -> Log:
    """Return a whole log with two draws of each kind; its game has no records of its own."""
    log = Log()
    log.add(events.RoomOpened(ROOM, NO_GAME, "core/one", b"h" * 32, Settings(), LOG_VERSION, None))
    for seat in SHARES:
        log.add(events.SeatTaken(seat, f"Seat {seat}", PLAYERS[seat].public, is_bot=False))
    if is_fixed:
        log.add(events.SetupFixed(None), events.SetupFixed(FixedSetup("s", COMMITMENT)))
    for seat in SHARES:
        log.add(
            events.CharactersClaimed(seat, (f"piece{seat}",)), events.ReadySet(seat, is_ready=True)
        )
    log.add(events.StartRequested(0))
    at = len(log.stored)
    log.add(events.SeedsCommitted(hidden(PLAY_SEED), hidden(b"" if is_fixed else HOUSE_SEED)))
    for seat, share in SHARES.items():
        log.add(bound(log.room, seat, share))
    log.add(*(events.ShareOpened(seat, share) for seat, share in SHARES.items()))
    assert log.room.ceremony is not None
    bindings = log.room.ceremony.commitments
    log.add(
        events.GameStarted(
            tuple(events.Player(seat, "investigator", (f"piece{seat}",)) for seat in SHARES)
        )
    )
    salt = salt_of_shares(ROOM, log.commitments(at), SHARES, bindings)
    log.add(*_draws(salt, salt_of_setup(COMMITMENT) if is_fixed else salt))
    opened: list[Opening] = list(openings_of(log.stored[at]))[: 1 if is_fixed else 2]
    seeds = tuple(events.Disclosure(at, slot, o.salt, o.value) for slot, o in enumerate(opened))
    log.add(events.CheckpointReached(), events.RoomClosed(seeds, events.HowClosed.FINISHED))
    if is_fixed:
        log.add(events.SetupOpened(SALT, HOUSE_SEED))
    return log


def _draws(salt: bytes, house_salt: bytes) -> list[Event]:
    play = SeededChance(play_key(PLAY_SEED, salt))
    setup = SeededChance(setup_key(HOUSE_SEED, house_salt))
    deal = SeededChance(deal_key(HOUSE_SEED, house_salt))
    happened: list[Event] = []
    for number in range(2):
        happened += [
            _shuffled(setup, Stream.SETUP, number, "deck"),
            _shuffled(deal, Stream.DEAL, number, "spawns", 0, 1),
            _dealt(deal, number, "mythos"),
            _dealt(deal, number, "item", 1),
            _shuffled(play, Stream.PLAY, number, "deck"),
            events.Rolled(Stream.PLAY, number, "test", 8, play.roll(number, "test", 3, 8)),
            events.PickedSecretly(
                Stream.PLAY,
                number,
                "horror",
                (0,),
                hidden(events.SecretPick(5, play.pick(number, "horror", 5))),
            ),
        ]
    return happened


def _dealt(deal: SeededChance, number: int, purpose: str, *knowers: int) -> Event:
    options = ("event/1", "event/2", "event/3")
    result = deal.rank(number, purpose, options)[0]
    return events.Dealt(number, purpose, knowers, hidden(events.SecretDeal(options, result)))


def dealt_files() -> tuple[bytes, ...]:
    """Return logs of `dealt_log`: whole and as viewers have them, one with a pending setup."""
    own, fixed = dealt_log(is_fixed=False), dealt_log(is_fixed=True)
    pending = dealt_log(is_fixed=True)
    del pending.stored[-1]
    return (
        archive(own, words=()),
        archive(fixed, words=()),
        archive(own, seat=1, is_whole=False),
        archive(pending, seat=0, is_whole=False),
        archive(pending, is_whole=False, words=()),
    )
