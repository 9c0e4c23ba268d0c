"""Who gets mail, when, how often, and where addresses must not appear."""

from email.message import EmailMessage

import attrs
import pytest
from twisted.internet.defer import Deferred

from protocol import messages
from protocol.messages import MailState, encode_message
from server.mail.book import CODE_SECONDS, KIND, MAX_GUESSES, Entry
from server.net.limits import Bucket
from tests.kit.servers.house import House
from tests.kit.servers.slow import SlowStore
from tests.kit.servers.tables import room_id_of
from tests.mail.office import ADDRESS, SETTINGS, Office

pytestmark = pytest.mark.issue(15)


@pytest.fixture
def office() -> Office:
    """Return a server that writes mails."""
    return Office.opened()


def slow() -> tuple[House, SlowStore]:
    """Return a server and its store, which is slow once it has a clock."""
    store = SlowStore()
    return House(store=store), store


def test_a_mail_comes_once_for_an_absence_that_lasts(office: Office) -> None:
    awaited, _ = office.playing()
    office.confirmed(awaited)
    awaited.disconnect()

    office.pass_minutes(29)
    assert not office.relay.taken
    office.pass_minutes(3)
    [(address, letter)] = office.relay.taken
    office.pass_minutes(600)

    assert address == ADDRESS == letter["To"]
    assert "Ada, Ben" in letter.get_content()
    assert len(office.relay.taken) == 1


def test_the_next_absence_has_a_mail_of_its_own(office: Office) -> None:
    awaited, _ = office.playing()
    office.confirmed(awaited)
    room_id = room_id_of(awaited)
    name = awaited.session.account.name
    awaited.disconnect()
    office.pass_minutes(40)

    back = office.house.client(name)
    back.port.enter(room_id)
    office.house.settle()
    back.disconnect()
    office.pass_minutes(40)

    assert len(office.relay.taken) == 2


def test_nobody_is_written_to_while_a_client_of_theirs_shows_a_table(office: Office) -> None:
    awaited, _ = office.playing()
    office.confirmed(awaited)

    office.pass_minutes(300)

    assert not office.relay.taken


def test_an_absence_is_counted_from_when_the_last_table_was_left(office: Office) -> None:
    awaited, _ = office.playing()
    office.confirmed(awaited)
    office.pass_minutes(300)
    awaited.disconnect()

    office.pass_minutes(29)
    assert not office.relay.taken
    office.pass_minutes(3)

    assert len(office.relay.taken) == 1


def test_a_return_is_remembered_by_the_next_server(office: Office) -> None:
    awaited, _ = office.playing()
    office.confirmed(awaited)
    name, room_id = awaited.session.account.name, room_id_of(awaited)
    awaited.disconnect()
    office.pass_minutes(40)
    back = office.house.client(name)
    back.port.enter(room_id)
    office.house.settle()
    office.postman.stop()
    office.house.restart()

    again = Office.opened(office.house)
    again.pass_minutes(40)

    assert len(again.relay.taken) == 1


@pytest.mark.issue(37)
def test_a_mail_comes_though_the_clock_is_behind_the_log(office: Office) -> None:
    awaited, _ = office.playing()
    office.confirmed(awaited)
    office.postman.stop()
    office.house.wall_began -= 10 * 365 * 24 * 3600 * 1000
    office.house.restart()

    again = Office.opened(office.house)
    again.pass_minutes(29)
    early = list(again.relay.taken)
    again.pass_minutes(3)

    assert early == []
    assert len(again.relay.taken) == 1


def test_an_address_is_on_only_once_its_code_was_typed(office: Office) -> None:
    ada = office.house.client("Ada")
    key, book = ada.session.account.key, office.postman.book
    states = [book.state(key)]

    code = office.give(ada)
    states.append(book.state(key))
    office.say(ada, messages.ConfirmMail(6, code))
    states.append(book.state(key))

    assert states == [MailState.OFF, MailState.UNCONFIRMED, MailState.ON]


def test_whoever_gave_no_address_comes_and_goes_unnoticed(office: Office) -> None:
    book = office.postman.book

    book.present(b"k" * 32)
    book.left(b"k" * 32)

    assert not book.entries
    assert not book.left_at


def test_a_client_that_only_asks_is_no_presence(office: Office) -> None:
    """`manse notify` may run all day."""
    awaited, _ = office.playing()
    office.confirmed(awaited)
    awaited.disconnect()

    for _ in range(6):
        asking = office.house.client(awaited.session.account.name)
        office.say(asking, messages.ListAwaited(9))
        asking.disconnect()
        office.pass_minutes(10)

    assert len(office.relay.taken) == 1


def test_who_is_not_awaited_is_not_written_to(office: Office) -> None:
    _, other = office.playing()
    office.confirmed(other)
    other.disconnect()

    office.pass_minutes(300)

    assert not office.relay.taken


def test_an_address_counts_only_with_its_code(office: Office) -> None:
    """Whoever gave an address may not be its reader."""
    awaited, _ = office.playing()
    office.give(awaited)
    awaited.disconnect()
    office.pass_minutes(300)

    assert not office.relay.taken


