"""What players read of a question that one seat decides and others may interrupt."""

import pytest

from client.journal.journal import all_lines
from client.locale import load
from client.locale.speaker import Speaker
from tests.games.toy.test_beside import Feud, all_can, at_feud
from tests.kit.servers.house import Client

pytestmark = pytest.mark.issue(39)

__all__ = ["all_can"]


def journal_of(client: Client, language: str = "en") -> list[str]:
    """Return the lines of a client's journal."""
    view = client.model.view
    assert view is not None
    spoken = client.model.speaker
    speaker = Speaker(load(language), spoken.words)
    return [line.text for line in all_lines(view.records, speaker)]


def viewers(table: Feud) -> tuple[Client, ...]:
    return (table.ann, table.ben, table.cid, table.wat)


# The journal


def test_everybody_reads_who_interrupted_whom(all_can: None) -> None:
    table = at_feud()
    table.answer(table.ben, "toy/trip")

    assert ["Ben interrupts Ann." in journal_of(one) for one in viewers(table)] == [True] * 4
    assert "Ben interrompt Ann." in journal_of(table.cid, "fr")


def test_a_decision_has_no_line_of_its_own() -> None:
    table = at_feud()
    table.decide(2)
    table.house.settle(10)

    assert table.scored()
    assert [line for line in journal_of(table.wat) if "interrupt" in line] == []
