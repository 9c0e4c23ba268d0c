"""Woods with a board: reach, links and sight decide the choices and their results."""

import pytest

from client.boards.walls import walls
from client.settings.preferences import Charset
from tests.games.woods.content.schema import Content
from tests.games.woods.protocol.events import BerriesChanged
from tests.games.woods.server.board import TILES, onward, sees
from tests.games.woods.table import Party, a_game, told
from tests.kit.servers.house import Client

pytestmark = pytest.mark.issue(35)


def offered(client: Client) -> list[str]:
    """Return the clearings that a player may choose."""
    view = client.model.view
    question = view.my_question() if view is not None else None
    assert question is not None
    return [str(choice.text.params[0]).removeprefix("clearing/") for choice in question.choices]


def on_a_board() -> Party:
    """Return a game in which animals walk by the paths."""
    return a_game(content=Content(has_board=True))


def test_the_board_is_as_drawn() -> None:
    """The thicket is across the corner, the glade behind a wall with a burrow under it."""
    assert onward("clearing/brook") == ["clearing/thicket", "clearing/glade"]
    assert onward("clearing/glade") == ["clearing/brook"]
    assert onward("clearing/thicket") == ["clearing/brook"]
    assert sees("clearing/brook") == ["clearing/brook", "clearing/thicket"]
    assert sees("clearing/glade") == ["clearing/glade"]


def test_a_corner_that_can_be_crossed_is_drawn_as_one() -> None:
    boxes, plain = (walls(TILES, (), charset)[4, 6] for charset in (Charset.BOXES, Charset.ASCII))

    assert (boxes.char, plain.char) == ("╲", "X")
    assert boxes.style == plain.style == "class:map.corner"


def test_an_animal_walks_one_step_in_a_round() -> None:
    party = on_a_board()
    ann, ben = party.others
    party.answer(party.kim, "thicket")
    assert offered(ann) == ["brook", "thicket", "glade"]
    party.answer(ann, "glade")
    party.answer(ben, "brook")

    party.answer(party.kim, "thicket")

    assert offered(ann) == ["glade", "brook"]
    assert offered(ben) == ["brook", "thicket", "glade"]


def test_who_sees_another_animal_fall_finds_no_berry() -> None:
    berries = {}
    for clearing in ("brook", "glade"):
        party = on_a_board()
        ann, ben = party.others
        party.answer(party.kim, "thicket")
        party.answer(ann, "thicket")
        party.answer(ben, clearing)
        berries[clearing] = [change.animal for change in told(ben, BerriesChanged)]

    assert berries == {"brook": [], "glade": ["animal/crane"]}
