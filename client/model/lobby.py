"""Statuses of a client away from its table: how it was launched, the lobby, finished games."""

from collections.abc import Iterable, Mapping

import attrs

from client.model.review import Review
from protocol import messages
from protocol.common.table import Settings, Stage

_STAGES = (Stage.PLAYING, Stage.STARTING, Stage.LOBBY, Stage.OVER)
"""The order of tables in lists: unfinished games first."""


@attrs.frozen
class Launch:
    """The command that launched the client."""

    command: str
    """The command line with which the player can continue the same table later."""
    is_solo: bool = False
    """True if the server runs on this machine for one player, so that nobody is invited."""
    is_tutorial: bool = False


PLAY = Launch("manse play")
SOLO = Launch("manse solo", is_solo=True)
TUTORIAL = Launch("manse tutorial", is_solo=True, is_tutorial=True)


@attrs.frozen
class Lobby:
    """The server's listings for this player."""

    scenarios: tuple[messages.ScenarioLine, ...] | None = None
    """The scenarios of the server, game by game; None until the server has listed them."""
    games: tuple[messages.GameLine, ...] = ()
    """The games of which the server opens tables, in the order of lists."""
    tables: tuple[messages.TableLine, ...] | None = None
    """The tables where the player has a seat; None until the server has listed them."""
    reviews: tuple[messages.ReviewLine, ...] = ()
    """Reviews that the player may join."""
    lost_seats: tuple[messages.LostSeat, ...] = ()
    """Seats that the player lost while away, and that the client has not reported yet."""
    last_room: str = ""
    """The table at which the player last had a seat; empty if none is known."""
    continued: frozenset[str] = frozenset()
    """Finished tables whose group has opened another table since."""

    def with_scenarios(self, listed: messages.Scenarios) -> "Lobby":
        """Return the lobby with the games and scenarios that the server lists."""
        games: dict[str, messages.GameLine] = {}
        for game in listed.games:
            # Observers are people whom a host names; no server may name them for all hosts.
            settings = attrs.evolve(game.settings, observers=())
            games.setdefault(game.ruleset, attrs.evolve(game, settings=settings))
        order = list(dict.fromkeys((*games, *(line.ruleset for line in listed.lines))))
        scenarios = sorted(listed.lines, key=lambda line: order.index(line.ruleset))
        return attrs.evolve(self, games=tuple(games.values()), scenarios=tuple(scenarios))

    @property
    def offered(self) -> tuple[messages.ScenarioLine, ...]:
        """The scenarios of which the server opens tables; the others are for older tables."""
        offered = {game.ruleset for game in self.games}
        return tuple(line for line in self.scenarios or () if line.ruleset in offered)

    @property
    def offered_games(self) -> tuple[messages.GameLine, ...]:
        """The games with a scenario to open a table for."""
        played = {line.ruleset for line in self.scenarios or ()}
        return tuple(game for game in self.games if game.ruleset in played)

    def scenarios_of(self, ruleset: str) -> tuple[messages.ScenarioLine, ...]:
        """Return the scenarios of one game."""
        return tuple(line for line in self.scenarios or () if line.ruleset == ruleset)

    def usual_settings(self, scenario: str) -> Settings:
        """Return the settings that a table for a scenario has unless its host chooses others."""
        lines = [line for line in self.scenarios or () if line.scenario == scenario]
        of_game = {game.ruleset: game.settings for game in self.games}
        return of_game.get(lines[0].ruleset, Settings()) if lines else Settings()


@attrs.frozen
class FinishedGames:
    """The player's reviews, practice and notes on finished games."""

    review: Review | None = None
    """The player's current review."""
    practice: str = ""
    """
    The room of the practice game that the player entered from a replay; empty if there is none.
    """
    notes: Mapping[str, tuple[messages.GameNote, ...]] = attrs.field(factory=dict, repr=False)
    """The notes stored with finished games, by room. Only requested notes are included."""


@attrs.frozen
class Pending:
    """The requests that wait for the player's confirmation or password. They contain secrets."""

    table: messages.OpenTable | None = None
    """The request to open a table, which waits for the password."""
    code: str = ""
    """The code of the invitation to a game whose setup the player already knows, according to the
    server; empty if none waits."""


def sorted_tables(tables: Iterable[messages.TableLine]) -> list[messages.TableLine]:
    """Return tables in list order: unfinished first, and within a stage the newest first."""
    return sorted(tables, key=lambda line: (_STAGES.index(line.stage), -line.when))
