"""
The interface of a game's content, as the server and authors' tools use it.

Beyond `LoadedPack` a pack is opaque to all but its game; everything else is asked of the game's
`ContentKind`.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Protocol

import attrs

from content.reading.gaps import Gap
from content.reading.remarks import Remark
from protocol.common.table import GameEvent, GameTable, Legacy, Score
from protocol.common.text import Catalog, Text
from protocol.plugs import plug


class LoadedPack(Protocol):
    """A pack that has been loaded and can be played."""

    @property
    def game(self) -> str:
        """The name of the game that the pack is for."""

    @property
    def id(self) -> str:
        """The name of the pack."""

    @property
    def digest(self) -> bytes:
        """SHA-256 over the files of the pack."""

    @property
    def catalogs(self) -> Mapping[str, Catalog]:
        """The words of the pack by language: `en`, `fr`."""


@attrs.frozen
class ScenarioEntry:
    """A scenario in the lobby's list, without the roster, which the rules know."""

    id: str
    minutes: int
    difficulty: int
    product: str = ""
    """The product of the scenario; empty if the scenario cannot be switched off."""
    products: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    """The products that can be switched off, each with the characters that it contains."""
    campaign: str = ""
    """The campaign of the scenario; empty if it has none."""
    after: str = ""
    """The previous scenario of the campaign; empty for the first."""


@attrs.frozen(order=True)
class Mark:
    """One part of a scenario, for reports on the parts that games resolved."""

    kind: str
    id: str


@attrs.frozen
class GameOutcome:
    """Result of a game so far, and the number of its rounds; for reports."""

    winners: tuple[str, ...] = ()
    """The sides that won, as in `protocol.common.table.GameEnd`."""
    ending: str = ""
    """The subject of the closing text; empty while the game is in progress."""
    rounds: int = 0
    scores: tuple[Score, ...] = ()
    plot: str = ""
    """What the game was about, such as a secret goal, if the scenario has several such."""


@attrs.frozen
class WinBounds:
    """Bounds of the percentage of games that a side should win, with some numbers of players."""

    least: int
    most: int
    players: Collection[int] = ()
    """The numbers of players, ascending; empty: all that the bounds before these leave."""
    side: str = ""
    """The side; empty in a game with one side."""


class MarkedScenario(Protocol):
    """A scenario that counts how often each part is resolved, and otherwise plays unchanged."""

    @property
    def content(self) -> Any:
        """The scenario as rules read it."""

    @property
    def everything(self) -> tuple[Mark, ...]:
        """Every part, each once."""

    def seen(self, table: GameTable) -> Mapping[Mark, int]:
        """Return how often the game on a table resolved each part; unresolved ones are left out."""

    def on_table(self, table: GameTable) -> Collection[Mark]:
        """Return the marks of the parts that are on the board now."""

    def outcome(self, table: GameTable) -> GameOutcome:
        """Return the result of the game on a table so far."""

    def told(self, event: GameEvent) -> Text | None:
        """Return the text that an event shows to players; None if it shows none."""


class ContentKind(Protocol):
    """The content of one game. Every `pack` argument was returned by `load` of the same object."""

    base: str
    """The bundled pack whose words are the fallback for all other packs; empty for none."""

    dice: Mapping[str, int]
    """One side of the game's dice for each face, by the name of the face. Sides count from 0. Used
    by scripts."""

    @property
    def bounds(self) -> tuple[WinBounds, ...]:
        """
        Bounds for `manse content balance`; empty if the game has none.

        For each side and number of players the first ones that apply are used.
        """

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> LoadedPack:
        """Load a pack. ContentErrors, with all mistakes, if the pack cannot be used."""

    def remarks(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
        """Return the mistakes in the files of a pack; if there are none, the findings and notes."""

    def gaps(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
        """Return the words that a pack names and lacks; the pack may have mistakes."""

    def scenarios(self, pack: Any) -> tuple[ScenarioEntry, ...]:
        """Return the scenarios of a pack, in the order of the lobby's list."""

    def content(
        self, pack: Any, scenario: str, off: Collection[str] = (), legacy: Legacy | None = None
    ) -> Any:
        """
        Return the content of one game, as its rules read it.

        Args:
            pack: the pack to play.
            scenario: id of the scenario. KeyError if the pack has no such scenario.
            off: ids of the products that are switched off.
            legacy: the state that the last game of the campaign left; None outside campaigns.
        """

    def marked(self, pack: Any, scenario: str) -> MarkedScenario:
        """Return a scenario that counts how often each of its parts is resolved."""

    def map_lines(self, pack: Any, scenario: str, language: str) -> Iterator[tuple[str, ...]]:
        """Yield the map of a scenario as blocks of lines, the legend last."""

    def map_as_json(self, pack: Any, scenario: str, language: str) -> dict[str, Any]:
        """Return the map of a scenario as one JSON value."""

    def starter(self) -> Mapping[str, bytes]:
        """Return the files of a starter pack; `NAME/` in them stands for the pack's id."""

    def schemas(self) -> Mapping[str, str]:
        """Return the JSON Schemas of the files of a pack, by file name."""


def kind_of(game: str) -> ContentKind:
    """Return the content interface of a game. UnknownGameError if the game is not installed."""
    kind: ContentKind = plug("content", game, "plug").KIND
    return kind