def test_a_code_can_be_guessed_only_so_often(office: Office) -> None:
    ada = office.house.client("Ada")
    code = office.give(ada)
    wrong = str((int(code) + 1) % 10**8).zfill(8)

    said = [office.say(ada, messages.ConfirmMail(5, wrong)) for _ in range(MAX_GUESSES)]
    office.house.settle(300)

    assert said == ["mail/wrong_code"] * MAX_GUESSES
    assert office.say(ada, messages.ConfirmMail(6, code)) == "mail/no_code"


def test_guesses_at_the_same_moment_count_one_by_one() -> None:
    house, store = slow()
    office = Office.opened(house)
    ada = house.client("Ada")
    code = office.give(ada)
    wrong = str((int(code) + 1) % 10**8).zfill(8)
    clients = [house.client("Ada") for _ in range(MAX_GUESSES + 1)]

    store.clock = house.clock
    for at, one in enumerate(clients):
        one.send(messages.ConfirmMail(5, wrong if at < MAX_GUESSES else code))
    house.settle(5)

    said = [one.session.all(messages.Refusal)[-1].code for one in clients]
    assert said == ["mail/wrong_code"] * MAX_GUESSES + ["mail/no_code"]


def test_a_code_grows_old(office: Office) -> None:
    """Old codes stay in mailboxes."""
    ada = office.house.client("Ada")
    code = office.give(ada)
    office.house.clock.advance(CODE_SECONDS)

    assert office.say(ada, messages.ConfirmMail(6, code)) == "mail/no_code"


def test_the_code_of_one_key_is_none_of_another(office: Office) -> None:
    ada, eve = office.house.client("Ada"), office.house.client("Eve")
    code = office.give(ada)
    office.give(eve)

    assert office.say(eve, messages.ConfirmMail(6, code)) == "mail/wrong_code"


def test_a_mail_can_be_ended_by_whoever_reads_it(office: Office) -> None:
    awaited, _ = office.playing()
    office.confirmed(awaited)
    awaited.disconnect()
    office.pass_minutes(40)
    [(_, letter)] = office.relay.taken
    stop = letter.get_content().split("--stop-mail ")[1].split()[0]

    stranger = office.house.client("Somebody")
    assert office.say(stranger, messages.StopMail(7, "0" * len(stop))) == "mail/unknown_stop"
    assert not office.say(stranger, messages.StopMail(7, stop))

    asking = office.house.client(awaited.session.account.name)
    office.say(asking, messages.ListAwaited(9))
    assert asking.session.last(messages.Awaited).mail is MailState.OFF


def test_who_ends_mails_while_one_is_written_gets_no_more() -> None:
    house, store = slow()
    office = Office.opened(house, attrs.evolve(SETTINGS, after_minutes=0))
    awaited, _ = office.playing()
    office.confirmed(awaited)
    key = awaited.session.account.key
    stop = office.postman.book.entries[key].stop
    awaited.disconnect()
    stranger = house.client("Somebody")

    store.clock, store.longest = house.clock, 10.0
    stranger.send(messages.StopMail(7, stop))
    house.settle(0.1)
    sending = Deferred.fromCoroutine(office.postman.send_notices())
    house.settle(20)

    assert sending.called
    assert key not in office.postman.book.entries
    assert not [value for (kind, _), value in store._values.items() if kind == KIND]


def test_nothing_is_kept_of_an_address_that_was_taken_back(office: Office) -> None:
    ada = office.house.client("Ada")
    office.confirmed(ada)
    assert not office.say(ada, messages.SetMail(7, ""))

    assert not [value for (kind, _), value in office.house.store._values.items() if kind == KIND]


def test_an_address_is_written_to_only_so_often_a_day(office: Office) -> None:
    said = []
    for at in range(SETTINGS.address_day + 2):
        somebody = office.house.client(f"Somebody {at}")
        address = ADDRESS.upper() if at % 2 else ADDRESS
        said.append(office.say(somebody, messages.SetMail(7, address)))

    assert said == [""] * SETTINGS.address_day + ["mail/too_often"] * 2
    assert len(office.relay.taken) == SETTINGS.address_day


def test_all_addresses_together_are_written_to_only_so_often_an_hour() -> None:
    """Without this limit, a server could be used to flood strangers with mail."""
    office = Office.opened(settings=attrs.evolve(SETTINGS, all_hour=3))
    said = []
    for at in range(5):
        somebody = office.house.client(f"Somebody {at}")
        said.append(office.say(somebody, messages.SetMail(7, f"a{at}@example.org")))

    assert said == [""] * 3 + ["mail/too_often"] * 2


@pytest.mark.issue(36)
def test_sub_addresses_are_one_inbox(office: Office) -> None:
    """If they counted as several, each would get codes, all in one inbox."""
    name, _, domain = ADDRESS.partition("@")
    said = [
        office.say(
            office.house.client(f"Somebody {at}"), messages.SetMail(7, f"{name}+{at}@{domain}")
        )
        for at in range(SETTINGS.address_day + 2)
    ]

    assert said == [""] * SETTINGS.address_day + ["mail/too_often"] * 2


