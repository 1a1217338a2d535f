-- Version 10. Plain words of a filter search tags too. Searches and trails that were kept before go on searching names alone
-- (name:), and so does what undo brings back.

UPDATE saved_search SET query = named_words(query) WHERE named_words(query) <> query;
UPDATE trail SET steps = named_words_in_steps(steps) WHERE named_words_in_steps(steps) <> steps;
UPDATE journal SET changes = named_words_in_journal(changes)
    WHERE (instr(changes, '["saved_search",') OR instr(changes, '["trail",')) AND named_words_in_journal(changes) <> changes;
