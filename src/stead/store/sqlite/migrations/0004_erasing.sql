-- R31 to R33: what is selected becomes unreadable, is fenced, purged surface by surface, verified and receipted.

-- The epoch rises with every erasure of the subject: what was read before it can't be written after it. The ref is random and
-- names the subject in the ledger, in backups and among the keys, where its name must not stand.
ALTER TABLE subjects ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE subjects ADD COLUMN ref TEXT;
CREATE UNIQUE INDEX subjects_by_ref ON subjects (ref) WHERE ref IS NOT NULL;

-- The job. `status` is pending, incomplete (a surface failed; it can be resumed) or complete.
ALTER TABLE erasures ADD COLUMN by TEXT NOT NULL DEFAULT 'wish';           -- the kinds of the selectors, never their values
ALTER TABLE erasures ADD COLUMN requester TEXT NOT NULL DEFAULT 'subject';
ALTER TABLE erasures ADD COLUMN step TEXT NOT NULL DEFAULT 'hidden';       -- the last step that is done
ALTER TABLE erasures ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;          -- the whole subject
ALTER TABLE erasures ADD COLUMN scan INTEGER NOT NULL DEFAULT 1;           -- read the files for the bytes at the end
ALTER TABLE erasures ADD COLUMN done TEXT NOT NULL DEFAULT '{}';           -- JSON: what each surface has given so far, as counts
ALTER TABLE erasures ADD COLUMN receipt INTEGER;                           -- its number in the ledger
ALTER TABLE decisions ADD COLUMN erasure TEXT;                              -- the id of the erasure that it began
CREATE INDEX records_to_purge ON records (erasure, n) WHERE created > 0;   -- a record without rows was created at 0
CREATE INDEX records_in_slot ON records (slot) WHERE slot IS NOT NULL;      -- without these two a row that goes has a whole
CREATE INDEX idempotency_of_decision ON idempotency (decision);             -- table looked through for what refers to it
CREATE INDEX erasures_unfinished ON erasures (status) WHERE status <> 'complete';

-- What the verification looks for, sealed with a key that isn't in this file; gone when the erasure is complete.
CREATE TABLE needles (
    n       INTEGER PRIMARY KEY,
    erasure INTEGER NOT NULL REFERENCES erasures,
    sealed  BLOB NOT NULL
);
CREATE INDEX needles_of_erasure ON needles (erasure);

-- Tombstones (R32): keyed fingerprints of where erased content came from and of what it said. The key isn't in this file.
CREATE TABLE fences (
    subject INTEGER NOT NULL REFERENCES subjects,
    kind    TEXT NOT NULL,                   -- turn, conversation, uri, claim, value or key (of idempotency)
    mark    BLOB NOT NULL,
    tx      INTEGER NOT NULL,                -- of the erasure
    PRIMARY KEY (subject, kind, mark)
) WITHOUT ROWID;

-- Numbers are never given twice, though the rows that had them are gone: what comes late for one finds nothing.
CREATE TABLE numbers (
    what TEXT PRIMARY KEY,
    last INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO numbers VALUES ('revisions', 0), ('episodes', 0), ('decisions', 0);

-- Where content went outside of this file, as far as Stead sent it there.
CREATE TABLE exports (
    n       INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    subject INTEGER NOT NULL REFERENCES subjects,
    path    TEXT NOT NULL,
    form    TEXT NOT NULL,                   -- jsonl or markdown
    tx      INTEGER NOT NULL,
    gone    INTEGER                          -- the file isn't there any more, or is no longer ours
);
CREATE INDEX exports_of_subject ON exports (subject);
CREATE TABLE backups (
    n      INTEGER PRIMARY KEY,
    id     TEXT NOT NULL UNIQUE,
    path   TEXT NOT NULL,
    tx     INTEGER NOT NULL,
    ledger INTEGER NOT NULL,                 -- how long the ledger was when it was made
    until  INTEGER,                          -- when rotation removes it; NULL: it is kept until somebody does
    gone   INTEGER
);
CREATE TABLE sinks (
    name    TEXT PRIMARY KEY,
    command TEXT,                            -- NULL: a function that the program registers
    tx      INTEGER NOT NULL
) WITHOUT ROWID;

-- Who used what in an answer (R30): the reader's purpose and audience beside the counts of `usage`.
CREATE TABLE readers (
    id          TEXT NOT NULL,
    purpose     TEXT NOT NULL,               -- '': none was named
    audience    TEXT NOT NULL,
    last_access INTEGER NOT NULL,
    accesses    INTEGER NOT NULL,
    PRIMARY KEY (id, purpose, audience)
) WITHOUT ROWID;

-- What asked for everything before this version named it in its selectors.
UPDATE erasures SET whole = 1 WHERE json_extract(selects, '$.everything');
