-- Format 2 of a library. Positions are Unicode scalar values of documents.text.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
    number      INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,   -- SHA-256 of the file's bytes
    path        TEXT NOT NULL UNIQUE,   -- as it was ingested
    file_name   TEXT NOT NULL,
    title       TEXT NOT NULL,          -- given, else found, else the file name
    given_title TEXT,                   -- what people call it
    found_title TEXT,                   -- what the reader found
    publisher   TEXT,
    date        TEXT,
    place       TEXT,
    source      TEXT,
    licence     TEXT,
    declared    TEXT NOT NULL,          -- hazards given by people: JSON list
    format      TEXT NOT NULL,
    ingested_at TEXT NOT NULL,
    warnings    TEXT NOT NULL,          -- JSON list
    text        TEXT NOT NULL,
    text_hash   TEXT NOT NULL           -- SHA-256 of the text
) STRICT;

CREATE TABLE pages (
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    number   INTEGER NOT NULL,
    start    INTEGER NOT NULL,
    "end"    INTEGER NOT NULL,
    status   TEXT NOT NULL,             -- JSON
    PRIMARY KEY (document, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    start    INTEGER NOT NULL,
    "end"    INTEGER NOT NULL,
    kind     TEXT NOT NULL,             -- JSON; a table's rows and cells stand in it
    section  TEXT NOT NULL,             -- JSON list
    PRIMARY KEY (document, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE document_hazards (
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    hazard   TEXT NOT NULL,
    weight   REAL NOT NULL,
    PRIMARY KEY (document, hazard)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY,
    document   INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    spans      TEXT NOT NULL,           -- JSON list of [start, end]
    first_page INTEGER,
    last_page  INTEGER,
    section    TEXT NOT NULL,           -- JSON list
    heading    TEXT NOT NULL,           -- what is indexed beside the text: section path, table header
    text       TEXT NOT NULL,           -- the spans, joined by line breaks
    UNIQUE (document, position)
) STRICT;

CREATE TABLE chunk_hazards (
    chunk  INTEGER NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
    hazard TEXT NOT NULL,
    weight REAL NOT NULL,
    PRIMARY KEY (chunk, hazard)
) STRICT, WITHOUT ROWID;

CREATE INDEX chunks_by_hazard ON chunk_hazards (hazard, chunk, weight);

CREATE TABLE vectors (
    chunk  INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    vector BLOB NOT NULL                -- f32, little endian
) STRICT;

-- For late interaction, in a library whose model gives vectors of tokens.
CREATE TABLE token_vectors (
    chunk  INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    tokens BLOB NOT NULL                -- a byte for the layout, then 32 bytes a vector
) STRICT;
