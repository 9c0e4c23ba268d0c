"""Investigators who join: at the start, and after a death. Sections 2 and 23."""

from protocol.common.text import Text
from protocol.games.first_edition.events import (
    InvestigatorJoined,
    ItemGained,
    SpellGained,
    TurnEnded,
)
from protocol.games.first_edition.table import (
    InvestigatorId,
    Spell,
    WeaponFacts,
    spell_deck,
)
from protocol.games.first_edition.words import Attribute
from server.games.first_edition.rules import burning, death, decks, horror, trauma
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option, Prompt


def trait_prompts(play: Play, who: InvestigatorId) -> tuple[Prompt[str], Prompt[str]]:
    """Return the questions for a physical and a mental trait. K-SETUP-7, K-DECIDE-8."""
    card = play.content.pack.characters[who]

    def ask(group: str, traits: tuple[str, ...]) -> Prompt[str]:
        options = tuple(
            Option(trait, Text("choice/trait", (trait, Text(trait)))) for trait in traits
        )
        return Prompt(Text(f"ask/{group}_trait", (who,)), options)

    return ask("physical", card.physical), ask("mental", card.mental)


def join(play: Play, who: InvestigatorId, seat: int, traits: tuple[str, ...]) -> None:
    """
    Put an investigator with two traits on the starting space. K-SETUP-5 to 10, K-NEW-4 to 7.

    The physical trait brings a starting item or a spell; the two bring all seven attributes
    (K-DECIDE-7, K-DECIDE-8).
    """
    pack = play.content.pack
    card = pack.characters[who]
    chosen = [pack.traits[trait] for trait in traits]
    attributes = {
        attribute: value for trait in chosen for attribute, value in trait.attributes.items()
    }
    in_order = {attribute: attributes[attribute] for attribute in Attribute}
    play.emit(
        InvestigatorJoined(who, seat, card.health, card.sanity, card.skill_points, traits, in_order)
    )
    for trait in chosen:
        if trait.item is not None:
            gain_item(play, who, trait.item)
        if trait.spell is not None:
            gain_spell(play, who, trait.spell)


def gain_item(play: Play, who: InvestigatorId, item: str) -> None:
    """Give an investigator an item from outside the board. K-SETUP-8."""
    card = play.content.pack.items[item]
    facts = None
    if (weapon := card.weapon) is not None:
        facts = WeaponFacts(weapon.kind, weapon.range, weapon.damage, weapon.uses)
    play.emit(ItemGained(who, card.id, card.keywords, facts))


def gain_spell(play: Play, who: InvestigatorId, spell: str) -> None:
    """
    Give an investigator the top copy of a spell, unless he has it. K-SPELL-5, K-SPELL-8.

    The front is open (K-SECRET-11), and nobody sees the back (K-SECRET-10).
    """
    if any(one.card == spell for one in play.table.investigators[who].spells):
        return
    card = play.content.pack.spells[spell]
    handle = decks.top(play, spell_deck(spell))
    if handle is not None:
        front = Spell(card.id, handle, card.attribute, card.modifier, card.attack)
        play.emit(SpellGained(who, front))


async def arrive(play: Play, seat: int) -> None:
    """
    Have a player whose investigator was killed choose a new one; this is the turn. K-NEW-1 to 7.

    The keeper is not asked beside it (K-DECIDE-18). Arriving is entering the room, without a fire
    test (K-DECIDE-92); a fire there burns at the end of this turn like any other (K-FIRE-1).
    """
    if not death.unused(play):
        death.eliminate(play, seat)
        return
    about = Text("about/new_investigator")
    options = [Option(one, Text("choice/investigator", (one,))) for one in death.unused(play)]
    who = await play.choose(
        seat, options, rule="K-NEW-2", about=about, prompt=Text("ask/new_investigator")
    )
    row = await play.each_in_row({seat: trait_prompts(play, who)}, rule="K-NEW-4", about=about)
    join(play, who, seat, tuple(trait for (trait,) in row[seat]))
    await horror.on_entering(play, who)
    if who in play.table.investigators:
        await burning.at_end_of_turn(play, who)
    await trauma.settle(play)
    play.emit(TurnEnded(seat))
