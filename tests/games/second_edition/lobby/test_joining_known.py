"""A newcomer to a running game is asked first if they already know its setup."""

import pytest
from twisted.python.failure import Failure

from protocol import messages
from protocol.archive import BadArchive, load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Settings, Stage
from protocol.event import Event
from protocol.messages import ServerMessage
from server.kernel.errors import Refused
from server.storage import StoreFull
from tests.games.second_edition.lobby.test_campaigns import Saga
from tests.kit.servers.failing import FailingStore, Fault
from tests.kit.servers.house import Client, House
from tests.kit.servers.slow import SlowStore
from tests.kit.servers.tables import happened, records_of, room_id_of, room_of, start_all
from tests.lobby.test_setups import (
    accepted,
    asked,
    begun,
    code_of,
    exported,
    house,
    made,
    readied,
    table_with,
)
from tests.verifying.files import File, taken_apart
from tests.verifying.logs import ROOT, types, verifier

pytestmark = pytest.mark.issue(17)
__all__ = ["house"]
GOLDEN = ROOT / "tests" / "golden"


def vacated(house: House, host: Client, other: Client) -> str:
    """Give the second seat away; return the invitation to it."""
    other.disconnect()
    host.port.propose_give_seat(1, to_bot=False)
    house.settle()
    return host.session.last(messages.InvitationMade).code


def running(house: House, setup: str, host_name: str = "Host") -> tuple[Client, str]:
    """Return the host of a game with a setup, and an invitation to its empty seat."""
    host, gone = begun(house, [host_name, f"Not {host_name}"], setup)
    return host, vacated(house, host, gone)


def joined(house: House, client: Client, code: str) -> ServerMessage:
    """Return the reply to a client that redeems an invitation."""
    return asked(house, client, messages.JoinTable(client.next_serial(), code))


def joined_knowing(house: House, client: Client, code: str) -> ServerMessage:
    """Return the reply to a client that redeems an invitation although they know the setup."""
    client.port.join_known(code)
    house.settle(0.2)
    replies = [m for m in client.session.sent if isinstance(m, messages.Joined | messages.Refusal)]
    return replies[-1]


def known_to(house: House, name: str) -> str:
    """Return the code of a setup that a player has played."""
    setup = made(house, house.client("Owner"))
    begun(house, [name, "Other"], setup)
    return setup


def accepts(house: House, client: Client) -> list[int]:
    """Return the seats that were filled by players who know the setup, according to the log."""
    return [event.seat for event in happened(house, room_id_of(client), events.SeatFilledKnowing)]


def test_who_knows_the_setup_is_asked_before_they_have_the_seat(house: House) -> None:
    host, code = running(house, known_to(house, "Ann"))
    ann = house.client("Ann")

    assert code_of(joined(house, ann, code)) == "setup/known_game"

    assert not room_of(house, host).seats[1].key
    assert not ann.session.all(messages.Entered)
    refused = asked(house, ann, messages.EnterTable(ann.next_serial(), room_id_of(host), -1))
    assert code_of(refused) == "table/no_such_table"


def test_nobody_at_the_table_learns_that_somebody_was_asked(house: House) -> None:
    host, code = running(house, known_to(house, "Ann"))
    before, count = records_of(house, room_id_of(host)), len(host.session.sent)

    for _ in range(3):
        assert code_of(joined(house, house.client("Ann"), code)) == "setup/known_game"

    assert records_of(house, room_id_of(host)) == before
    assert host.session.sent[count:] == []


def test_who_wants_it_all_the_same_sits_down_and_the_table_reads_that(house: House) -> None:
    host, code = running(house, known_to(house, "Ann"))
    ann = house.client("Ann")
    joined(house, ann, code)

    reply = joined_knowing(house, ann, code)
    house.settle()

    assert isinstance(reply, messages.Joined)
    assert room_of(house, host).seats[1].knows_setup
    assert accepts(house, host) == [1]
    assert not happened(house, room_id_of(host), events.SeatFilled)
    assert host.model.view is not None
    assert host.model.view.table.room.seats[1].knows_setup


def test_who_does_not_know_it_is_asked_nothing(house: House) -> None:
    """The log does not mention players who do not know the setup, whichever message they send."""
    setup = known_to(house, "Ann")
    for join in (joined, joined_knowing):
        host, code = running(house, setup, f"Host of {join.__name__}")
        assert isinstance(join(house, house.client(f"New {join.__name__}"), code), messages.Joined)
        assert accepts(house, host) == []
        assert not room_of(house, host).seats[1].knows_setup


