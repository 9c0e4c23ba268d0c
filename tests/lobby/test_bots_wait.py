"""Bots wait while somebody reads: the reports to the server, and what it tells clients."""

import attrs
import pytest

from client.journal.journal import Journal
from client.model.status import Disconnected
from client.screens.base.screen import Desk
from client.screens.reading.story import StoryBox
from client.screens.ui import Ui
from protocol import messages
from protocol.common import events
from protocol.common.table import Settings
from server.lobby.views.reading import MOST_SECONDS, PATIENCE_SECONDS
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, happened, records_of, room_id_of, room_of, seat_all

pytestmark = pytest.mark.issue(38)

BOT = 1


def answers_in(house: House, room_id: str, *bots: int) -> int:
    """Return how often the bots have answered, passed or voted."""
    given = (events.Answered, events.Passed, events.Voted)
    return sum(
        record.origin in (bots or (BOT,)) and isinstance(record.event, given)
        for record in records_of(house, room_id)
    )


@attrs.define(eq=False)
class Evening:
    """A person who reads, and a bot whose answer is awaited next."""

    settings: Settings = attrs.field(factory=Settings)
    is_ours: bool = True
    """True for a bot of the server; false for one that a person brought, as `manse bot` does."""
    house: House = attrs.field(factory=House)
    ada: Client = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        house = self.house
        if self.is_ours:
            (self.ada,) = seat_all(house, ["Ada"], self.settings)
            self.ada.port.add_bot()
        else:
            self.ada, robot = seat_all(house, ["Ada", "Robot"], self.settings)
            house.bot(robot, 1).react()
        house.settle()
        get_ready(house, [self.ada])
        self.read()
        self.ada.port.start()
        self.wait(1)

    @property
    def last(self) -> int:
        """The sequence of the table's last record."""
        return len(self.house.log_of(room_id_of(self.ada))) - 1

    def wait(self, seconds: float) -> None:
        self.house.settle(seconds)

    def read(self) -> None:
        """Report that Ada has read everything."""
        if self.ada.model.reported is not None:
            self.ada.port.have_read(self.last)
        self.wait(1)

    def answers(self) -> int:
        """Return how often the bot has answered, passed or voted."""
        return answers_in(self.house, room_id_of(self.ada))

    def play_until_the_bot_is_asked(self) -> None:
        """Answer as Ada, who has read everything, until the bot alone is awaited."""
        for _ in range(40):
            ask = room_of(self.house, self.ada).ask
            assert ask is not None
            if ask.waiting_for == (BOT,):
                return
            if 0 in ask.waiting_for:
                default = ask.questions[0].value.row_default
                if ask.has_open_votes:
                    self.ada.port.vote(ask.ask_id, default)
                else:
                    self.ada.port.answer(ask.ask_id, default)
                self.wait(1)
            else:
                self.read()
        raise AssertionError("the bot is never asked")


@pytest.mark.parametrize("is_ours", [True, False], ids=["of the server", "manse bot"])
def test_a_bot_does_nothing_while_somebody_reads(*, is_ours: bool) -> None:
    evening = Evening(is_ours=is_ours)
    evening.play_until_the_bot_is_asked()
    before, log = evening.answers(), evening.last
    evening.wait(PATIENCE_SECONDS / 2)
    assert (evening.answers(), evening.last) == (before, log)

    evening.read()

    assert evening.answers() == before + 1


def test_it_goes_on_without_somebody_who_is_away() -> None:
    evening = Evening()
    evening.play_until_the_bot_is_asked()
    before = evening.answers()
    page = evening.ada.model.reported
    assert page is not None
    evening.wait(PATIENCE_SECONDS - 10)
    evening.ada.port.have_read(page)
    evening.wait(PATIENCE_SECONDS - 10)
    assert evening.answers() == before
    evening.wait(20)
    assert evening.answers() > before

    evening.read()
    evening.play_until_the_bot_is_asked()
    before = evening.answers()
    evening.wait(PATIENCE_SECONDS / 2)
    assert evening.answers() == before


@pytest.mark.parametrize("has_windows", [False, True], ids=["one session", "new sessions"])
def test_no_client_keeps_the_bots_waiting_for_ever(*, has_windows: bool) -> None:
    """A client that reports the same page again and again has no more time than MOST_SECONDS."""
    evening = Evening()
    evening.play_until_the_bot_is_asked()
    before, room_id = evening.answers(), room_id_of(evening.ada)
    page = evening.ada.model.reported
    assert page is not None
    client = evening.ada
    for _ in range(int(MOST_SECONDS / 100) + 2):
        if has_windows:
            # The new window reports before the old one is closed.
            window, client = client, evening.house.client("Ada")
            client.port.enter(room_id)
            evening.wait(1)
            client.port.have_read(page)
            evening.wait(1)
            window.disconnect()
        else:
            client.port.have_read(page)
        evening.wait(98)

    assert evening.answers() > before


def test_no_client_makes_a_bot_miss_its_time_limit() -> None:
    evening = Evening(Settings(time_limit_seconds=60, by_calendar=True))
    evening.play_until_the_bot_is_asked()
    before = evening.answers()
    page = evening.ada.model.reported
    assert page is not None
    for _ in range(4):
        evening.ada.port.have_read(page)
        evening.wait(10)

    assert evening.answers() > before
    assert not happened(evening.house, room_id_of(evening.ada), events.TimedOut)


