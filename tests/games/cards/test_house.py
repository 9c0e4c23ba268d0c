"""Random games of the test house, whose cards use the vocabulary."""

from collections import Counter

import attrs
import pytest

from content.games.cards import schema
from content.games.cards.schema import cards, kinds, occurrences, pack
from protocol.archive import load
from protocol.audit import audit
from protocol.games.cards.words import Phase, Skill, Trauma, Until
from tests.games.cards.house_pack import house
from tests.games.cards.random_games import play
from tests.kit import vocabulary
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(42)

EVERY_RUN = 3
"""Number of games in every run; another test plays those of four investigators."""
LONG, CHUNK = 1000, 50
EVENING, GRID, APART = "house/evening", "house/grid", "house/apart"
KINDS = frozenset(vocabulary.named(kind) for kind in cards.AnyCard.__subclasses__())
COMMON = frozenset(field.name for field in attrs.fields(cards.AnyCard))


def left_out(made: pack.Pack) -> list[str]:
    """Return what of the vocabulary a pack never uses; what all cards may have counts once."""
    found = vocabulary.unused(
        made,
        vocabulary.modules_of(schema),
        words=(Phase, Skill, Trauma, Until),
        but=(cards.AnyCard, kinds.Kind, occurrences.Moment, pack.Content),
        left=("words.Phase.over", "words.Phase.setup"),
    )
    lacking = Counter(name.rpartition(".")[2] for name in found if _is_common(name))
    nowhere = [field for field, number in lacking.items() if number == len(KINDS)]
    own = [name for name in found if not _is_common(name)]
    return [*own, *(f"cards.AnyCard.{field}" for field in nowhere)]


def _is_common(name: str) -> bool:
    kind, _, field = name.rpartition(".")
    return kind in KINDS and field in COMMON


def _play(seed: int, scenario: str = EVENING) -> None:
    played = play(seed, house(), scenario=scenario)
    again = f"again: play({seed}, house(), scenario={scenario!r})"
    if played.faults:
        pytest.fail("\n".join([*played.faults, again]))
    assert audit(load(file_of(played.game.room))).is_finished, again


@pytest.mark.parametrize("seed", range(EVERY_RUN))
def test_a_game_of_the_house_ends_and_breaks_nothing(seed: int) -> None:
    """One game of one, two and three investigators."""
    _play(seed)


@pytest.mark.parametrize(("scenario", "seed"), [(GRID, 2), (APART, 1)])
def test_a_game_on_a_grid_or_apart_ends_and_breaks_nothing(scenario: str, seed: int) -> None:
    """Games of three and of two investigators."""
    _play(seed, scenario)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(LONG // CHUNK))
@pytest.mark.parametrize("scenario", [EVENING, GRID, APART])
def test_a_thousand_games_of_the_house_break_nothing(scenario: str, chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        _play(seed, scenario)


def test_the_house_uses_the_vocabulary() -> None:
    assert left_out(house()) == [], "use it in tests/games/cards/house"


def test_what_a_pack_never_uses_is_found() -> None:
    without = attrs.evolve(house(), treacheries={}, enemies={})

    assert {"targets.Prey.only", "cards.TreacheryCard.signature_of"} <= {*left_out(without)}
