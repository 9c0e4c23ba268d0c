"""
Forgeries by rule: section 14 of PROTOCOL.md as a table, with a forger that breaks each rule.

A forger changes a valid file so that exactly its rule is broken, and returns the record that has to
be named. `pools` has the files, `form` step 1 of the section, `log` step 2, `table` step 3, and the
folder of a game its laws, step 4. `verdicts` asks both verifiers, and a third reader that knows
`types.json` alone.
"""
