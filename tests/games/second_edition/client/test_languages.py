"""Changing the language: on the screen, in plain mode, offline, and in a replay."""

import re
from typing import Any

import attrs

from client.journal.journal import Journal
from client.model.status import Disconnected
from client.plain.client import PlainClient
from client.text.printable import printable
from protocol import messages
from protocol.common.table import Settings, Stage
from tests.games.second_edition.client.scripted import asked, words
from tests.games.second_edition.client.stage import OnStage, model_of, play
from tests.kit.servers.house import Client, FakeSession, House
from tests.kit.servers.tables import start_all

_NO_WORDS = re.compile(r"<[a-z_]+[./][a-z_./-]+>")
"""Pattern of the placeholder for missing words."""


def journal_of(client: Client) -> Journal:
    """Return a journal that follows a client from now on."""
    journal = Journal(lambda: client.model.speaker)
    journal.begin(client.model.view)
    client.model.followers.append(journal)
    return journal


def told_anew(client: Client) -> list[str]:
    """Return the client's journal, written anew from the start of the game."""
    journal = Journal(lambda: client.model.speaker)
    journal.begin(client.model.view)
    return [line.text for line in journal.lines]


def test_the_language_is_switched_on_the_screen_in_the_middle_of_a_game() -> None:
    house = House()
    client = start_all(house, ["Ann", "Ben"])[0]
    seen: list[str] = []

    async def switch(stage: OnStage) -> None:
        await stage.press("e")
        await stage.press("enter")
        for _ in range(20):
            house.clock.advance(0.01)
            await stage.settle()
            seen.append(stage.text)
        house.settle()
        await stage.settle()
        seen.append(stage.text)

    shown = play(client.model, switch, rows=40, columns=120, port=client.port)

    assert client.model.locale.language == "fr"
    assert not [text for text in seen if _NO_WORDS.search(text)]
    assert "Manse parle maintenant français." in seen[0]
    journal = shown.terminal.ui.desk.journal
    assert [line.text for line in journal.lines] == told_anew(client)
    spoken = {message.language for message in client.session.all(messages.Words)[-1:]}
    assert spoken == {"fr"}
    assert shown.terminal.ui.desk.prefs.language == "fr"


def test_the_settings_say_what_is_spoken() -> None:
    """Both languages name the setting, so a player who knows one of them finds it."""

    async def look(stage: OnStage) -> None:
        await stage.press("e")
        assert "> Language / Langue  English" in stage.text

    play(model_of(asked()), look)


def test_the_language_is_switched_in_lines() -> None:
    house = House()
    client = start_all(house, ["Ann", "Ben"])[0]
    printed: list[str] = []
    face = PlainClient(client.model, client.port, printed.append)
    face.update()
    before = len(printed)

    face.hear("language fr")
    house.settle()

    told = "\n".join(printed[before:])
    assert "Manse parle maintenant français." in told
    assert told.count("\n") < 30
    assert not _NO_WORDS.search(told)
    view = client.model.view
    assert view is not None
    question = view.my_question()
    assert question is not None
    assert printable(client.model.speaker.text(question.prompt)) in told


def test_a_language_is_found_by_the_beginning_of_its_name() -> None:
    house = House()
    client = start_all(house, ["Ann", "Ben"])[0]
    printed: list[str] = []
    face = PlainClient(client.model, client.port, printed.append)

    face.hear("language")
    assert "English, français" in printed[-1]
    face.hear("language fran")
    house.settle()
    assert client.model.locale.language == "fr"
    face.hear("langue klingon")
    assert client.model.locale.language == "fr"


@attrs.define(eq=False)
class _Traveller:
    """Client that loses its connection and comes back."""

    client: Client

    def lose(self) -> None:
        self.client.disconnect()
        self.client.port.status_changed(Disconnected(1.0))

    def come_back(self) -> FakeSession:
        """Log in again in the current language; return the new session."""
        client = self.client
        session = client.session = FakeSession(client.session.account)
        session.hear = lambda message: client.house.clock.callLater(
            0, lambda: client.port.received(message)
        )
        client.connect()
        client.house.settle()
        return session


def subjects(session: FakeSession) -> set[str]:
    """Return the subjects of all words that the session received."""
    return {subject for told in session.all(messages.Words) for subject, _ in told.subjects}


