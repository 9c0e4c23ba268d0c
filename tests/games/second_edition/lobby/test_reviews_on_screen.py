"""Reviews on two screens and over a lost connection."""

import pytest

from client.journal.journal import Journal
from client.journal.together import LEAST_SECONDS
from client.locale import load as locale_of
from client.notes.note_book import books_in
from client.screens.base.screen import Desk
from client.screens.review.replay import ReplayScreen
from client.screens.review.review_table import POINTED_SECONDS
from client.screens.ui import Ui
from protocol import messages
from tests.games.second_edition.client.stage import same_screen
from tests.games.second_edition.lobby.test_campaigns import Saga
from tests.games.second_edition.lobby.test_sharing import played
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of

pytestmark = pytest.mark.issue(17)


@pytest.fixture
def house() -> House:
    return Saga()


class Screened:
    """Player at a full screen."""

    def __init__(self, house: House, client: Client, language: str = "en") -> None:
        self.house, self.client, model = house, client, client.model
        model.locale = locale_of(language)
        if model.view is not None:
            client.port.leave_table()
        house.settle()
        journal = Journal(lambda: model.speaker)
        self.ui = Ui(Desk(model, client.port, journal, now=house.clock.seconds))
        client.port.list_tables()
        house.settle()

    def press(self, *keys: str) -> str:
        """Press keys, letting the server reply after each; return the last screen."""
        for key in keys:
            self.ui.press(key)
            self.drawn()
        return self.drawn()

    def type(self, text: str) -> None:
        """Type a line into the open entry."""
        self.ui.enter(text)
        self.drawn()

    def drawn(self, rows: int = 24, columns: int = 80) -> str:
        """Return the settled screen as words in one line."""
        self.ui.draw(rows, columns)
        self.house.settle(0.5)
        self.ui.draw(rows, columns)
        self.house.settle(0.5)
        return " ".join(self.ui.draw(rows, columns).plain().split())

    @property
    def replay(self) -> ReplayScreen:
        screen = self.ui.base()
        assert isinstance(screen, ReplayScreen)
        return screen

    @property
    def event(self) -> int:
        return self.replay.replay.event


