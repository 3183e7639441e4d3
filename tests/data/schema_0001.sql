-- A store as version 0.2 wrote it (schema 1), for tests/test_migrations.py: subjects, records of every status, an inference that
-- waits, one that was rejected, a contest, a closed session, one that was never closed, and an idempotency key.
PRAGMA application_id = 1398031681;
BEGIN;
CREATE TABLE migrations (
    version    INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   TEXT NOT NULL,
    applied_at INTEGER NOT NULL
);
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE clock (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    last INTEGER NOT NULL
);
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
CREATE TABLE revisions (
    n             INTEGER PRIMARY KEY,
    record        INTEGER NOT NULL REFERENCES records,
    subject       INTEGER NOT NULL REFERENCES subjects,
    slot          INTEGER REFERENCES slots,
    scope         TEXT NOT NULL,
    tx_from       INTEGER NOT NULL,
    tx_until      INTEGER NOT NULL,
    status        TEXT NOT NULL,
    place         INTEGER NOT NULL,
    stated_from   INTEGER NOT NULL,
    stated_until  INTEGER NOT NULL,
    stands_until  INTEGER NOT NULL,
    cuts          TEXT,
    head          INTEGER NOT NULL,
    text_n        INTEGER NOT NULL,
    tokens        INTEGER NOT NULL,
    claim         TEXT NOT NULL,
    value         TEXT,
    unset         INTEGER NOT NULL,
    speaker       TEXT NOT NULL,
    rank          INTEGER NOT NULL,
    kind          TEXT NOT NULL,
    category      TEXT,
    purpose       TEXT,
    audience      TEXT,
    confidence    REAL NOT NULL,
    importance    REAL NOT NULL,
    sensitivity   TEXT,
    owner         TEXT,
    trigger       TEXT NOT NULL,
    meaning       TEXT NOT NULL,
    observed_at   INTEGER NOT NULL,
    expires_at    INTEGER,
    confirmed_at  INTEGER,
    confirmed_how TEXT,
    review_events TEXT,
    tier          TEXT NOT NULL,
    superseded_by INTEGER REFERENCES records DEFERRABLE INITIALLY DEFERRED,
    claim_key     INTEGER,
    CHECK (tx_from < tx_until)
);
CREATE INDEX revisions_of_record ON revisions (record, tx_from);
CREATE INDEX revisions_of_slot ON revisions (slot, tx_until, stands_until) WHERE slot IS NOT NULL;
CREATE INDEX revisions_in_scope ON revisions (subject, scope, kind, tx_until, stands_until);
CREATE INDEX revisions_in_category ON revisions (subject, category, tx_until, stands_until) WHERE category IS NOT NULL;
CREATE INDEX revisions_same_claim ON revisions (subject, claim_key) WHERE claim_key IS NOT NULL AND tx_until = 4611686018427387904;
CREATE INDEX revisions_proposed ON revisions (subject, slot, text_n) WHERE status = 'proposed';
CREATE INDEX revisions_superseded_by ON revisions (superseded_by) WHERE superseded_by IS NOT NULL;
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
    kind   TEXT NOT NULL,
    target INTEGER NOT NULL REFERENCES records,
    tx     INTEGER NOT NULL,
    PRIMARY KEY (record, kind, target)
) WITHOUT ROWID;
CREATE INDEX edges_to ON edges (target, kind);
CREATE INDEX overrides ON edges (record) WHERE kind = 'overrides';
CREATE TABLE usage (
    id          TEXT PRIMARY KEY,
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
    position     INTEGER NOT NULL,
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
CREATE INDEX episodes_of_subject ON episodes (subject);
CREATE TABLE vectors (
    n       INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subjects,
    store   TEXT NOT NULL,
    version TEXT NOT NULL,
    item    INTEGER NOT NULL,
    vector  BLOB NOT NULL,
    UNIQUE (subject, store, item, version)
);
CREATE INDEX vectors_in_order ON vectors (subject, store, version);
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
CREATE VIRTUAL TABLE claims_text USING fts5 (words, content = '', columnsize = 0, tokenize = "ascii tokenchars '_'");
CREATE VIRTUAL TABLE episodes_text USING fts5 (words, content = '', columnsize = 0, tokenize = "ascii tokenchars '_'");
CREATE VIRTUAL TABLE claims_postings USING fts5vocab (claims_text, instance);
CREATE VIRTUAL TABLE episodes_postings USING fts5vocab (episodes_text, instance);
INSERT OR REPLACE INTO migrations (version, name, checksum, applied_at) VALUES (1, 'initial', '5bddc48d7a81e66eacb25b84f931a60e706b407248d3d300ce087da22372a7b2', 1762160400000000);
INSERT OR REPLACE INTO meta (key, value) VALUES ('tenant', 'acme');
INSERT OR REPLACE INTO clock (one, last) VALUES (1, 1762851600000000);
INSERT OR REPLACE INTO subjects (n, name, claims, claim_tokens, episodes, episode_tokens, purges) VALUES (1, 'ana', 8, 51, 6, 19, 0);
INSERT OR REPLACE INTO subjects (n, name, claims, claim_tokens, episodes, episode_tokens, purges) VALUES (2, 'ben', 1, 2, 0, 0, 0);
INSERT OR REPLACE INTO slots (n, subject, entity, attribute, object, scope, version) VALUES (1, 1, 'user', 'home.city', '', '', 2);
INSERT OR REPLACE INTO slots (n, subject, entity, attribute, object, scope, version) VALUES (2, 1, 'user', 'sport', 'rowing', '', 1);
INSERT OR REPLACE INTO slots (n, subject, entity, attribute, object, scope, version) VALUES (3, 1, 'user', 'x.day', '', '', 2);
INSERT OR REPLACE INTO records (n, id, subject, slot, scope, created) VALUES (1, 'rec_xsm596b0gpc14qda', 1, 1, '', 1762160400000000);
INSERT OR REPLACE INTO records (n, id, subject, slot, scope, created) VALUES (2, 'rec_68c68sgnv74v3r56', 1, 1, '', 1762246800000000);
INSERT OR REPLACE INTO records (n, id, subject, slot, scope, created) VALUES (3, 'rec_ab1699z5jd31ftn3', 1, NULL, '', 1762333200000000);
INSERT OR REPLACE INTO records (n, id, subject, slot, scope, created) VALUES (4, 'rec_wxkbd5d47ntk7xfy', 1, NULL, 'work', 1762419600000000);
INSERT OR REPLACE INTO records (n, id, subject, slot, scope, created) VALUES (5, 'rec_x2c4d7txz1vzf0jk', 1, 2, '', 1762506000000000);
INSERT OR REPLACE INTO records (n, id, subject, slot, scope, created) VALUES (6, 'rec_cm92ey06ycfa27sh', 1, NULL, '', 1762506000000001);
INSERT OR REPLACE INTO records (n, id, subject, slot, scope, created) VALUES (7, 'rec_28m4qg6njsfjam0g', 1, 3, '', 1762592400000001);
INSERT OR REPLACE INTO records (n, id, subject, slot, scope, created) VALUES (8, 'rec_p00y90mhcqrkdny8', 1, 3, '', 1762592400000002);
INSERT OR REPLACE INTO records (n, id, subject, slot, scope, created) VALUES (9, 'rec_4y8mn3kxfm954s2h', 2, NULL, '', 1762851600000000);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (1, 1, 1, 1, '', 1762160400000000, 1762246800000000, 'active', 1762160400000000, 1704063600000000, 4611686018427387904, 4611686018427387904, NULL, 1, 1, 12, 'Lives in Berlin', 'Berlin', 0, 'ana', 2, 'fact', 'home', NULL, NULL, 1.0, 0.8, NULL, NULL, 'remember', 'changed', 1762160400000000, NULL, NULL, NULL, NULL, 'hot', NULL, NULL);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (2, 1, 1, 1, '', 1762246800000000, 4611686018427387904, 'superseded', 1762160400000000, 1704063600000000, 4611686018427387904, 1762246800000000, '[[1762246800000000,4611686018427387904,"superseded",2]]', 0, 1, 12, 'Lives in Berlin', 'Berlin', 0, 'ana', 2, 'fact', 'home', NULL, NULL, 1.0, 0.8, NULL, NULL, 'remember', 'changed', 1762160400000000, NULL, NULL, NULL, NULL, 'hot', 2, NULL);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (3, 2, 1, 1, '', 1762246800000000, 4611686018427387904, 'active', 1762246800000000, 1762246800000000, 4611686018427387904, 4611686018427387904, NULL, 1, 3, 12, 'Lives in Lisbon', 'Lisbon', 0, 'ana', 2, 'fact', 'home', NULL, NULL, 1.0, 0.8, NULL, NULL, 'remember', 'changed', 1762246800000000, NULL, NULL, NULL, NULL, 'hot', NULL, NULL);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (4, 3, 1, NULL, '', 1762333200000000, 4611686018427387904, 'active', 1762333200000000, 1762333200000000, 4611686018427387904, 4611686018427387904, NULL, 0, 4, 4, 'Collects naïve 東京 stamps', NULL, 0, 'ana', 2, 'fact', 'leisure', NULL, NULL, 1.0, 0.9, NULL, NULL, 'remember', 'changed', 1762333200000000, NULL, NULL, NULL, NULL, 'hot', NULL, 1802618230239842689);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (5, 4, 1, NULL, 'work', 1762419600000000, 4611686018427387904, 'active', 1762419600000000, 1762419600000000, 4611686018427387904, 4611686018427387904, NULL, 0, 5, 2, 'Answers are short', NULL, 0, 'ana', 3, 'instruction', NULL, NULL, NULL, 1.0, 0.5, NULL, NULL, 'remember', 'changed', 1762419600000000, NULL, 1762419600000000, 'remember', '["project closed"]', 'hot', NULL, 2111751484522858136);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (6, 5, 1, 2, '', 1762506000000000, 4611686018427387904, 'proposed', 1762506000000000, 1762506000000000, 4611686018427387904, 4611686018427387904, NULL, 0, 6, 9, 'Seems to row', 'rowing', 0, 'model', 1, 'fact', 'leisure', NULL, NULL, 1.0, 0.5, NULL, NULL, 'remember', 'changed', 1762506000000000, NULL, NULL, NULL, NULL, 'hot', NULL, NULL);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (7, 6, 1, NULL, '', 1762506000000001, 1762592400000000, 'proposed', 1762506000000001, 1762506000000000, 4611686018427387904, 4611686018427387904, NULL, 0, 7, 2, 'Seems to sing', NULL, 0, 'model', 1, 'fact', NULL, NULL, NULL, 1.0, 0.5, NULL, NULL, 'remember', 'changed', 1762506000000000, NULL, NULL, NULL, NULL, 'hot', NULL, 3340288471622889919);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (8, 6, 1, NULL, '', 1762592400000000, 4611686018427387904, 'rejected', 1762506000000001, 1762506000000000, 4611686018427387904, 4611686018427387904, NULL, 0, 7, 2, 'Seems to sing', NULL, 0, 'model', 1, 'fact', NULL, NULL, NULL, 1.0, 0.5, NULL, NULL, 'remember', 'changed', 1762506000000000, NULL, NULL, NULL, NULL, 'hot', NULL, 3340288471622889919);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (9, 7, 1, 3, '', 1762592400000001, 1762592400000002, 'active', 1762592400000001, 1762592400000000, 4611686018427387904, 4611686018427387904, NULL, 1, 9, 5, 'Day is Tuesday', 'Tuesday', 0, 'ana', 2, 'fact', NULL, NULL, NULL, 1.0, 0.5, NULL, NULL, 'remember', 'changed', 1762592400000000, NULL, NULL, NULL, NULL, 'hot', NULL, NULL);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (10, 7, 1, 3, '', 1762592400000002, 4611686018427387904, 'contested', 1762592400000001, 1762592400000000, 4611686018427387904, 4611686018427387904, NULL, 1, 9, 5, 'Day is Tuesday', 'Tuesday', 0, 'ana', 2, 'fact', NULL, NULL, NULL, 1.0, 0.5, NULL, NULL, 'remember', 'changed', 1762592400000000, NULL, NULL, NULL, NULL, 'hot', NULL, NULL);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (11, 8, 1, 3, '', 1762592400000002, 4611686018427387904, 'contested', 1762592400000002, 1762592400000000, 4611686018427387904, 4611686018427387904, NULL, 1, 11, 5, 'Day is Friday', 'Friday', 0, 'ben', 2, 'fact', NULL, NULL, NULL, 1.0, 0.5, NULL, NULL, 'remember', 'changed', 1762592400000000, NULL, NULL, NULL, NULL, 'hot', NULL, NULL);
INSERT OR REPLACE INTO revisions (n, record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier, superseded_by, claim_key) VALUES (12, 9, 2, NULL, '', 1762851600000000, 4611686018427387904, 'active', 1762851600000000, 1762851600000000, 4611686018427387904, 4611686018427387904, NULL, 0, 12, 2, 'Likes tea', NULL, 0, 'ben', 2, 'fact', NULL, NULL, NULL, 1.0, 0.5, NULL, NULL, 'remember', 'changed', 1762851600000000, NULL, NULL, NULL, NULL, 'hot', NULL, 6299313248854077335);
INSERT OR REPLACE INTO sources (n, record, tx, observed_at, speaker, verified, subject, conversation, turn, uri) VALUES (1, 1, 1762160400000000, 1762160400000000, 'ana', 0, 1, NULL, NULL, NULL);
INSERT OR REPLACE INTO sources (n, record, tx, observed_at, speaker, verified, subject, conversation, turn, uri) VALUES (2, 2, 1762246800000000, 1762246800000000, 'ana', 0, 1, 'c0', '1', NULL);
INSERT OR REPLACE INTO sources (n, record, tx, observed_at, speaker, verified, subject, conversation, turn, uri) VALUES (3, 3, 1762333200000000, 1762333200000000, 'ana', 0, 1, NULL, NULL, NULL);
INSERT OR REPLACE INTO sources (n, record, tx, observed_at, speaker, verified, subject, conversation, turn, uri) VALUES (4, 4, 1762419600000000, 1762419600000000, 'ana', 0, 1, NULL, NULL, NULL);
INSERT OR REPLACE INTO sources (n, record, tx, observed_at, speaker, verified, subject, conversation, turn, uri) VALUES (5, 5, 1762506000000000, 1762506000000000, 'model', 0, 1, NULL, NULL, NULL);
INSERT OR REPLACE INTO sources (n, record, tx, observed_at, speaker, verified, subject, conversation, turn, uri) VALUES (6, 6, 1762506000000001, 1762506000000000, 'model', 0, 1, NULL, NULL, NULL);
INSERT OR REPLACE INTO sources (n, record, tx, observed_at, speaker, verified, subject, conversation, turn, uri) VALUES (7, 7, 1762592400000001, 1762592400000000, 'ana', 0, 1, NULL, NULL, NULL);
INSERT OR REPLACE INTO sources (n, record, tx, observed_at, speaker, verified, subject, conversation, turn, uri) VALUES (8, 8, 1762592400000002, 1762592400000000, 'ben', 0, 1, NULL, NULL, NULL);
INSERT OR REPLACE INTO sources (n, record, tx, observed_at, speaker, verified, subject, conversation, turn, uri) VALUES (9, 9, 1762851600000000, 1762851600000000, 'ben', 0, 2, NULL, NULL, NULL);
INSERT OR REPLACE INTO sessions (subject, conversation, opened, closed) VALUES (1, 'closed', 1762678800000000, 1762678800000004);
INSERT OR REPLACE INTO sessions (subject, conversation, opened, closed) VALUES (1, 'open', 1762765200000000, NULL);
INSERT OR REPLACE INTO episodes (n, id, subject, conversation, turn, position, role, speaker, text, tokens, said_at, tx, scope, purpose, audience, rank, tier) VALUES (1, 'epi_2q14m34jekqbx4my', 1, 'closed', '1', 0, 'user', 'ana', 'I work at Acme.', 3, 1762678800000000, 1762678800000001, '', NULL, NULL, 2, 'hot');
INSERT OR REPLACE INTO episodes (n, id, subject, conversation, turn, position, role, speaker, text, tokens, said_at, tx, scope, purpose, audience, rank, tier) VALUES (2, 'epi_egeamzh3z5drjebs', 1, 'closed', '2', 1, 'assistant', 'assistant', 'Noted: I work at Acme.', 4, 1762678800000000, 1762678800000002, '', NULL, NULL, 1, 'hot');
INSERT OR REPLACE INTO episodes (n, id, subject, conversation, turn, position, role, speaker, text, tokens, said_at, tx, scope, purpose, audience, rank, tier) VALUES (3, 'epi_v73g38q6z3x1kf7g', 1, 'closed', '3', 2, 'user', 'ana', 'Fine.', 2, 1762678800000000, 1762678800000003, '', NULL, NULL, 2, 'hot');
INSERT OR REPLACE INTO episodes (n, id, subject, conversation, turn, position, role, speaker, text, tokens, said_at, tx, scope, purpose, audience, rank, tier) VALUES (4, 'epi_f5ynpz3250wbdwdc', 1, 'open', '1', 0, 'user', 'ana', 'I moved to Rome.', 3, 1762765200000000, 1762765200000001, '', NULL, NULL, 2, 'hot');
INSERT OR REPLACE INTO episodes (n, id, subject, conversation, turn, position, role, speaker, text, tokens, said_at, tx, scope, purpose, audience, rank, tier) VALUES (5, 'epi_a8n1dqwmq3q9569a', 1, 'open', '2', 1, 'assistant', 'assistant', 'Noted: I moved to Rome.', 4, 1762765200000000, 1762765200000002, '', NULL, NULL, 1, 'hot');
INSERT OR REPLACE INTO episodes (n, id, subject, conversation, turn, position, role, speaker, text, tokens, said_at, tx, scope, purpose, audience, rank, tier) VALUES (6, 'epi_3ktf0fw6ncmch6mh', 1, 'open', '3', 2, 'user', 'ana', 'I love sushi.', 3, 1762765200000000, 1762765200000003, '', NULL, NULL, 2, 'hot');
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (1, 1762160400000000, 1, 'remember', 'remember', 'ADD', 'new', 'nothing says this yet', 1, NULL, 'active', 1, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (2, 1762246800000000, 1, 'remember', 'remember', 'SUPERSEDE', 'newer', 'the older record ends where this one begins', 2, NULL, 'active', 2, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (3, 1762333200000000, 1, 'remember', 'remember', 'ADD', 'new', 'nothing says this yet', 3, NULL, 'active', NULL, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (4, 1762419600000000, 1, 'remember', 'remember', 'ADD', 'new', 'nothing says this yet', 4, NULL, 'active', NULL, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (5, 1762506000000000, 1, 'remember', 'remember', 'CONFIRM', 'unconfirmed', 'a model''s reading or a third party''s word waits for the subject''s yes', 5, NULL, 'proposed', 1, 'que_dcfn9xn0bkd2z90r');
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (6, 1762506000000001, 1, 'remember', 'remember', 'CONFIRM', 'unconfirmed', 'a model''s reading or a third party''s word waits for the subject''s yes', 6, NULL, 'proposed', NULL, 'que_jcj0artak65bxgv3');
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (7, 1762592400000000, 1, 'reject', 'call', 'REJECT', 'rejected', 'the subject rejected it', 6, NULL, 'rejected', NULL, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (8, 1762592400000001, 1, 'remember', 'remember', 'ADD', 'new', 'nothing says this yet', 7, NULL, 'active', 1, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (9, 1762592400000002, 1, 'remember', 'remember', 'CONTEST', 'equals', 'equals of different speakers disagree; a person has to settle it', 8, NULL, 'contested', 2, 'que_qybj2394ttrrkhmx');
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (10, 1762678800000001, 1, 'turn', 'call', 'ADD', 'episode', 'recorded as words, not as a fact', NULL, 1, NULL, NULL, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (11, 1762678800000002, 1, 'turn', 'call', 'ADD', 'episode', 'recorded as words, not as a fact', NULL, 2, NULL, NULL, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (12, 1762678800000003, 1, 'turn', 'call', 'ADD', 'episode', 'recorded as words, not as a fact', NULL, 3, NULL, NULL, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (13, 1762765200000001, 1, 'turn', 'call', 'ADD', 'episode', 'recorded as words, not as a fact', NULL, 4, NULL, NULL, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (14, 1762765200000002, 1, 'turn', 'call', 'ADD', 'episode', 'recorded as words, not as a fact', NULL, 5, NULL, NULL, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (15, 1762765200000003, 1, 'turn', 'call', 'ADD', 'episode', 'recorded as words, not as a fact', NULL, 6, NULL, NULL, NULL);
INSERT OR REPLACE INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question) VALUES (16, 1762851600000000, 2, 'remember', 'remember', 'ADD', 'new', 'nothing says this yet', 9, NULL, 'active', NULL, NULL);
INSERT OR REPLACE INTO effects (decision, record) VALUES (2, 1);
INSERT OR REPLACE INTO effects (decision, record) VALUES (9, 7);
INSERT OR REPLACE INTO idempotency (subject, key, digest, decision) VALUES (1, 'k1', X'be9f087a9747499179eaab3851b16c5f', 2);
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (1, X'0935');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (10, X'000000010109090009010101020101030101040101050101060101070101080101090101');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (137438953473, X'000000540730315f6261736501020c040565726c696e01040305030463697469010405050304686f6d650104040703046c6976650104020703046d6f766501020b0305726573696401020d0304746f776e01020a040b0b0a0a0a090a');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (274877906945, X'000000530730315f6261736503020c030463697469030405050304686f6d650304040703066c6973626f6e03040305050276650304020703046d6f766503020b0305726573696403020d0304746f776e03020a040b0a0a0c08090a');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (412316860417, X'000000370a30315f636f6c6c65637404020203046e61697604020303057374616d70040205030d75653639646231653462616163040204040e090a');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (549755813889, X'0000001b0930315f616e73776572050202030573686f7274050203040d');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (687194767361, X'000000420a30315f657865726369730602090304706c61790602080303726f77060603040303047365656d0602020404706f7274060404050305747261696e06020a040e090a090a');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (824633720833, X'000000170730315f7365656d0702020403696e67070203040b');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (962072674305, X'000000220630315f6461790904020503077475657364617909040305030178090204040b0d');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (1099511627777, X'000000210630315f6461790b04020503066672696461790b0403050301780b0204040b0c');
INSERT OR REPLACE INTO claims_text_data (id, block) VALUES (1236950581249, X'000000170730325f6c696b650c020203037465610c0203040b');
INSERT OR REPLACE INTO claims_text_idx (segid, term, pgno) VALUES (1, X'', 2);
INSERT OR REPLACE INTO claims_text_idx (segid, term, pgno) VALUES (2, X'', 2);
INSERT OR REPLACE INTO claims_text_idx (segid, term, pgno) VALUES (3, X'', 2);
INSERT OR REPLACE INTO claims_text_idx (segid, term, pgno) VALUES (4, X'', 2);
INSERT OR REPLACE INTO claims_text_idx (segid, term, pgno) VALUES (5, X'', 2);
INSERT OR REPLACE INTO claims_text_idx (segid, term, pgno) VALUES (6, X'', 2);
INSERT OR REPLACE INTO claims_text_idx (segid, term, pgno) VALUES (7, X'', 2);
INSERT OR REPLACE INTO claims_text_idx (segid, term, pgno) VALUES (8, X'', 2);
INSERT OR REPLACE INTO claims_text_idx (segid, term, pgno) VALUES (9, X'', 2);
INSERT OR REPLACE INTO claims_text_config (k, v) VALUES ('secure-delete', 1);
INSERT OR REPLACE INTO claims_text_config (k, v) VALUES ('version', 4);
INSERT OR REPLACE INTO episodes_text_data (id, block) VALUES (1, X'0613');
INSERT OR REPLACE INTO episodes_text_data (id, block) VALUES (10, X'000000010106060006010101020101030101040101050101060101');
INSERT OR REPLACE INTO episodes_text_data (id, block) VALUES (137438953473, X'0000001e0630315f61636d01020404026e610102020304776f726b010203040a07');
INSERT OR REPLACE INTO episodes_text_data (id, block) VALUES (274877906945, X'0000002a0630315f61636d0202050405737369737402020203046e6f74650202030304776f726b020204040a0a09');
INSERT OR REPLACE INTO episodes_text_data (id, block) VALUES (412316860417, X'000000170630315f616e61030202030466696e65030203040a');
INSERT OR REPLACE INTO episodes_text_data (id, block) VALUES (549755813889, X'000000200630315f616e6104020203046d6f76650402030304726f6d65040204040a09');
INSERT OR REPLACE INTO episodes_text_data (id, block) VALUES (687194767361, X'0000002c0930315f61737369737405020203046d6f766505020403046e6f74650502030304726f6d65050205040d0909');
INSERT OR REPLACE INTO episodes_text_data (id, block) VALUES (824633720833, X'000000210630315f616e6106020203046c6f766506020303057375736869060204040a09');
INSERT OR REPLACE INTO episodes_text_idx (segid, term, pgno) VALUES (1, X'', 2);
INSERT OR REPLACE INTO episodes_text_idx (segid, term, pgno) VALUES (2, X'', 2);
INSERT OR REPLACE INTO episodes_text_idx (segid, term, pgno) VALUES (3, X'', 2);
INSERT OR REPLACE INTO episodes_text_idx (segid, term, pgno) VALUES (4, X'', 2);
INSERT OR REPLACE INTO episodes_text_idx (segid, term, pgno) VALUES (5, X'', 2);
INSERT OR REPLACE INTO episodes_text_idx (segid, term, pgno) VALUES (6, X'', 2);
INSERT OR REPLACE INTO episodes_text_config (k, v) VALUES ('secure-delete', 1);
INSERT OR REPLACE INTO episodes_text_config (k, v) VALUES ('version', 4);
COMMIT;
