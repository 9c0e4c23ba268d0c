"""Products of a pack: parts that a table can switch off. W-DECIDE-55."""

import re

import pytest

from content.games.first_edition.lint import lint
from tests.games.first_edition.content.packs import FILES, load, mistakes_in, worded

rule = pytest.mark.rule

PRODUCT = "product/tides"


def holding(*held: str, more: str = "") -> dict[str, bytes]:
    """Return the tiny pack with a product that holds these components."""
    products = f"- id: {PRODUCT}\n  holds: [{', '.join(held)}]\n{more}"
    return worded({**FILES, "products.yaml": products.encode()})


@rule("W-DECIDE-55", "W-CARD-14")
def test_a_component_belongs_to_one_product_and_is_gone_without_it() -> None:
    pack = load(holding("trauma/dread", "mythos/chill"))

    assert pack.product_of("mythos/chill") == PRODUCT
    assert pack.product_of("combat/b1") == ""
    left = pack.without([PRODUCT])
    assert not {"trauma/dread", "mythos/chill"} & {*left.traumas, *left.mythos}
    assert pack.without(["product/other"]) is pack
    twice = holding("mythos/chill", more="- id: product/two\n  holds: [mythos/chill]\n")
    assert any(f"mythos/chill belongs to {PRODUCT} already" in one for one in mistakes_in(twice))


@rule("W-DECIDE-55", "K-DECIDE-51")
def test_a_combat_deck_answers_every_attack_without_the_product_too() -> None:
    """The one card for unarmed attacks is in the product, and so may be missing."""
    told = mistakes_in(holding("combat/b1"))
    assert any("is for an attack of the kind unarmed" in one for one in told)
    assert len(told) == len(set(told))


@rule("W-DECIDE-55")
def test_what_a_story_needs_of_another_product_is_found() -> None:
    found = [str(one) for one in lint(load(holding("mythos/chill")))]
    assert f"tiny: tiny/house: names mythos/chill of {PRODUCT}, which may be switched off" in found

    own = [str(one) for one in lint(load(holding("mythos/chill", "tiny/house")))]
    assert not any("mythos/chill" in one and "switched off" in one for one in own)


@rule("W-CARD-14")
def test_words_of_a_component_name_its_product() -> None:
    words = load(holding("mythos/chill")).catalogs["en"]
    assert words["mythos/chill"]["product"] == PRODUCT
    assert "product" not in words["combat/b1"]


@rule("W-DECIDE-55")
def test_a_product_without_words_is_told_with_the_other_mistakes() -> None:
    files = holding("mythos/chill")
    for name in files:
        if name.startswith("words/"):
            files[name] = re.sub(rb"^product/tides: .*\n", b"", files[name], flags=re.MULTILINE)

    (told,) = mistakes_in(files)

    assert told.startswith("products.yaml:1:7: product/tides.id: no words for 'product/tides'")