def both(house: House, language: str = "en") -> tuple[Screened, Screened, str]:
    """Return two people in the review of their game; the first one leads."""
    ann, ben = played(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    first, second = Screened(house, ann), Screened(house, ben, language)
    # The first of the list is the game.
    first.press("v", "R", "enter")
    second.press("R")
    return first, second, room_id


def test_who_follows_goes_where_the_leader_goes(house: House) -> None:
    ann, ben, _ = both(house)

    first = ann.press("right", "right")
    second = ben.drawn()

    assert ben.event == ann.event > 0
    assert "Review: you lead. With you: Ben." in first
    assert "Review: you follow Ann. With you: Ann." in second
    ann.press("v")
    ben.drawn()
    assert ben.replay.replay.point == ann.replay.replay.point != ann.replay.replay.points[0]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_review_looks_as_accepted(house: House, language: str) -> None:
    ann, ben, room_id = both(house, language)
    ann.press("pagedown")
    ann.client.port.talk_in_review(room_id, "look there")
    ann.client.port.note_game(room_id, ann.event, "why?")
    ben.drawn()
    sizes = ((18, 34), (24, 80))
    for rows, columns in sizes:
        same_screen(f"review-{columns}x{rows}-{language}", ben.ui.draw(rows, columns).plain())
    ben.press("left", "R")
    for rows, columns in sizes:
        same_screen(f"review_box-{columns}x{rows}-{language}", ben.ui.draw(rows, columns).plain())


def test_who_moves_breaks_free_and_one_key_comes_back(house: House) -> None:
    ann, ben, _ = both(house)
    ann.press("right", "right")
    ben.drawn()

    said = ben.press("end")
    here = ben.event
    ann.press("right")

    assert "you go by yourself; b goes back to" in said
    ben.drawn()
    assert ben.event == here != ann.event
    assert "you follow Ann" in ben.press("b")
    assert ben.event == ann.event


def test_a_leader_in_a_hurry_says_where_they_are_a_few_times_a_second(house: House) -> None:
    """Steps in between may be dropped, but not the last one."""
    ann, ben, _ = both(house)
    ann.client.session.sent.clear()

    for _ in range(40):
        ann.ui.press(".")
        ann.ui.draw(24, 80)
    house.settle(LEAST_SECONDS)

    told = ann.client.session.all(messages.ReviewState)
    assert len(told) <= 2
    ann.drawn()
    ben.drawn()
    assert ben.event == ann.event


def test_the_lead_is_handed_over(house: House) -> None:
    ann, ben, _ = both(house)
    box = ann.press("R")
    assert "Have Ben lead" in box

    # Point, say, hand over.
    ann.press("down", "down", "enter")

    assert "You lead this review now" in ben.drawn()
    ben.press("end")
    ann.drawn()
    assert ann.event == ben.event


def test_all_read_what_is_said_and_what_somebody_points_at(house: House) -> None:
    ann, ben, _ = both(house)
    ben.press("c")
    ben.type("look there")
    ben.press("escape")

    assert "Ben says: look there" in ann.drawn()
    ann.press("end")
    ann.press("x", "enter")
    assert "Ann points at event" in ben.drawn()
    house.settle(POINTED_SECONDS + 1)
    assert "points at" not in ben.drawn()


def test_notes_and_tags_stay_with_the_game(house: House) -> None:
    ann, ben, room_id = both(house)
    ann.press("right", "R")
    # Point, say, hand over, note.
    ann.press("down", "down", "down", "enter")
    ann.type("why not the lantern?")

    assert "Note by Ann: why not the lantern?" in ben.drawn()
    ben.press("q")
    assert [one.text for one in ben.client.model.finished.notes[room_id]] == [
        "why not the lantern?"
    ]
    ben.press("v")
    ben.replay.replay.go_to(ann.event)
    assert "Note by Ann: why not the lantern?" in ben.drawn()


def test_a_private_note_is_shared_by_its_writer(house: House, tmp_path: object) -> None:
    ann, ben, room_id = both(house)
    ann.client.model.note_books = books_in(tmp_path)  # type: ignore[arg-type]  # a path
    ann.press("right", "d", "enter")
    ann.type("mine alone")
    assert ben.client.model.finished.notes[room_id] == ()

    ann.press("d", "down", "enter")
    ann.press("down", "down", "enter")

    assert [one.text for one in ben.client.model.finished.notes[room_id]] == ["mine alone"]


def test_leaving_the_replay_leaves_the_review(house: House) -> None:
    ann, ben, _ = both(house)

    ann.press("q")

    assert ann.client.model.review is None
    assert "you lead" in ben.drawn()


def test_a_member_whose_connection_is_lost_comes_back_by_itself(house: House) -> None:
    ann, ben, _ = both(house)
    ben.client.session.hear = None
    house.lobby.sessions.disconnected(ben.client.session)
    ann.press("end")

    again = house.client("Ben")
    again.model.set_review(ben.client.model.review)
    again.port.join_review(again.model.review.room_id)  # type: ignore[union-attr]  # in one
    house.settle()

    assert again.model.review is not None
    assert again.model.review.state.event == ann.event
    assert again.model.review.state.me == 1


def test_without_a_review_its_keys_say_so(house: House) -> None:
    (ann,) = played(house, ["Ann"])
    screen = Screened(house, ann)
    assert "Nobody looks back on a game of yours now" in screen.press("R")
    screen.press("v")
    assert "You look back alone" in screen.press("b")
    assert "You look back alone" in screen.press("x")
    assert "You look back alone" in screen.press("c")


def test_the_list_of_tables_says_that_somebody_looks_back(house: House) -> None:
    ann, ben = played(house, ["Ann", "Ben"])
    first, second = Screened(house, ann), Screened(house, ben, "fr")
    first.press("v", "R", "enter")

    assert "Ann : relecture" in second.drawn().replace("\u00a0", " ")


def test_what_strangers_wrote_moves_no_cursor(house: House) -> None:
    """Control sequences are refused in names of pieces and removed from notes."""
    ann, ben, room_id = both(house)
    with pytest.raises(ValueError, match=r"printed"):
        ann.client.port.point_in_review(room_id, 1, ("\x1b[2J", "x"))
    ann.client.port.point_in_review(room_id, 1, ("no-such", "thing/else"))
    ann.client.port.note_game(room_id, 0, "a\x1b[2Jb")

    ben.drawn()

    assert [one.text for one in ben.client.model.finished.notes[room_id]] == ["a[2Jb"]
    assert "\x1b" not in ben.ui.draw(24, 80).plain()