def test_a_game_without_a_setup_asks_nobody(house: House) -> None:
    known_to(house, "Ann")
    host, gone = start_all(house, ["Host", "Gone"])
    code = vacated(house, host, gone)

    assert isinstance(joined(house, house.client("Ann"), code), messages.Joined)


def test_watching_the_game_itself_is_knowing_it(house: House) -> None:
    setup = made(house, house.client("Owner"))
    host, gone = begun(house, ["Host", "Gone"], setup, settings=Settings(spectators=True))
    eve = house.client("Eve")
    eve.port.watch(host.session.last(messages.TableOpened).watch_code)
    house.settle()
    code = vacated(house, host, gone)

    assert code_of(joined(house, eve, code)) == "setup/known_game"


def test_who_gave_their_seat_away_knows_the_game(house: House) -> None:
    _, code = running(house, made(house, house.client("Owner")))
    house.restart()

    assert code_of(joined(house, house.client("Not Host"), code)) == "setup/known_game"


def test_who_has_the_seat_is_asked_no_more(house: House) -> None:
    host, code = running(house, known_to(house, "Ann"))
    ann = house.client("Ann")
    joined_knowing(house, ann, code)

    assert isinstance(joined(house, ann, code), messages.Joined)
    assert isinstance(joined_knowing(house, ann, code), messages.Joined)
    assert accepts(house, host) == [1]


def test_a_seat_that_is_taken_is_told_as_that(house: House) -> None:
    """An old invitation reveals nothing about what its owner knows."""
    host, code = running(house, known_to(house, "Ann"))
    joined(house, house.client("Zoe"), code)
    ann = house.client("Ann")

    assert code_of(joined(house, ann, code)) == code_of(joined_knowing(house, ann, code))
    assert code_of(joined(house, ann, code)) != "setup/known_game"
    assert accepts(house, host) == []


def test_a_game_that_is_over_deals_nobody_anything(house: House) -> None:
    setup = known_to(house, "Ann")
    host, code = running(house, setup)
    host.port.propose_give_up()
    house.settle()
    assert room_of(house, host).stage is Stage.OVER

    assert isinstance(joined_knowing(house, house.client("Ann"), code), messages.Joined)
    assert accepts(house, host) == []


def test_the_next_owner_of_a_seat_is_not_said_to_know_it(house: House) -> None:
    host, code = running(house, known_to(house, "Ann"))
    ann = house.client("Ann")
    joined_knowing(house, ann, code)
    assert room_of(house, host).seats[1].knows_setup

    code = vacated(house, host, ann)
    assert not room_of(house, host).seats[1].knows_setup
    joined(house, house.client("Zoe"), code)

    assert not room_of(house, host).seats[1].knows_setup


def test_nobody_says_it_in_the_middle_of_a_game(house: House) -> None:
    """All players of a running game know its setup, so the message that says so is refused."""
    host, _ = running(house, made(house, house.client("Owner")))

    assert code_of(accepted(house, host)) == "table/already_started"


def test_before_a_game_one_is_asked_when_one_is_ready(house: House) -> None:
    setup = known_to(house, "Ann")
    host, _ = table_with(house, ["Host", "Guest"], setup)
    code = host.session.last(messages.TableOpened).code

    ann = house.client("Ann")
    assert isinstance(joined_knowing(house, ann, code), messages.Joined)
    house.settle()
    assert not room_of(house, host).seats[2].knows_setup
    assert readied(house, ann) == "setup/known"


def test_two_who_know_it_and_want_one_seat(house: House) -> None:
    """The loser is not mentioned in the log, and causes no mention of the winner."""
    setup = known_to(house, "Ann")
    begun(house, ["Bob", "Bill"], setup)
    host, code = running(house, setup)
    ann, bob = house.client("Ann"), house.client("Bob")
    for client in (ann, bob):
        client.send(messages.JoinKnownTable(client.next_serial(), code))
    house.settle()

    seated = [c for c in (ann, bob) if c.session.all(messages.Joined)]
    assert len(seated) == 1
    assert accepts(house, host) == [1]
    assert room_of(house, host).seats[1].key == seated[0].session.account.key


def test_nothing_is_said_of_whoever_was_faster() -> None:
    """The faster player does not know the setup, so the log mentions nobody who knows it."""
    store = SlowStore()
    house = Saga(store=store)
    host, code = running(house, known_to(house, "Ann"))
    zoe, ann = house.client("Zoe"), house.client("Ann")
    store.clock = house.clock
    zoe.send(messages.JoinTable(zoe.next_serial(), code))
    ann.send(messages.JoinKnownTable(ann.next_serial(), code))
    house.settle(5)

    assert room_of(house, host).seats[1].key == zoe.session.account.key
    assert accepts(house, host) == []


