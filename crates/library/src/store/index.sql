-- What a search is made quick with. All of it can be made again from chunks and vectors, so a
-- library of format 1 gets it when it is opened for writing.

-- Vectors as bytes for the first comparison: of each chunk of a document its scale and what the
-- scale loses (f32, little endian), then the bytes of all.
CREATE TABLE vector_codes (
    document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
    first    INTEGER NOT NULL,          -- its first chunk; the others follow without a gap
    codes    BLOB NOT NULL
) STRICT;

-- Numbers of words of a document's chunks.
CREATE TABLE chunk_lengths (
    document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
    first    INTEGER NOT NULL,
    lengths  BLOB NOT NULL
) STRICT;

-- The lexical index: the terms of titles, headings and texts, and the chunks they stand in.
CREATE TABLE terms (
    number INTEGER PRIMARY KEY,
    term   TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE postings (
    key   INTEGER PRIMARY KEY,          -- the term's number * 2^32 + the block's first chunk
    block BLOB NOT NULL
) STRICT;
