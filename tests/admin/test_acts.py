"""What an operator does to people and tables: kicks, bans, announcements, and the log of acts."""

import json
import stat
from pathlib import Path

import pytest

from commands.speaking import words_of
from protocol import messages
from protocol.common import events
from protocol.event import OPERATOR
from protocol.keys import fingerprint, fingerprint_text
from protocol.login import LoginRefused, decode_login
from server.admin.bans import MAX_BANS, Banned, Bans
from server.admin.line import Refused
from server.admin.vocabulary import (
    AgreeToGoBack,
    Allow,
    Announce,
    AskBans,
    AskOpening,
    AskPeople,
    AskTables,
    Ban,
    BanLine,
    BanReport,
    CloseTable,
    Disallow,
    Done,
    Kick,
    No,
    OpeningReport,
    PauseTable,
    PeopleReport,
    ResumeTable,
    Revoke,
    SetOpening,
    SetQuotas,
    TableReport,
    Unban,
    UseSettings,
)
from server.lobby.tables.opening_policy import Opening, OpeningDefaults, Policy
from server.operator.cli import no_in_words
from tests.admin.office import Office, at_once, key_of
from tests.kit.servers.people import RawClient
from tests.kit.servers.tables import records_of, room_id_of, start_all

pytestmark = pytest.mark.issue(15)


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """Return a server with nobody there."""
    return Office(tmp_path)


def known_as(name: str) -> str:
    return fingerprint_text(fingerprint(key_of(name).public))


def goodbye(client: RawClient) -> str:
    """Return the code of the last message that a client received."""
    last = client.said[-1]
    assert isinstance(last, messages.Goodbye)
    return last.code


def refusal(client: RawClient) -> str:
    """Return the error code of a refused login."""
    refused = decode_login(client.payloads[-1], LoginRefused)
    assert isinstance(refused, LoginRefused)
    return refused.code


def test_people_are_told_by_name_fingerprint_and_address(office: Office) -> None:
    for name in ("Ann", "Ben"):
        office.guest(name)

    told = office.ask(AskPeople())

    assert isinstance(told, PeopleReport)
    assert told.is_last
    assert [(one.name, one.fingerprint, one.address) for one in told.lines] == [
        ("Ann", known_as("Ann"), "local"),
        ("Ben", known_as("Ben"), "local"),
    ]


def test_tables_are_told_in_parts(office: Office) -> None:
    ann = office.house.client("Ann")
    for _ in range(52):
        office.house.open_table(ann)

    first = office.ask(AskTables())
    assert isinstance(first, TableReport)
    second = office.ask(AskTables(first.lines[-1].room_id))

    assert isinstance(second, TableReport)
    assert (first.is_last, second.is_last) == (False, True)
    ids = [one.room_id for one in (*first.lines, *second.lines)]
    assert ids == sorted(office.house.lobby.registry.summaries)


def test_an_announcement_reaches_everybody(office: Office) -> None:
    guests = [office.guest(name) for name in ("Ann", "Ben")]

    assert office.ask(Announce("Back at nine.")) == Done(2)
    assert [one.said[-1] for one in guests] == [messages.Announcement("Back at nine.")] * 2


def test_a_kick_ends_all_sessions_of_a_key(office: Office) -> None:
    first, second, other = (office.guest(name) for name in ("Ann", "Ann", "Ben"))

    assert office.ask(Kick(known_as("Ann")[:9].upper())) == Done(2)
    assert [goodbye(one) for one in (first, second)] == ["session/ended"] * 2
    assert not other.has_ended()
    assert not office.guest("Ann").has_ended()


def test_a_banned_key_is_not_let_in(office: Office) -> None:
    ann = office.guest("Ann")

    assert office.ask(Ban(known_as("Ann"))) == Done(1)
    assert goodbye(ann) == "account/banned"
    assert refusal(office.guest("Ann")) == "account/banned"
    again = Bans(office.house.store)
    at_once(again.load())
    assert again.refusal(key_of("Ann").public, "192.0.2.1") is not None
    assert again.refusal(key_of("Ben").public, "192.0.2.1") is None
    assert office.ask(Unban(known_as("Ann"))) == Done(1)
    assert not office.guest("Ann").has_ended()


