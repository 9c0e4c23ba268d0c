"""Why a card or an action is refused: what its requirement lacks, in words of both languages."""

from collections.abc import Mapping

import pytest

from client.locale.word_store import WordStore
from content.games.first_edition.schema import requirements as needs
from content.games.first_edition.schema.story import Counter, StoryAlly, Tale
from content.games.first_edition.schema.targets import AllIn, OfClass, OfKind, Which, Who
from protocol import codec
from protocol.common.text import SubjectWords, Text
from protocol.games.first_edition.words import FeatureKind, Keyword, MonsterClass, TaleKind
from server.games.first_edition.rules import lacking, requirements
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.house import manor
from tests.games.first_edition.rules.worlds import ADA, BEN, HALL, MAN, RAT, STUDY, world

pytestmark = pytest.mark.issue(40)

NAMES = {
    ADA: "Ada",
    HALL: "Hall",
    STUDY: "Study",
    RAT: "Rat",
    MAN: "Man",
    "item/cup": "Cup",
    "story/candle": "Candles",
    "ally/nan": "Nan",
    "puzzle/knot": "Knot",
}
DARK = needs.Investigators(Who.ACTOR, dark=True)
ALTAR = needs.HasFeature(FeatureKind.ALTAR)
CASES = (
    (DARK, "Ada in the dark without a lantern"),
    (needs.Investigators(Who.ACTOR, within=STUDY, hidden=True), "Ada in “Study” in a hiding spot"),
    (needs.Investigators(AllIn(STUDY), at_least=2), "2 investigators in “Study”"),
    (needs.Investigators(Who.OTHERS, spells=True), "another investigator with a spell"),
    (needs.Investigators(Who.ROOM, trauma=True), "an investigator in the same room with a trauma"),
    (needs.Investigators(Who.ACTOR, keyword=Keyword.KEY), "Ada with a key"),
    (needs.Investigators(Who.ACTOR, item="item/cup"), "Ada with “Cup”"),
    (needs.Investigators(Who.ACTOR, sanity_at_most=3), "Ada with 3 sanity or less"),
    (needs.Monsters(), "a monster"),
    (needs.Monsters(Which.SPACE), "a monster in the same space"),
    (needs.Monsters(OfKind(RAT), at_least=2, stunned=True), "Rat (2 or more) with a stun token"),
    (needs.Monsters(OfClass(MonsterClass.BEAST), within="start"), "a beast in “Hall (1)”"),
    (ALTAR, "Altar"),
    (needs.HasFeature(FeatureKind.FIRE, STUDY), "Fire in “Study”"),
    (needs.ItemsLie(STUDY), "something that was dropped in “Study”"),
    (needs.ClueFound("clue/one"), "a clue that nobody has found yet"),
    (needs.Revealed(is_so=True), "the keeper’s objective revealed"),
    (needs.EventsResolved(2), "2 resolved events"),
    (needs.HasThreat(4), "4 threat (now 1)"),
    (needs.Counted("candle", at_least=3), "Candles: 3 or more (now 1)"),
    (needs.Counted("candle", at_most=0), "Candles: 0 or less (now 1)"),
    (needs.Killed(RAT), "Rat killed: 1 or more (now 0)"),
    (needs.Deaths(1), "1 dead investigator"),
    (needs.Not(needs.HasThreat(1)), "not 1 threat (now 1)"),
    (needs.Not(needs.Counted("candle", at_least=1)), "not Candles: 1 or more (now 1)"),
    (needs.Not(needs.Counted("candle", at_most=2)), "not Candles: 2 or less (now 1)"),
    (
        needs.Counted("candle", at_least=2, at_most=4),
        "Candles: 2 or more (now 1); Candles: 4 or less (now 1)",
    ),
    (needs.AllOf((needs.HasThreat(1), ALTAR, needs.Deaths(1))), "Altar; 1 dead investigator"),
    (needs.AnyOf((ALTAR, needs.Deaths(1))), "Altar, or 1 dead investigator"),
    (
        needs.AnyOf((ALTAR, needs.Deaths(1), needs.Deaths(2), needs.Deaths(3))),
        "Altar, or 1 dead investigator, or 2 dead investigators, or what its text asks for",
    ),
    (needs.AllyIs("ally/nan", talked=2), "Nan who has told 2 story cards"),
    (needs.Told("tale/bees"), "more story cards of “Nan”"),
    (needs.Solved("puzzle/knot"), "“Knot” solved"),
    (needs.StoryCardShown("find/shoe"), "what its text asks for"),
)


def catalogs() -> Mapping[str, Mapping[str, SubjectWords]]:
    return manor().catalogs


@pytest.mark.rule("K-DECIDE-69")
@pytest.mark.parametrize(("requirement", "said"), CASES, ids=[said for _, said in CASES])
def test_a_refusal_says_what_is_missing(requirement: needs.Requirement, said: str) -> None:
    nan = StoryAlly("ally/nan", tales=(Tale("tale/bees", TaleKind.RUMOUR),))
    fields = {"counters": (Counter("candle", start=1),), "allies": (nan,)}
    bench = world((ADA, BEN), threat=1, story=fields)
    source = Source("mythos/x", ADA)
    subjects = {name: {"name": word} for name, word in NAMES.items()}

    assert not requirements.holds(bench.game, requirement, source)
    text = lacking.reason(bench.game, requirement, source)

    words = WordStore({**catalogs()["en"], "name/part": {"text": "{0} ({1})"}, **subjects})
    assert words.say(text) == f"It needs this: {said}."
    french = WordStore({**catalogs()["fr"], "name/part": {"text": "{0} ({1})"}, **subjects})
    assert "<" not in french.say(text)


ALONE_IN_THE_DARK = needs.Investigators(Who.ACTOR, within="start", dark=True, hidden=True)


@pytest.mark.rule("K-DECIDE-69")
@pytest.mark.parametrize(
    "requirement",
    [
        needs.Not(needs.Not(needs.Not(needs.Not(needs.Not(needs.Not(needs.Not(DARK))))))),
        needs.AllOf((needs.AnyOf((ALONE_IN_THE_DARK,) * 3),) * 3),
        needs.AnyOf((needs.AllOf((needs.AnyOf((ALONE_IN_THE_DARK,) * 3),) * 3),) * 3),
    ],
    ids=["not", "all", "any"],
)
def test_a_requirement_nested_deep_has_a_reason_that_can_be_sent(
    requirement: needs.Requirement,
) -> None:
    text = lacking.reason(world(threat=1).game, requirement, Source("mythos/x", ADA))

    assert codec.decode(codec.encode(text, Text), Text) == text
