"""What of the vocabulary the test house does not use yet. The list only gets shorter."""

NOT_YET = frozenset(
    f"{module}.{name}"
    for module, names in {
        "cards": """
            Ability.is_forced Ability.unreachable AbilityZone.discard ActCard.other
            AgendaCard.other CopyLimit.group CopyLimit.most CopyLimit.zone
            EnemyCard.campaign EnemyCard.multiplayer EnemyCard.signature_of LimitedZone.deck
            LimitedZone.play LocationCard.versions PlayerCard.campaign PlayerCard.copies
            PlayerCard.limits PlayerCard.multiplayer PlayerCard.set_ PlayerCard.title
            PlayerCard.vengeance PlayerCard.victory StoryCard.other TreacheryCard.basic
            TreacheryCard.campaign TreacheryCard.multiplayer TreacheryCard.signature_of
            TreacheryCard.weakness
        """,
        "conditions": """
            Exists.most HandIs.most Has.least Has.most InTest.deed InTest.here InTest.skill
            InTest.target MarginIs.most RoundIs.most StatIs.card StatIs.most
        """,
        "costs": """
            DiscardHandCost.number HarmCost.horror UsesCost.number
        """,
        "kinds": """
            CardType.act CardType.investigator CardType.scenario CardType.story
            Deed.activate Deed.engage Deed.explore Deed.play Deed.resource Factor.chosen
            Factor.icons
            Factor.found Factor.resources Factor.that Factor.that-clues Keyword.bonded
            Stat.agility Stat.clues Stat.cost Stat.damage Stat.difficulty Stat.doom
            Stat.evade Stat.health Stat.horror Stat.sanity Stat.willpower
        """,
        "modifiers": """
            AdditionalCost.to AdditionalCost.where Cannot.where CommitModifier.beneath
            How.double How.halve How.set
            IconsModifier.by KeywordModifier.loses NoAction.deed SkillModifier.how
            SkillModifier.of SlotModifier.number StatModifier.how TraitModifier.loses
        """,
        "occurrences": """
            Happening.exploration-failed Happening.explored On.cause On.deed On.is_first
            On.skill On.token Person.another Person.anyone
        """,
        "scenario": """
            Choice.among Choice.id Choice.is_dealt Choice.looks Choice.number MoreDeck.id
            MoreDeck.locations MoreDeck.own_discard MoreDeck.sets Scenario.act_versions
            Scenario.decks Scenario.difficulty Scenario.most Scenario.random
        """,
        "steps": """
            Actions.who Advance.keeps_doom AsIfThere.at AsIfThere.do
            AsIfThere.engaged Attach.card Attack.who BasicWeakness.who
            Capture.card Damage.horror DiscardHand.all DiscardHand.number DiscardHand.of
            DiscardHand.who Discover.at Discover.number Discover.who Doom.card Doom.number
            DrawEncounter.deck DrawEncounter.number DrawEncounter.revelation_of
            DrawEncounter.takes_over Either.who Engage.who Evade.automatic Evade.base
            Evade.skill Exchange.mine Exchange.theirs Explore.deck Explore.of Fight.card
            GiveTrauma.number Heal.card IntoPlay.at IntoPlay.from_discard IntoPlay.from_hand
            Investigate.failure Investigate.instead Investigate.success LastingStep.card
            Later.card May.who PlayCard.of Move.who MoveEnemy.to Reduce.token RemoveTokens.number
            RevealMore.from_card RevealMore.keep SearchMore.targets SearchMore.top
            TakeAction.who TakeClues.to_pool TakeClues.who TakeControl.who TakeOut.card
            TakeOut.to Test.who ToThreat.card ToThreat.who
        """,
        "targets": """
            Choose.least Extreme.least Extreme.stat Filter.at Filter.class_ Filter.cost_is
            Filter.lacks Filter.other Filter.they Filter.unique Filter.without Most.fewest
            Parity.even Parity.odd TheCard.cause TheCard.host TheCard.target Topmost.of
            Where.on-location Where.on-this Where.your-area Who.at-this Who.others Who.owner
            Who.tester Who.who
        """,
        "words": """
            Phase.investigation Phase.mythos Skill.intellect Until.action
        """,
    }.items()
    for name in names.split()
)
