"""State and vocabulary that all rulesets share: texts, questions, seats, chance."""
