"""What every ruleset shares: texts, questions, seats, chance, and maps drawn as text."""