def test_a_language_chosen_without_a_line_is_spoken_from_the_next_login_on() -> None:
    """The server is not asked to resend the history in the new language."""
    house = House()
    client = start_all(house, ["Ann", "Ben"])[0]
    journal, traveller = journal_of(client), _Traveller(client)
    before = subjects(client.session)
    traveller.lose()
    client.port.set_language("fr")
    assert client.model.locale.language == "fr"
    assert not _NO_WORDS.search("\n".join(line.text for line in journal.lines))

    session = traveller.come_back()

    assert {told.language for told in session.all(messages.Words)} == {"fr"}
    assert subjects(session) == before
    assert [line.text for line in journal.lines] == told_anew(client)
    view = client.model.view
    assert view is not None
    assert view.head == house.host_of(client).room.head


def test_a_language_chosen_after_an_interruption_is_spoken_of_all_that_happened() -> None:
    """Words of earlier events are sent again, as the server has lost the connection's state."""
    house = House()
    client = start_all(house, ["Ann", "Ben"])[0]
    journal, traveller = journal_of(client), _Traveller(client)
    before = subjects(client.session)
    traveller.lose()
    session = traveller.come_back()

    client.port.set_language("fr")
    house.settle()

    in_french = [told for told in session.all(messages.Words) if told.language == "fr"]
    assert {subject for told in in_french for subject, _ in told.subjects} >= before
    assert not _NO_WORDS.search("\n".join(line.text for line in journal.lines))
    assert [line.text for line in journal.lines] == told_anew(client)


def test_a_line_that_breaks_in_the_middle_of_a_switch_loses_no_word() -> None:
    for moment in range(6):
        house = House()
        client = start_all(house, ["Ann", "Ben"])[0]
        journal, traveller = journal_of(client), _Traveller(client)
        client.port.set_language("fr")
        for _ in range(moment):
            house.clock.advance(0)
        traveller.lose()

        traveller.come_back()

        fresh = client.model.words
        assert all(fresh._languages[subject] == "fr" for subject in fresh.subjects())
        assert [line.text for line in journal.lines] == told_anew(client)


def test_the_language_is_kept_through_an_interruption() -> None:
    house = House()
    client = start_all(house, ["Ann", "Ben"])[0]
    traveller = _Traveller(client)
    client.port.set_language("fr")
    house.settle()
    traveller.lose()

    session = traveller.come_back()

    assert session.account.language == "fr"
    records = [len(message.cuts) for message in session.all(messages.Records)]
    assert sum(records) < 5


def test_whoever_looks_on_later_comes_back_in_another_language() -> None:
    house = House()
    settings = Settings(spectators=True, spectators_delay_seconds=60)
    ada, _ = start_all(house, ["Ada", "Ben"], settings)
    wat = house.client("Wat")
    wat.port.watch(ada.session.last(messages.TableOpened).watch_code)
    house.settle(60)
    traveller = _Traveller(wat)
    view = wat.model.view
    assert view is not None
    held = len(view.records)
    ada.port.chat("not yet for Wat")
    traveller.lose()
    wat.port.set_language("fr")

    session = traveller.come_back()

    assert {told.language for told in session.all(messages.Words)} == {"fr"}
    assert wat.model.view is view
    assert len(view.records) == held
    assert view.table.room.stage is Stage.PLAYING


def test_a_replay_switches_the_story_as_well() -> None:
    model = model_of(None)
    seen: list[Any] = []

    async def switch(stage: OnStage) -> None:
        stage.terminal.ui.desk.model.words_in = words
        await stage.press("end")
        before = stage.text
        await stage.press("e", "enter", "escape", "end")
        seen.extend((before, stage.text))

    play(model, switch, replay=asked(), rows=40, columns=120)

    before, after = seen
    assert before != after
    assert "Cuisine" in after
    assert "Kitchen" not in after


def test_a_language_is_asked_for_in_that_language() -> None:
    """A player who sees the wrong language may not know its word for the setting."""
    house = House()
    client = start_all(house, ["Ann", "Ben"])[0]
    face = PlainClient(client.model, client.port, lambda _: None)

    face.hear("langue fr")
    house.settle()

    assert client.model.locale.language == "fr"
