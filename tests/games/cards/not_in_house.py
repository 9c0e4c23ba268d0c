"""What of the vocabulary the test house does not use yet. The list only gets shorter."""

NOT_YET = frozenset(
    f"{module}.{name}"
    for module, names in {
        "bag": """
            RevealMore.from_card RevealMore.keep
        """,
        "cards": """
            Ability.is_forced Ability.unreachable AbilityZone.discard
            AbilityZone.victory ActCard.other AgendaCard.other Attach.card
            CopyLimit.group CopyLimit.most CopyLimit.zone EnemyCard.campaign
            EnemyCard.multiplayer EnemyCard.signature_of Exchange.mine Exchange.theirs
            Goal.captives IntoPlay.at IntoPlay.from_discard IntoPlay.from_hand
            LimitedZone.deck LimitedZone.play LimitedZone.victory LocationCard.versions
            PlayerCard.campaign PlayerCard.limits
            PlayerCard.multiplayer PlayerCard.set_ PlayerCard.title PlayerCard.vengeance
            PlayerCard.victory SearchMore.targets SearchMore.top StoryCard.other
            TakeControl.who ToThreat.card ToThreat.who TreacheryCard.basic
            TreacheryCard.campaign TreacheryCard.multiplayer TreacheryCard.signature_of
            TreacheryCard.weakness
        """,
        "conditions": """
            Exists.most HandIs.most Has.least Has.most InTest.deed InTest.here
            InTest.skill InTest.target MarginIs.most RoundIs.most StatIs.card
            StatIs.most
        """,
        "costs": """
            DiscardHandCost.number HarmCost.horror UsesCost.number
        """,
        "enemies": """
            Attack.who DrawEncounter.deck DrawEncounter.number
            DrawEncounter.revelation_of DrawEncounter.takes_over Engage.who Explore.deck
            Explore.of Move.who MoveEnemy.to
        """,
        "flow": """
            Either.who LastingStep.card Later.card May.who Reduce.token
        """,
        "goods": """
            Actions.who BasicWeakness.who Damage.horror DiscardHand.all
            DiscardHand.number DiscardHand.of DiscardHand.who Discover.at
            Discover.number Discover.who GiveTrauma.number Heal.card TakeClues.to_pool
            TakeClues.who
        """,
        "kinds": """
            CardType.act CardType.investigator CardType.scenario CardType.story
            Deed.activate Deed.engage Deed.explore Deed.play Deed.resource Factor.chosen
            Factor.found Factor.icons Factor.resources Factor.that Factor.that-clues
            Stat.agility Stat.clues Stat.cost Stat.damage Stat.difficulty
            Stat.doom Stat.evade Stat.health Stat.horror Stat.sanity Stat.willpower
        """,
        "modifiers": """
            AdditionalCost.to AdditionalCost.where Cannot.where CommitModifier.beneath
            How.double How.halve How.set IconsModifier.by KeywordModifier.loses
            NoAction.deed SkillModifier.how SkillModifier.of SlotModifier.number
            StatModifier.how TraitModifier.loses
        """,
        "occurrences": """
            Happening.exploration-failed Happening.explored On.cause On.deed On.is_first
            On.skill On.token Person.another Person.anyone
        """,
        "scenario": """
            Advance.keeps_doom Choice.among Choice.id Choice.is_dealt Choice.looks
            Choice.number Doom.card Doom.number MoreDeck.id MoreDeck.locations
            MoreDeck.own_discard MoreDeck.sets Scenario.act_versions Scenario.decks
            Scenario.difficulty Scenario.most Scenario.random TakeOut.card TakeOut.to
        """,
        "targets": """
            Choose.least Extreme.least Extreme.stat Filter.at Filter.class_
            Filter.cost_is Filter.lacks Filter.other Filter.they Filter.unique
            Filter.without Most.fewest Parity.even Parity.odd TheCard.cause TheCard.host
            TheCard.target Topmost.of Where.on-location Where.on-this Where.your-area
            Who.at-this Who.others Who.owner Who.tester Who.who
        """,
        "tests": """
            AsIfThere.at AsIfThere.do AsIfThere.engaged Evade.automatic Evade.base
            Evade.skill Fight.card Investigate.failure Investigate.instead
            Investigate.success PlayCard.of TakeAction.who Test.who
        """,
        "words": """
            Phase.investigation Phase.mythos Skill.intellect Until.action
        """,
    }.items()
    for name in names.split()
)