@pytest.mark.parametrize(
    ("banned", "address", "is_out"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("192.0.2.0/24", "192.0.2.200", True),
        ("192.0.2.0/24", "::ffff:192.0.2.200", True),
        ("2001:db8::/32", "2001:db8:1::1", True),
        ("2001:db8::/32", "192.0.2.7", False),
    ],
)
def test_a_banned_network_is_not_let_in(
    office: Office, banned: str, address: str, *, is_out: bool
) -> None:
    office.ask(Ban(banned, "a flood"))

    assert (office.bans.refusal(key_of("Ann").public, address) is not None) == is_out


@pytest.mark.parametrize("banned", ["192.0.2.7/32", known_as("Ann")])
def test_a_ban_that_was_lifted_is_gone_now_and_after_a_restart(office: Office, banned: str) -> None:
    office.ask(Ban(banned))
    office.ask(Unban(banned))

    again = Bans(office.house.store)
    at_once(again.load())
    for bans in (office.bans, again):
        assert not bans.by_name
        assert bans.refusal(key_of("Ann").public, "192.0.2.7") is None


def test_bans_are_listed(office: Office) -> None:
    office.ask(Ban("192.0.2.7", "a flood"))

    line = BanLine("192.0.2.7/32", "a flood", 1_700_000_000_000)
    assert office.ask(AskBans()) == BanReport((line,), is_last=True)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (Kick("abcdef"), "no_fingerprint"),
        (Kick(""), "no_fingerprint"),
        (Ban("nobody"), "no_fingerprint"),
        (Ban("192.0.2.7/24"), "no_address"),
        (Ban("1.2.3"), "no_address"),
        (Unban("192.0.2.7"), "not_banned"),
        (Unban(known_as("Ann")), "not_banned"),
        (Revoke("nowhere"), "no_such_table"),
    ],
)
def test_what_makes_no_sense_is_refused(office: Office, act: Kick | Ban | Unban, code: str) -> None:
    ann = office.guest("Ann")
    told = office.ask(act)

    assert isinstance(told, No)
    assert told.code == code
    assert not ann.has_ended()
    assert json.loads(office.log().splitlines()[-1])["act"] == "failed"


def test_there_is_a_last_ban(office: Office) -> None:
    """The server checks each login against all bans, so the number of bans is limited."""
    for number in range(MAX_BANS):
        at_once(office.bans.add(f"10.0.{number // 256}.{number % 256}/32", Banned("", 0)))

    assert office.ask(Ban("192.0.2.7")) == No("too_many_bans")


def test_a_leaked_invitation_is_revoked(office: Office) -> None:
    ann, ben = (office.house.client(name) for name in ("Ann", "Ben"))
    code = office.house.open_table(ann)
    room_id = ann.session.last(messages.TableOpened).room_id

    assert office.ask(Revoke(room_id)) == Done(1)
    office.house.join(ben, code)
    assert ben.session.last(messages.Refusal).code == "invitation/unknown"


def test_a_game_is_paused_goes_on_and_is_closed(office: Office) -> None:
    ann, _ = start_all(office.house, ["Ann", "Ben"])
    room_id = room_id_of(ann)

    assert office.ask(PauseTable(room_id, "a word with you")) == Done(2)
    told = office.ask(AskTables())
    assert isinstance(told, TableReport)
    assert [one.is_paused for one in told.lines] == [True]
    assert office.ask(PauseTable(room_id, "again")) == No("refused", "operator/paused_already")
    assert office.ask(ResumeTable(room_id, "thanks")) == Done(2)
    assert office.ask(CloseTable(room_id, "enough")) == Done(2)

    acts = [one for one in records_of(office.house, room_id) if one.origin == OPERATOR]
    assert [one.event for one in acts] == [
        events.OperatorPaused(b"a word with you"),
        events.OperatorResumed(b"thanks"),
        events.OperatorClosed(b"enough"),
    ]
    lines = [json.loads(line) for line in office.log().splitlines()]
    assert [(one["act"], one.get("reason")) for one in lines] == [
        ("pause", "a word with you"),
        ("pause", "again"),
        ("failed", None),
        ("resume", "thanks"),
        ("close", "enough"),
    ]