def test_a_store_that_fails_seats_nobody() -> None:
    """Nobody may sit down unless the table can be told that they know the setup."""
    store = FailingStore()
    house = Saga(store=store)
    host, code = running(house, known_to(house, "Ann"))
    store.faults.append(Fault(error=StoreFull("no space is left")))

    assert code_of(joined_knowing(house, house.client("Ann"), code)) == "table/stopped"
    assert accepts(house, host) == []
    assert not room_of(house, host).seats[1].key


def test_the_log_of_such_a_game_is_valid(house: House) -> None:
    """The exported log is valid even while the setup is open for other tables."""
    setup = known_to(house, "Ann")
    host, code = running(house, setup)
    ann = house.client("Ann")
    joined_knowing(house, ann, code)
    house.settle()
    host.port.propose_give_up()
    house.settle()
    ann.port.consent(room_of(house, ann).next_proposal_id - 1, is_agreed=True)
    house.settle()
    assert room_of(house, host).stage is Stage.OVER

    archive = exported(house, host)

    assert any(isinstance(record.event, events.SeatFilledKnowing) for record in archive.records)
    assert audit(archive).is_finished


def test_a_golden_log_of_such_a_game_is_read_by_both_verifiers() -> None:
    """The golden log was written by the first server version that asked newcomers."""
    data = (GOLDEN / "setups" / "joined-knowing.manse").read_bytes()
    archive = load(data)

    assert audit(archive).is_finished
    verifier().verify(data, types())
    assert any(isinstance(record.event, events.SeatFilledKnowing) for record in archive.records)


# Logs that say what was not ----------------------------------------------------------------


def file_of(house: House, host: Client) -> File:
    """Return the archive of a game that its host gives up, to be forged."""
    exported(house, host)
    parts = [p for p in host.session.all(messages.ExportPart) if p.serial == host.serial]
    return taken_apart(b"".join(part.data for part in parts))


def refused_at(file: File) -> int | None:
    """Return the sequence of the record at which the audit refuses a forged archive."""
    with pytest.raises(BadArchive) as caught:
        audit(load(file.renumbered().committed_anew().sealed()))
    return caught.value.sequence


def test_a_log_cannot_say_it_of_a_game_without_a_setup(house: House) -> None:
    host, gone = start_all(house, ["Host", "Gone"])
    joined(house, house.client("Zoe"), vacated(house, host, gone))
    file = file_of(house, host)
    (at,) = file.of("seat_filled")

    file.lines[at].public[3] = "seat_filled_knowing"

    assert refused_at(file) == at


def test_a_log_cannot_seat_somebody_twice_by_it(house: House) -> None:
    host, code = running(house, known_to(house, "Ann"))
    joined_knowing(house, house.client("Ann"), code)
    file = file_of(house, host)
    (at,) = file.of("seat_filled_knowing")

    file.lines[at].fields[2] = host.session.account.key

    assert refused_at(file) == at


def test_a_room_takes_it_only_in_a_game_with_a_setup(house: House) -> None:
    setup = known_to(house, "Ann")
    host, gone = start_all(house, ["Host", "Gone"])
    vacated(house, host, gone)
    assert submitted(house, host, events.SeatFilledKnowing(1, "Zoe", b"z" * 32)) == "setup/none"
    other, _ = running(house, setup, "Other host")
    other.port.propose_give_up()
    house.settle()
    assert (
        submitted(house, other, events.SeatFilledKnowing(1, "Zoe", b"z" * 32))
        == "table/not_playing"
    )


def submitted(house: House, host: Client, happened: Event) -> str:
    """Submit an input that a client's room must refuse; return the code of the refusal."""
    failures: list[Failure] = []
    done = house.host_of(host).submit(happened, 1)
    _ = done.addErrback(failures.append)
    house.settle()
    (failure,) = failures
    assert isinstance(failure.value, Refused)
    return failure.value.code


def test_names_that_look_alike_are_refused_to_them_too(house: House) -> None:
    """The check also covers the message by which a newcomer says that they know the setup."""
    alike = "H\u043est"
    _, code = running(house, known_to(house, alike))

    reply = joined_knowing(house, house.client(alike), code)

    assert code_of(reply) == "table/name_looks_taken"
