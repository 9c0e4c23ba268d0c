"""Forgeries by rule: section 14 of PROTOCOL.md as a table, with a forger that breaks each rule.

A forger changes a valid file so that it breaks exactly its rule, and returns the record that
readers must name. `pools` has the files, `form` the forgers for step 1 of the section, `log` those
for step 2, `table` for step 3, and the folder of a game those for its laws, step 4. `verdicts` asks
both verifiers, and a third reader that knows only `types.json`.
"""
