"""Who decides and who may interrupt, on the full screen and in plain lines."""

import pytest

from client.journal.journal import Journal
from client.keymap.keys import Context
from client.locale import LANGUAGES, load
from client.plain.client import PlainClient
from client.plain.talk import Environment
from client.plugs.lessons import Glance
from client.screens.base.screen import GUARD_SECONDS, Desk
from client.screens.ui import Ui
from client.teaching.coach import Coach
from tests.games.woods.client.face import round_of
from tests.games.woods.protocol.events import SnareMoved
from tests.games.woods.protocol.table import WoodsTable
from tests.games.woods.results import finished
from tests.games.woods.table import Party, told
from tests.games.woods.test_pounce import LEAST, walked, with_a_trick
from tests.kit.servers.house import Client

pytestmark = pytest.mark.issue(39)


def screen_of(party: Party, client: Client) -> Ui:
    desk = Desk(client.model, client.port, Journal(lambda: client.model.speaker))
    desk.now = party.house.clock.seconds
    return Ui(desk)


def flat(text: str) -> str:
    """Return the left column of a screen as one line."""
    return " ".join(" ".join(line.split("│")[0] for line in text.split("\n")).split())


def test_two_keys_interrupt_and_none_lets_it_be() -> None:
    party = with_a_trick()
    ui = screen_of(party, party.kim)
    drawn = flat(ui.draw(24, 100).plain())

    assert "Ann decides" in drawn
    party.house.settle(GUARD_SECONDS)
    assert "You may interrupt Ann. Say nothing to let it be." in drawn
    # Enter from habit interrupts nobody.
    ui.press("enter")
    party.house.settle(0.2)
    assert not told(party.kim, SnareMoved)
    ui.press("down")
    assert "Enter interrupt" in flat(ui.draw(24, 100).plain())
    ui.press("enter")
    party.house.settle(0.2)
    assert len(told(party.kim, SnareMoved)) == 1


def test_who_has_decided_sees_it_until_it_counts() -> None:
    party = with_a_trick()
    ann, _ = party.others
    ui = screen_of(party, ann)
    assert "Your choice" in flat(ui.draw(24, 100).plain())

    ui.press("enter")
    party.house.settle(0.2)

    # The screen of this test knows no time.
    said = "Decided: Walk: the brook. It counts in a moment, unless somebody interrupts."
    assert said in flat(ui.draw(24, 100).plain())
    assert walked(party) == []
    party.house.settle(LEAST + 1)
    assert walked(party) == [("animal/badger", "clearing/brook")]
    assert "Decided" not in flat(ui.draw(24, 100).plain())


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_read_in_plain_lines_what_they_can_do(language: str) -> None:
    party = with_a_trick()
    ann, _ = party.others
    printed: dict[str, list[str]] = {"kim": [], "ann": []}
    plain = {}
    for name, client in {"kim": party.kim, "ann": ann}.items():
        client.model.locale = load(language)
        environment = Environment(now=party.house.clock.seconds)
        lines = printed[name].append
        plain[name] = PlainClient(client.model, client.port, lines, environment=environment)
        plain[name].update()

    def say(key: str, *params: str) -> str:
        # Plain mode prints ordinary blanks.
        return load(language).say(key, *params).replace("\u00a0", " ")

    assert say("plain.interrupt_how") in "\n".join(printed["kim"])

    plain["ann"].hear("1")
    plain["kim"].hear("0")

    assert say("plain.let_be") in printed["kim"][-1]
    assert say("question.held", "?", f"{LEAST} s").partition("?")[2] in printed["ann"][-1]
    party.house.settle(LEAST + 1)
    assert walked(party) == [("animal/badger", "clearing/brook")]


def test_the_lesson_on_interrupting_stays_until_the_keeper_must_answer_again() -> None:
    party = with_a_trick()
    coach, shown = Coach(), list[str]()

    def look() -> None:
        lesson = coach.lesson_for(Glance(party.kim.model.view, Context.ROOM))
        shown.append("" if lesson is None else lesson.name)

    look()
    # All may walk at once now, and the keeper is asked nothing.
    party.answer(party.kim, "brook")
    look()
    for client in party.others:
        party.answer(client, "glade")
    look()

    assert shown[:2] == ["keeper_move"] * 2
    assert shown[2] != "keeper_move"


def test_the_round_of_a_finished_game_is_its_last() -> None:
    party = finished("animal")
    view = party.kim.model.view
    assert view is not None
    assert isinstance(view.table.game, WoodsTable)
    end = view.table.game.came_out()
    assert end is not None
    assert round_of(view.table.game).phase(party.kim.model.speaker) == ("Round 1",)
    assert end.rounds == 1
