-- R27: what the subject asked to be forgotten. It is unreadable from the request on; a later version removes the rows (R32).
CREATE TABLE erasures (
    n       INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    subject INTEGER NOT NULL REFERENCES subjects,
    tx      INTEGER NOT NULL,
    selects TEXT NOT NULL,                   -- JSON: everything, categories, attributes, conversation; never words of the request
    status  TEXT NOT NULL                    -- pending
);
CREATE INDEX erasures_of_subject ON erasures (subject, n);

-- What has an erasure is in no answer, whatever known_at says (R8): a column of rows that every read goes through anyway.
ALTER TABLE records ADD COLUMN erasure INTEGER REFERENCES erasures;
ALTER TABLE episodes ADD COLUMN erasure INTEGER REFERENCES erasures;
CREATE INDEX records_being_erased ON records (erasure) WHERE erasure IS NOT NULL;
CREATE INDEX episodes_being_erased ON episodes (erasure) WHERE erasure IS NOT NULL;

-- R37: what was made from other records rests on them until somebody, or what re-derives it, says that it stands without one.
ALTER TABLE edges ADD COLUMN released INTEGER;  -- of derived_from: since when the record no longer rests on the target

-- Names that mean an entity (R21): said by a person, and taken back by one. Two clocks, as for everything that is known.
CREATE TABLE aliases (
    n       INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subjects,
    name    TEXT NOT NULL,
    means   TEXT NOT NULL,
    tx      INTEGER NOT NULL,
    ended   INTEGER                          -- the transaction in which it was taken back
);
CREATE INDEX aliases_of_subject ON aliases (subject, n);

-- The entity with which a record was said that an alias files under another one; a record that isn't here was said with its slot's.
CREATE TABLE said_of (
    record  INTEGER PRIMARY KEY REFERENCES records,
    subject INTEGER NOT NULL REFERENCES subjects,
    entity  TEXT NOT NULL
);

-- R36: how far a consolidation has come. Each of its steps notes it in its own transaction, so that a kill loses nothing.
CREATE TABLE consolidations (
    n         INTEGER PRIMARY KEY,
    id        TEXT NOT NULL UNIQUE,
    subject   INTEGER NOT NULL REFERENCES subjects,
    started   INTEGER NOT NULL,
    phase     TEXT NOT NULL,
    cursor    INTEGER NOT NULL,
    closed    INTEGER NOT NULL,              -- records that it closed without a person's review
    may_close INTEGER NOT NULL,
    finished  INTEGER                        -- NULL: the next call goes on with it
);
CREATE INDEX consolidations_of_subject ON consolidations (subject, n);