@pytest.mark.issue(36)
def test_codes_that_strangers_ask_for_cost_nobody_a_notice() -> None:
    office = Office.opened(settings=attrs.evolve(SETTINGS, all_hour=9))
    awaited, _ = office.playing()
    office.confirmed(awaited)
    name, _, domain = ADDRESS.partition("@")
    awaited.disconnect()
    somebody = office.house.client("Somebody")
    for hour in range(3):
        for at in range(20):
            somebody = office.house.client(f"Somebody {hour} {at}")
            address = f"{name}+{at}@{domain}" if at < 10 else f"a{at}@example.org"
            office.say(somebody, messages.SetMail(7, address))
        assert office.say(somebody, messages.SetMail(8, ADDRESS)) == "mail/too_often"
        office.pass_minutes(20)

    assert [address for address, letter in office.relay.taken if is_notice(letter)] == [ADDRESS]


def is_notice(letter: EmailMessage) -> bool:
    """True if a letter tells that a table waits."""
    return "waits" in str(letter["Subject"])


@pytest.mark.issue(36)
def test_who_confirmed_first_is_told_first() -> None:
    office = Office.opened()
    awaited, _ = office.playing()
    office.confirmed(awaited)
    office.pass_minutes(1)
    other, _ = office.playing(["Eve", "Mallory"])
    office.confirmed(other, "eve@example.org")
    book = office.postman.book
    # As a restart may read them.
    book.entries = dict(reversed(book.entries.items()))
    office.postman._notices = Bucket(1 / 3600, 1)
    for one in (other, awaited):
        one.disconnect()

    office.pass_minutes(40)
    assert [address for address, _ in office.relay.taken] == [ADDRESS]
    office.pass_minutes(60)

    assert [address for address, _ in office.relay.taken] == [ADDRESS, "eve@example.org"]


@pytest.mark.issue(36)
def test_two_inboxes_with_many_keys_silence_nobody() -> None:
    limits = attrs.evolve(SETTINGS, all_hour=9, address_day=3)
    office = Office.opened(settings=limits)
    book = office.postman.book
    for at in range(10):
        mallory, _ = office.playing([f"Mallory {at}", f"Eve {at}"])
        inbox = ("mallory", "eve")[at % 2]
        entry = Entry(f"{inbox}+{at}@example.org", "en", f"stop {at}")
        book.entries[mallory.session.account.key] = entry
        mallory.disconnect()
    awaited, _ = office.playing()
    office.confirmed(awaited)
    awaited.disconnect()

    office.pass_minutes(SETTINGS.after_minutes + 5)

    told = [address for address, letter in office.relay.taken if is_notice(letter)]
    assert told.count(ADDRESS) == 1
    assert len(told) == 2 * limits.address_day + 1


def test_what_is_no_address_is_refused(office: Office) -> None:
    ada = office.house.client("Ada")

    assert (
        office.say(ada, messages.SetMail(7, "ada@example.org, eve@example.org")) == "mail/address"
    )
    assert not office.relay.taken


def test_without_a_relay_all_of_it_is_refused() -> None:
    house = House()
    ada = house.client("Ada")
    for message in (
        messages.SetMail(1, ADDRESS),
        messages.ConfirmMail(2, "1"),
        messages.StopMail(3, "1"),
    ):
        ada.send(message)
    house.settle()

    assert [one.code for one in ada.session.all(messages.Refusal)] == ["mail/none"] * 3


def test_a_relay_that_is_away_is_tried_again_later(office: Office) -> None:
    awaited, _ = office.playing()
    office.confirmed(awaited)
    awaited.disconnect()
    office.relay.is_away = True
    office.pass_minutes(45)
    office.relay.is_away = False
    office.pass_minutes(20)

    assert len(office.relay.taken) == 1


def test_the_book_outlives_a_restart(office: Office) -> None:
    awaited, _ = office.playing()
    office.confirmed(awaited)
    awaited.disconnect()
    office.pass_minutes(40)
    office.postman.stop()
    office.house.restart()

    again = Office.opened(office.house)
    again.pass_minutes(300)

    assert not again.relay.taken
    [entry] = again.postman.book.entries.values()
    assert entry.address == ADDRESS


def test_an_address_stands_in_no_record_and_in_nothing_that_others_are_sent(
    office: Office,
) -> None:
    awaited, other = office.playing()
    office.confirmed(awaited)
    [entry] = office.postman.book.entries.values()
    office.say(other, messages.ExportTable(9, room_id_of(other)))
    office.say(other, messages.ListAwaited(10))

    room = b"".join(one.public + one.openings for one in office.house.log_of(room_id_of(awaited)))
    told = b"".join(map(encode_message, (*awaited.session.sent, *other.session.sent)))
    for canary in (ADDRESS, entry.stop):
        assert canary.encode() not in room + told
    assert ADDRESS not in repr(entry)
