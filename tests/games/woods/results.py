"""Finished games of the woods, by who won."""

from protocol.common.table import Settings
from tests.games.woods.content.schema import Content
from tests.games.woods.table import Party, a_game
from tests.kit.servers.house import Client

CONTENTS = {
    "animal": Content(rounds=1),
    "keeper": Content(rounds=9),
    "nobody": Content(rounds=1, berries=9),
}
"""Content with which each side wins as `play_on` plays, and with which nobody does."""


def finished(winner: str, settings: Settings | None = None) -> Party:
    """Return a game that was won by a side, or by nobody."""
    party = a_game(settings, CONTENTS[winner])
    play_on(party, winner)
    return party


def play_on(party: Party, winner: str) -> None:
    """Play to the end: the keeper catches all animals or none."""
    while not party.game.winner:
        if is_asked(party.kim):
            party.answer(party.kim, "brook")
        sealed = party.game.snare
        assert sealed is not None
        # By lot in the first round of a fixed setup.
        snare = sealed.value.removeprefix("clearing/")
        aside = "glade" if snare == "brook" else "brook"
        for client in party.others:
            while is_asked(client):
                party.answer(client, snare if winner == "keeper" else aside)


def is_asked(client: Client) -> bool:
    return client.model.view is not None and client.model.view.my_question() is not None
