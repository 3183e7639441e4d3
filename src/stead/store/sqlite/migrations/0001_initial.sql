-- One file holds one tenant. Instants are microseconds since 1970 UTC; 4611686018427387904 (2^62) is an open end.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- The transaction clock (R6): strictly increasing over processes, restarts and a wall clock that goes back.
CREATE TABLE clock (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    last INTEGER NOT NULL
);
INSERT INTO clock VALUES (1, 0);

-- The counts are the subject's own statistics for BM25 (R47): nobody else's documents change a score.
CREATE TABLE subjects (
    n               INTEGER PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE,
    claims          INTEGER NOT NULL DEFAULT 0,
    claim_tokens    INTEGER NOT NULL DEFAULT 0,
    episodes        INTEGER NOT NULL DEFAULT 0,
    episode_tokens  INTEGER NOT NULL DEFAULT 0,
    purges          INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE slots (
    n         INTEGER PRIMARY KEY,
    subject   INTEGER NOT NULL REFERENCES subjects,
    entity    TEXT NOT NULL,
    attribute TEXT NOT NULL,
    object    TEXT NOT NULL,
    scope     TEXT NOT NULL,
    version   INTEGER NOT NULL,
    UNIQUE (subject, attribute, entity, object, scope)
);

CREATE TABLE records (
    n       INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    subject INTEGER NOT NULL REFERENCES subjects,
    slot    INTEGER REFERENCES slots,
    scope   TEXT NOT NULL,
    created INTEGER NOT NULL
);
CREATE INDEX records_of_subject ON records (subject, n);

-- Immutable but for tx_until, which says when the store stopped holding this version.
CREATE TABLE revisions (
    n             INTEGER PRIMARY KEY,
    record        INTEGER NOT NULL REFERENCES records,
    subject       INTEGER NOT NULL REFERENCES subjects,
    slot          INTEGER REFERENCES slots,
    scope         TEXT NOT NULL,
    tx_from       INTEGER NOT NULL,
    tx_until      INTEGER NOT NULL,
    status        TEXT NOT NULL,
    place         INTEGER NOT NULL,          -- its place among the statements of the strip
    stated_from   INTEGER NOT NULL,
    stated_until  INTEGER NOT NULL,
    stands_until  INTEGER NOT NULL,          -- stated_until without what ends took off its tail
    cuts          TEXT,                      -- JSON: [[from, until, why, by], ...]
    head          INTEGER NOT NULL,          -- 1: stands at the open end, and has no expiry
    text_n        INTEGER NOT NULL,          -- the revision that first carried this text; key of text and vector index
    tokens        INTEGER NOT NULL,
    claim         TEXT NOT NULL,
    value         TEXT,
    unset         INTEGER NOT NULL,
    speaker       TEXT NOT NULL,
    rank          INTEGER NOT NULL,          -- the rung of its authority, 4 to 0
    kind          TEXT NOT NULL,
    category      TEXT,
    purpose       TEXT,                      -- JSON list; NULL: any
    audience      TEXT,                      -- JSON list; NULL: the subject's own agents
    confidence    REAL NOT NULL,
    importance    REAL NOT NULL,
    sensitivity   TEXT,
    owner         TEXT,                      -- NULL: the subject
    trigger       TEXT NOT NULL,
    meaning       TEXT NOT NULL,
    observed_at   INTEGER NOT NULL,
    expires_at    INTEGER,
    confirmed_at  INTEGER,
    confirmed_how TEXT,
    review_events TEXT,                      -- JSON list
    tier          TEXT NOT NULL,
    superseded_by INTEGER REFERENCES records DEFERRABLE INITIALLY DEFERRED,
    claim_key     INTEGER,                   -- 63 bits of a hash of the folded claim, where there is no slot
    CHECK (tx_from < tx_until)
);
CREATE INDEX revisions_of_record ON revisions (record, tx_from);
CREATE INDEX revisions_of_slot ON revisions (slot, tx_until, stands_until) WHERE slot IS NOT NULL;
CREATE INDEX revisions_in_scope ON revisions (subject, scope, kind, tx_until, stands_until);
CREATE INDEX revisions_in_category ON revisions (subject, category, tx_until, stands_until) WHERE category IS NOT NULL;
CREATE INDEX revisions_same_claim ON revisions (subject, claim_key) WHERE claim_key IS NOT NULL AND tx_until = 4611686018427387904;
CREATE INDEX revisions_proposed ON revisions (subject, slot, text_n) WHERE status = 'proposed';
CREATE INDEX revisions_superseded_by ON revisions (superseded_by) WHERE superseded_by IS NOT NULL;

-- R46: for one slot in its scope, one speaker and one authority there is at most one head, whoever writes at once.
CREATE UNIQUE INDEX one_head ON revisions (slot, speaker, rank) WHERE head = 1 AND tx_until = 4611686018427387904;

CREATE TABLE sources (
    n            INTEGER PRIMARY KEY,
    record       INTEGER NOT NULL REFERENCES records,
    tx           INTEGER NOT NULL,
    observed_at  INTEGER NOT NULL,
    speaker      TEXT NOT NULL,
    verified     INTEGER NOT NULL,
    subject      INTEGER NOT NULL,
    conversation TEXT,
    turn         TEXT,
    uri          TEXT
);
CREATE INDEX sources_of_record ON sources (record);
CREATE INDEX sources_in_turn ON sources (subject, conversation, turn) WHERE conversation IS NOT NULL;

CREATE TABLE edges (
    record INTEGER NOT NULL REFERENCES records,
    kind   TEXT NOT NULL,                    -- overrides, derived_from, corrects
    target INTEGER NOT NULL REFERENCES records,
    tx     INTEGER NOT NULL,
    PRIMARY KEY (record, kind, target)
) WITHOUT ROWID;
CREATE INDEX edges_to ON edges (target, kind);
CREATE INDEX overrides ON edges (record) WHERE kind = 'overrides';

-- Not versioned: what answers used (R30).
CREATE TABLE usage (
    id          TEXT PRIMARY KEY,            -- of a record or an episode
    last_access INTEGER NOT NULL,
    accesses    INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
    subject      INTEGER NOT NULL REFERENCES subjects,
    conversation TEXT NOT NULL,
    opened       INTEGER NOT NULL,
    closed       INTEGER,
    PRIMARY KEY (subject, conversation)
) WITHOUT ROWID;

CREATE TABLE episodes (
    n            INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    subject      INTEGER NOT NULL REFERENCES subjects,
    conversation TEXT NOT NULL,
    turn         TEXT NOT NULL,
    position     INTEGER NOT NULL,           -- its place in the conversation, from 0
    role         TEXT NOT NULL,
    speaker      TEXT NOT NULL,
    text         TEXT NOT NULL,
    tokens       INTEGER NOT NULL,
    said_at      INTEGER NOT NULL,
    tx           INTEGER NOT NULL,
    scope        TEXT NOT NULL,
    purpose      TEXT,
    audience     TEXT,
    rank         INTEGER NOT NULL,
    tier         TEXT NOT NULL,
    UNIQUE (subject, conversation, turn)
);
CREATE INDEX episodes_in_order ON episodes (subject, conversation, position);
CREATE INDEX episodes_of_subject ON episodes (subject);               -- and n: pages

-- R38: every vector carries the stamp of the model that made it; item is text_n of a claim or n of an episode.
CREATE TABLE vectors (
    n       INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subjects,
    store   TEXT NOT NULL,                   -- claims or episodes
    version TEXT NOT NULL,
    item    INTEGER NOT NULL,
    vector  BLOB NOT NULL,                   -- float32, little endian
    UNIQUE (subject, store, item, version)
);
CREATE INDEX vectors_in_order ON vectors (subject, store, version);   -- and n: what was added since

-- R20: every decision on every candidate, kept or not.
CREATE TABLE decisions (
    n        INTEGER PRIMARY KEY,
    tx       INTEGER NOT NULL,
    subject  INTEGER NOT NULL REFERENCES subjects,
    verb     TEXT NOT NULL,
    trigger  TEXT NOT NULL,
    decision TEXT NOT NULL,
    rule     TEXT NOT NULL,
    reason   TEXT NOT NULL,
    record   INTEGER REFERENCES records,
    episode  INTEGER REFERENCES episodes,
    status   TEXT,
    version  INTEGER,
    question TEXT
);
CREATE INDEX decisions_on_record ON decisions (record) WHERE record IS NOT NULL;

-- Which other records a decision changed.
CREATE TABLE effects (
    decision INTEGER NOT NULL REFERENCES decisions,
    record   INTEGER NOT NULL REFERENCES records,
    PRIMARY KEY (decision, record)
) WITHOUT ROWID;
CREATE INDEX effects_on_record ON effects (record);

CREATE TABLE idempotency (
    subject  INTEGER NOT NULL REFERENCES subjects,
    key      TEXT NOT NULL,
    digest   BLOB NOT NULL,
    decision INTEGER NOT NULL REFERENCES decisions,
    PRIMARY KEY (subject, key)
) WITHOUT ROWID;

-- The words come with the subject's number before them, so that one list of postings is one subject's.
CREATE VIRTUAL TABLE claims_text USING fts5 (words, content = '', columnsize = 0, tokenize = "ascii tokenchars '_'");
CREATE VIRTUAL TABLE episodes_text USING fts5 (words, content = '', columnsize = 0, tokenize = "ascii tokenchars '_'");
INSERT INTO claims_text (claims_text, rank) VALUES ('secure-delete', 1);
INSERT INTO episodes_text (episodes_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE claims_postings USING fts5vocab (claims_text, instance);
CREATE VIRTUAL TABLE episodes_postings USING fts5vocab (episodes_text, instance);
