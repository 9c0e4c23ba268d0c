"""Reviews in plain mode."""

import re
from pathlib import Path

import pytest

from client.model.status import Connecting
from client.notes.note_book import books_in
from client.plain.client import PlainClient
from client.plain.talk import Environment
from tests.games.second_edition.lobby.test_campaigns import Saga
from tests.games.second_edition.lobby.test_sharing import played
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of

pytestmark = pytest.mark.issue(17)


@pytest.fixture
def house() -> House:
    return Saga()


class Typist:
    """Player in plain mode, at their list of tables."""

    def __init__(self, house: House, client: Client) -> None:
        self.house, self.client = house, client
        self.printed: list[str] = []
        if client.model.view is not None:
            client.port.leave_table()
        house.settle()
        environment = Environment(lambda _name, _text: None, house.clock.seconds, lambda: None)
        self.plain = PlainClient(client.model, client.port, self.printed.append, None, environment)
        client.port.list_tables()
        house.settle()

    def type(self, *lines: str) -> str:
        """Type lines; return what is printed until all have had their effect."""
        self.printed.clear()
        for line in lines:
            self.plain.hear(line)
            self.house.settle()
        return self.read()

    def read(self) -> str:
        """Return what was printed since the last call."""
        self.house.settle()
        found = "\n".join(self.printed)
        self.printed.clear()
        return found

    @property
    def event(self) -> int:
        replay = self.plain._talk.replay
        assert replay is not None
        return replay.replay.event


def both(house: House) -> tuple[Typist, Typist, str]:
    """Return two people in the review of their game; the first one leads."""
    ann, ben = played(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    first, second = Typist(house, ann), Typist(house, ben)
    first.type("review 1", "together join")
    second.type("together", "1")
    first.read()
    return first, second, room_id


def test_a_review_is_found_joined_and_followed(house: House) -> None:
    ann, ben = played(house, ["Ann", "Ben"])
    first, second = Typist(house, ann), Typist(house, ben)
    assert "Nobody looks back" in second.type("together")
    assert "Review: you lead" in first.type("review 1", "together join")

    assert "There now: Ann" in second.type("together")
    assert "you follow Ann" in second.type("1")

    first.type("5")
    assert "event 5 of" in second.read()
    assert second.event == 5


def test_who_moves_breaks_free_and_comes_back_by_a_command(house: House) -> None:
    ann, ben, _ = both(house)
    ann.type("5")
    ben.read()

    said = ben.type("7")
    ann.type("9")

    assert "“together follow” goes back to Ann" in said
    assert ben.event == 7
    assert "event 9 of" in ben.type("together follow")


def test_the_lead_goes_over_by_name(house: House) -> None:
    ann, ben, _ = both(house)

    assert ann.type("together lead Zoe")
    assert "Ben leads this review now" in ann.type("together lead Ben")

    ben.type("6")
    ann.read()
    assert ann.event == 6


def test_talk_pointing_and_notes_are_printed_at_the_others(house: House) -> None:
    ann, ben, room_id = both(house)
    ben.read()

    ann.type("together say look at this", "together point", "together note why?")
    ann.type("together tag mistake")

    said = ben.read()
    for line in ("Ann says: look at this", "Ann points at event", "Note by Ann: why?"):
        assert line in said
    assert "[mistake] (Ann)" in said
    assert "1. 0: Note by Ann: why?" in ben.type("together notes")
    assert "No note of yours" in ben.type("together remove 1")
    ann.type("together remove 1")
    assert [one.text for one in ben.client.model.finished.notes[room_id]] == ["mistake"]


def test_a_private_note_is_shared_by_its_number(house: House, tmp_path: Path) -> None:
    ann, ben, room_id = both(house)
    ann.client.model.note_books = books_in(tmp_path)
    ann.type("leave", "review 1", "together join", "note mine alone")
    assert ben.client.model.finished.notes[room_id] == ()

    ann.type("together share 1")

    assert "Note by Ann: mine alone" in ben.read()


def test_leaving_says_so_and_the_next_one_leads(house: House) -> None:
    ann, ben, _ = both(house)

    assert "in no review any more" in ann.type("together leave")
    assert "you lead" in ben.read()
    ann.type("together join")
    ben.type("leave")
    assert ben.client.model.review is None
    assert "you lead" in ann.read()


def test_without_a_review_its_words_say_so(house: House) -> None:
    ann, _, _ = both(house)
    ann.type("together leave")

    assert "You look back alone" in ann.type("together say hello")
    assert "You look back alone" in ann.type("together follow")
    assert "means nothing here" in ann.type("together dance")
    assert "together point: " in ann.type("together")


def test_a_pipe_needs_no_pauses(house: House) -> None:
    """Lines after the command that opens a game go to the replay."""
    (ann,) = played(house, ["Ann"])
    typist = Typist(house, ann)

    for line in ("review 1", "5", "together join", "together note here"):
        typist.plain.hear(line)

    said = typist.read()
    assert typist.event == 5
    assert "Note by Ann: here" in said


def test_what_the_page_has_people_type_is_understood(house: House, tmp_path: Path) -> None:
    """Every line of docs/review.md is typed, except the one about a lantern."""
    ann, _, room_id = both(house)
    ann.client.model.note_books = books_in(tmp_path)
    ann.client.model.note_books(room_id).write(1, "mine")
    page = (Path(__file__).parents[4] / "docs" / "review.md").read_text("utf-8")
    lines = [line for line in page.splitlines() if line.startswith("together ")]
    assert len(lines) == 8

    # Whoever handed the lead over can follow.
    said = {line: ann.type(line) for line in lines if "lantern" not in line}

    assert not [line for line, reply in said.items() if "means nothing" in reply]
    assert "mistake" in said["together notes"]
    assert "mine" in said["together share 1"]


def test_after_a_restart_of_the_server_the_review_is_opened_anew(house: House) -> None:
    ann, _, _ = both(house)
    ann.type("5", "together say hello")
    review = ann.client.model.review
    assert review is not None
    house.restart_after(60)

    again = house.client("Ann")
    again.model.set_review(review)
    again.port.join_review(review.room_id)
    house.settle()

    assert again.model.bar.text.startswith("The review was restarted")
    review = again.model.review
    assert review is not None
    assert (review.is_leader, review.said) == (True, ())


def test_whoever_comes_back_online_goes_on_looking_back(house: House) -> None:
    ann, _, _ = both(house)
    ann.type("5")

    house.restart()
    ann.client.port.status_changed(Connecting(1))
    ann.client.connect()
    said = ann.read()

    assert "Connected to" in said
    assert "Review: you lead" in said
    assert "Type help" not in said
    assert "finished (" not in said
    assert ann.event == 5


@pytest.mark.issue(39)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_words_that_a_replay_begins_with_do_what_is_said_of_them(
    house: House, language: str
) -> None:
    ann, _ = played(house, ["Ann", "Ben"])
    ann.port.set_language(language)
    first = Typist(house, ann)
    help_, leave = re.findall("[“«]\\s*(\\w+)\\s*[”»]", first.type("review 1"))

    assert "together" in first.type(help_) or language == "fr"
    first.type(leave)

    assert first.plain._talk.replay is None
    assert not first.plain.is_done
