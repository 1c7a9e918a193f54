-- From format 1, whose lexical index was an FTS5 table.
DROP TABLE chunk_index;
DROP VIEW chunk_words;
ALTER TABLE documents ADD COLUMN text_hash TEXT NOT NULL DEFAULT '';