def test_a_report_of_records_to_come_counts_for_none_of_them() -> None:
    evening = Evening()
    evening.ada.port.have_read(10**6)
    evening.wait(1)
    evening.play_until_the_bot_is_asked()
    before = evening.answers()
    evening.wait(PATIENCE_SECONDS / 2)

    assert evening.answers() == before


def test_a_time_limit_does_not_pass_while_a_bot_waits() -> None:
    evening = Evening(Settings(time_limit_seconds=60, by_calendar=True))
    evening.play_until_the_bot_is_asked()
    before = evening.answers()
    evening.wait(40)

    assert evening.answers() > before
    assert not happened(evening.house, room_id_of(evening.ada), events.TimedOut)


def test_it_waits_for_nobody_where_the_table_says_so() -> None:
    evening = Evening(Settings(bots_wait=False))
    before = evening.answers()
    for _ in range(10):
        ask = room_of(evening.house, evening.ada).ask
        assert ask is not None
        if 0 in ask.waiting_for:
            evening.ada.port.answer(ask.ask_id, ask.questions[0].value.row_default)
        evening.wait(1)

    assert evening.answers() > before
    assert not evening.ada.session.all(messages.ReadersAwaited)


def test_who_leaves_is_not_waited_for() -> None:
    house = House()
    ada, ben, cid = seat_all(house, ["Ada", "Ben", "Cid"])
    cid.port.await_readers()
    house.settle()
    ada.port.have_read(3)
    ben.port.have_read(1)
    house.settle()
    ben.disconnect()
    ada.port.leave_table()
    house.settle()

    assert [one.until for one in cid.session.all(messages.ReadSoFar)] == [-1, 3, 1, 3, -1]


def test_clients_that_report_nothing_are_not_waited_for() -> None:
    """Clients in plain mode send no reports, since their text stays readable."""
    house = House()
    (ada,) = seat_all(house, ["Ada"])
    ada.port.add_bot()
    house.settle()
    get_ready(house, [ada])
    house.settle(20)
    ada.port.start()
    house.settle(20)
    ask = room_of(house, ada).ask
    assert ask is not None
    for seat, one in ask.questions.items():
        if seat == 0:
            ada.port.answer(ask.ask_id, one.value.row_default)
    house.settle(20)

    assert answers_in(house, room_id_of(ada))


@pytest.mark.long
def test_no_record_of_a_bot_comes_while_a_page_is_open() -> None:
    house = House()
    (ada,) = seat_all(house, ["Ada"])
    desk = Desk(ada.model, ada.port, Journal(lambda: ada.model.speaker))
    ada.model.followers.append(desk.journal)
    desk.now = house.clock.seconds
    ui = Ui(desk)

    def draw() -> None:
        ui.draw(30, 80)

    ada.model.on_change.append(draw)
    for _ in range(2):
        ada.port.add_bot()
    house.settle()
    get_ready(house, [ada])
    ada.port.start()
    house.settle()
    pages = 0
    for _ in range(40):
        view = ada.model.view
        assert view is not None
        if any(isinstance(box, StoryBox) for box in desk.boxes):
            pages += 1
            before = answers_in(house, view.room_id, BOT, 2)
            house.settle(5)
            draw()
            assert answers_in(house, view.room_id, BOT, 2) == before
            ui.press("escape")
        elif desk.boxes:
            ui.press("escape")
        elif view.ask is not None and (question := view.my_question()) is not None:
            if view.ask.has_open_votes:
                ada.port.vote(view.ask.ask_id, question.row_default)
            else:
                ada.port.answer(view.ask.ask_id, question.row_default)
        house.settle(1)
        draw()

    assert pages > 3
    assert answers_in(house, room_id_of(ada), BOT, 2) > 10


def test_others_learn_nothing_but_how_far_all_are() -> None:
    house = House()
    ada, ben, cid = seat_all(house, ["Ada", "Ben", "Cid"])
    cid.port.await_readers()
    house.settle()
    log = len(house.log_of(room_id_of(ada)))
    ada.port.have_read(3)
    house.settle()
    ben.port.have_read(1)
    house.settle()
    ben.port.have_read(5)
    house.settle()

    assert [one.until for one in cid.session.all(messages.ReadSoFar)] == [-1, 3, 1, 3]
    assert not ada.session.all(messages.ReadSoFar)
    assert not cid.session.all(messages.ReadersAwaited)
    assert len(house.log_of(room_id_of(ada))) == log


def test_who_comes_later_is_asked_too() -> None:
    house = House()
    ada, cid = seat_all(house, ["Ada", "Cid"])
    ada.disconnect()
    cid.port.await_readers()
    house.settle()
    ada.session.hear = lambda message: house.clock.callLater(0, lambda: ada.port.received(message))
    ada.port.status_changed(Disconnected(0.0, "gone"))
    ada.connect()
    house.settle()

    assert ada.session.all(messages.ReadersAwaited)
    assert ada.model.reported == -1