@pytest.mark.parametrize("act", [PauseTable, ResumeTable, CloseTable])
def test_what_cannot_be_done_to_a_table_is_refused(
    office: Office, act: type[PauseTable | ResumeTable | CloseTable]
) -> None:
    ann = office.house.client("Ann")
    office.house.open_table(ann)
    room_id = ann.session.last(messages.TableOpened).room_id

    assert office.ask(act("nowhere", "why")) == No("no_such_table", "nowhere")
    assert office.ask(act(room_id, "why")) == No("refused", "table/not_playing")


def test_nobody_is_agreed_for_where_nothing_is_proposed(office: Office) -> None:
    ann, _ = start_all(office.house, ["Ann", "Ben"])

    told = office.ask(AgreeToGoBack(room_id_of(ann)))

    assert told == No("refused", "proposal/stale")


def test_the_settings_hold_where_nothing_is_chosen(office: Office) -> None:
    openers = office.house.lobby.openers
    at_once(openers.apply_settings(OpeningDefaults(Opening.LISTED, 7, 70, (known_as("Ann"),))))
    as_set = office.ask(AskOpening())
    assert isinstance(as_set, OpeningReport)
    assert not as_set.is_chosen
    told = as_set.opening, as_set.by_key, as_set.by_address, as_set.listed
    assert told == (Opening.LISTED, 7, 70, (known_as("Ann"),))

    office.ask(SetOpening(Opening.EVERYBODY))
    assert openers.policy.opening is Opening.EVERYBODY
    assert openers.policy.tables_per_key == 7
    assert office.ask(Disallow(known_as("Ann"))) == No("listed_in_settings", known_as("Ann"))
    assert office.ask(UseSettings()) == Done()

    assert office.ask(AskOpening()) == as_set


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_refusal_of_a_table_has_words(language: str) -> None:
    words = words_of("server", language)
    codes = ("table/not_playing", "table/not_paused", "operator/paused_already")

    told = {no_in_words(Refused(No("refused", code)), words) for code in (*codes, "else")}

    assert len(told) == 4
    assert not any(code in line for code in codes for line in told)


def test_every_act_is_on_the_log_of_acts(office: Office) -> None:
    office.ask(Ban("192.0.2.7", 'a "flood"\u2028'.rstrip()))
    office.ask(Announce("Bonne soirée."))

    first, second = map(json.loads, office.log().splitlines())
    assert {**first, "time": 0} == {
        "time": 0,
        "user": 1000,
        "act": "ban",
        "whom": "192.0.2.7",
        "reason": 'a "flood"',
    }
    assert second["words"] == "Bonne soirée."
    path = office.admin.log.path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_nothing_is_done_that_cannot_be_written_down(office: Office) -> None:
    """The log of acts is written before the act is carried out."""
    ann = office.guest("Ann")
    office.admin.log.path.mkdir()

    told = office.ask(Kick(known_as("Ann")))

    assert isinstance(told, No)
    assert told.code == "no_log"
    assert not ann.has_ended()


def test_reports_are_not_acts(office: Office) -> None:
    office.ask(AskPeople())
    office.ask(AskTables())
    office.ask(AskBans())

    assert office.log() == ""


def test_the_operator_says_who_opens_tables(office: Office) -> None:
    assert office.ask(SetOpening(Opening.PASSWORD, "correct horse")) == Done()
    assert office.ask(Allow(known_as("Ann"))) == Done(1)
    assert office.ask(SetQuotas(by_key=5)) == Done()

    told = office.ask(AskOpening())
    assert told == OpeningReport(
        Opening.PASSWORD,
        has_password=True,
        by_key=5,
        by_address=1000,
        listed=(known_as("Ann"),),
        is_last=True,
        is_chosen=True,
    )
    assert "set_opening" in office.log()
    assert "horse" not in office.log()


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (SetOpening(Opening.PASSWORD), "password_needed"),
        (SetOpening(Opening.PASSWORD, "short"), "short_password"),
        (SetOpening(Opening.LISTED, "correct horse"), "no_password_there"),
        (Disallow(known_as("Ann")), "not_listed"),
    ],
)
def test_an_opening_that_makes_no_sense_is_refused(
    office: Office, act: SetOpening | Disallow, code: str
) -> None:
    told = office.ask(act)

    assert isinstance(told, No)
    assert told.code == code
    assert office.house.lobby.openers.policy == Policy()
