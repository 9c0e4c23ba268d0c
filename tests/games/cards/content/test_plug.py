"""The plug of the card game, beside those of the other games."""

from content.plugs.packs import base_packs


def test_the_bundled_pack_has_an_id_of_its_own() -> None:
    """A server offers the bundled packs of all games, and finds each by its id."""
    ids = [kind.base for kind, _ in base_packs()]

    assert len(ids) > 2
    assert len({*ids}) == len(ids)
