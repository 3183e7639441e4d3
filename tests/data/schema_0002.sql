-- A store as version 0.3 wrote it (schema 2), for tests/test_migrations.py: claims with and without a slot, two of which contradict each
-- other in words only, a reflection that names its source, a contest, an inference that waits, one session ended and one open.

-- The values of various per-database settings
PRAGMA page_size=4096;
-- PRAGMA encoding='UTF-8';
-- PRAGMA auto_vacuum=NONE;
-- PRAGMA max_page_count=4294967294;

-- This pragma is needed to restore virtual tables
PRAGMA writable_schema=ON;

BEGIN TRANSACTION;

-- Table  claims_postings
DELETE FROM sqlite_schema WHERE name='claims_postings' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','claims_postings','claims_postings',0,'CREATE VIRTUAL TABLE claims_postings USING fts5vocab (claims_text, instance)');

-- Table  claims_text
DELETE FROM sqlite_schema WHERE name='claims_text' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','claims_text','claims_text',0,'CREATE VIRTUAL TABLE claims_text USING fts5 (words, content = '''', columnsize = 0, tokenize = "ascii tokenchars ''_''")');

-- Table  claims_text_config
DROP TABLE IF EXISTS claims_text_config;
CREATE TABLE 'claims_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO claims_text_config VALUES('secure-delete',1);
INSERT INTO claims_text_config VALUES('version',4);

-- Table  claims_text_data
DROP TABLE IF EXISTS claims_text_data;
CREATE TABLE 'claims_text_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO claims_text_data VALUES(1,X'0B43');
INSERT INTO claims_text_data VALUES(10,X'00000001010B0B000B0101010201010301010401010501010601010701010801010901010A01010B0101');
INSERT INTO claims_text_data VALUES(137438953473,X'0000005F0730315F6261736501040C06040565726C696E01040305030463697469010405050304686F6D650104040703046C6976650104020704046F63617401020E03046D6F766501020B0305726573696401040D040304746F776E01020A040C0B0A0A0A09090B');
INSERT INTO claims_text_data VALUES(274877906945,X'000000180730315F617065780202030304776F726B020202040B');
INSERT INTO claims_text_data VALUES(412316860417,X'0000005E0730315F6261736504040C06030463697469040405050304686F6D650404040703066C6973626F6E040403050502766504020704046F63617404020E03046D6F76650404020B0305726573696404040D040304746F776E04020A040C0A0A0C07090A0B');
INSERT INTO claims_text_data VALUES(549755813889,X'0000001B0A30315F626F7265616C690502030304776F726B050202040E');
INSERT INTO claims_text_data VALUES(687194767361,X'000000340E30315F6B616C6569646F73636F7006020503046E616D6506020403036F776E06020203087361696C626F617406020304120908');
INSERT INTO claims_text_data VALUES(824633720833,X'000000210730315F6672656507020403046B65657007020203046D6F726E070203040B09');
INSERT INTO claims_text_data VALUES(962072674305,X'000000220730315F6C696B6508020203046E65617208020303057761746572080204040B09');
INSERT INTO claims_text_data VALUES(1099511627777,X'000000220630315F6461790904020503077475657364617909040305030178090204040B0D');
INSERT INTO claims_text_data VALUES(1236950581249,X'000000210630315F6461790B04020503066672696461790B0403050301780B0204040B0C');
INSERT INTO claims_text_data VALUES(1374389534721,X'000000170630315F726F770C020303047365656D0C0202040A');
INSERT INTO claims_text_data VALUES(1511828488193,X'0000004C0930315F6775697461720D020B030A696E737472756D656E740D04050503056D757369630D04040A03057069616E6F0D020A04036C61790D040209030676696F6C696E0D06030503040D100B0A09');

-- Table  claims_text_idx
DROP TABLE IF EXISTS claims_text_idx;
CREATE TABLE 'claims_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO claims_text_idx VALUES(1,X'',2);
INSERT INTO claims_text_idx VALUES(2,X'',2);
INSERT INTO claims_text_idx VALUES(3,X'',2);
INSERT INTO claims_text_idx VALUES(4,X'',2);
INSERT INTO claims_text_idx VALUES(5,X'',2);
INSERT INTO claims_text_idx VALUES(6,X'',2);
INSERT INTO claims_text_idx VALUES(7,X'',2);
INSERT INTO claims_text_idx VALUES(8,X'',2);
INSERT INTO claims_text_idx VALUES(9,X'',2);
INSERT INTO claims_text_idx VALUES(10,X'',2);
INSERT INTO claims_text_idx VALUES(11,X'',2);

-- Table  clock
DROP TABLE IF EXISTS clock;
CREATE TABLE clock (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    last INTEGER NOT NULL
);
INSERT INTO clock VALUES(1,1762246800000015);

-- Table  consents
DROP TABLE IF EXISTS consents;
CREATE TABLE consents (
    n       INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subjects,
    class   TEXT NOT NULL,
    allowed INTEGER NOT NULL,
    tx      INTEGER NOT NULL
);
-- Triggers and indices on  consents
CREATE INDEX consents_of_subject ON consents (subject, class, n);

-- Table  decisions
DROP TABLE IF EXISTS decisions;
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
, route TEXT);
INSERT INTO decisions VALUES(1,1762160400000000,1,'remember','remember','ADD','new','nothing says this yet',1,NULL,'active',1,NULL,'admit');
INSERT INTO decisions VALUES(2,1762160400000001,1,'remember','remember','ADD','new','nothing says this yet',2,NULL,'active',NULL,NULL,'admit');
INSERT INTO decisions VALUES(3,1762246800000000,1,'remember','remember','SUPERSEDE','newer','the older record ends where this one begins',3,NULL,'active',2,NULL,'admit');
INSERT INTO decisions VALUES(4,1762246800000001,1,'remember','remember','ADD','new','nothing says this yet',4,NULL,'active',NULL,NULL,'admit');
INSERT INTO decisions VALUES(5,1762246800000002,1,'remember','remember','ADD','new','nothing says this yet',5,NULL,'active',NULL,NULL,'admit');
INSERT INTO decisions VALUES(6,1762246800000003,1,'remember','remember','ADD','new','nothing says this yet',6,NULL,'active',NULL,NULL,'admit');
INSERT INTO decisions VALUES(7,1762246800000004,1,'remember','remember','ADD','new','nothing says this yet',7,NULL,'active',NULL,NULL,'admit');
INSERT INTO decisions VALUES(8,1762246800000005,1,'remember','remember','ADD','new','nothing says this yet',8,NULL,'active',1,NULL,'admit');
INSERT INTO decisions VALUES(9,1762246800000006,1,'remember','remember','CONTEST','equals','equals of different speakers disagree; a person has to settle it',9,NULL,'contested',2,'que_pjjvr57879gxfa58','admit');
INSERT INTO decisions VALUES(10,1762246800000007,1,'remember','remember','CONFIRM','unconfirmed','a model''s reading or a third party''s word waits for the subject''s yes',10,NULL,'proposed',NULL,'que_x225731ahs10a7sm','confirm');
INSERT INTO decisions VALUES(11,1762246800000009,1,'turn','call','ADD','episode','recorded as words, not as a fact',NULL,1,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(12,1762246800000010,1,'turn','call','ADD','episode','recorded as words, not as a fact; what is sensitive withheld',NULL,2,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(13,1762246800000012,1,'session','session','ADD','new','nothing says this yet',11,1,'active',1,NULL,'admit');
INSERT INTO decisions VALUES(14,1762246800000013,1,'session','session','REJECT','no_consent','a sensitive class that the subject has not opted into',NULL,2,NULL,NULL,NULL,'exclude');
INSERT INTO decisions VALUES(15,1762246800000015,1,'turn','call','ADD','episode','recorded as words, not as a fact',NULL,3,NULL,NULL,NULL,NULL);
-- Triggers and indices on  decisions
CREATE INDEX decisions_in_episode ON decisions (episode) WHERE episode IS NOT NULL;
CREATE INDEX decisions_of_subject ON decisions (subject, n);
CREATE INDEX decisions_on_record ON decisions (record) WHERE record IS NOT NULL;

-- Table  edges
DROP TABLE IF EXISTS edges;
CREATE TABLE edges (
    record INTEGER NOT NULL REFERENCES records,
    kind   TEXT NOT NULL,                    -- overrides, derived_from, corrects
    target INTEGER NOT NULL REFERENCES records,
    tx     INTEGER NOT NULL,
    PRIMARY KEY (record, kind, target)
) WITHOUT ROWID;
INSERT INTO edges VALUES(7,'derived_from',3,1762246800000004);
-- Triggers and indices on  edges
CREATE INDEX edges_to ON edges (target, kind);
CREATE INDEX overrides ON edges (record) WHERE kind = 'overrides';

-- Table  effects
DROP TABLE IF EXISTS effects;
CREATE TABLE effects (
    decision INTEGER NOT NULL REFERENCES decisions,
    record   INTEGER NOT NULL REFERENCES records,
    PRIMARY KEY (decision, record)
) WITHOUT ROWID;
INSERT INTO effects VALUES(3,1);
INSERT INTO effects VALUES(9,8);
-- Triggers and indices on  effects
CREATE INDEX effects_on_record ON effects (record);

-- Table  episodes
DROP TABLE IF EXISTS episodes;
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
    tier         TEXT NOT NULL, zone TEXT,
    UNIQUE (subject, conversation, turn)
);
INSERT INTO episodes VALUES(1,'epi_jx2mn9w58jvf4jfe',1,'c-1','1',0,'user','ana','I play the violin.',3,1762246800000000,1762246800000009,'',NULL,NULL,2,'hot','Europe/Berlin');
INSERT INTO episodes VALUES(2,'epi_jddwqaf7dne7b9w8',1,'c-1','2',1,'user','ana','[withheld]',2,1762246800000000,1762246800000010,'',NULL,NULL,2,'hot','Europe/Berlin');
INSERT INTO episodes VALUES(3,'epi_z97ydyp5ncq5y3m6',1,'c-2','1',0,'user','ana','I live in Porto now.',4,1762246800000000,1762246800000015,'',NULL,NULL,2,'hot','Europe/Berlin');
-- Triggers and indices on  episodes
CREATE INDEX episodes_in_order ON episodes (subject, conversation, position);
CREATE INDEX episodes_of_subject ON episodes (subject);

-- Table  episodes_postings
DELETE FROM sqlite_schema WHERE name='episodes_postings' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','episodes_postings','episodes_postings',0,'CREATE VIRTUAL TABLE episodes_postings USING fts5vocab (episodes_text, instance)');

-- Table  episodes_text
DELETE FROM sqlite_schema WHERE name='episodes_text' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','episodes_text','episodes_text',0,'CREATE VIRTUAL TABLE episodes_text USING fts5 (words, content = '''', columnsize = 0, tokenize = "ascii tokenchars ''_''")');

-- Table  episodes_text_config
DROP TABLE IF EXISTS episodes_text_config;
CREATE TABLE 'episodes_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO episodes_text_config VALUES('secure-delete',1);
INSERT INTO episodes_text_config VALUES('version',4);

-- Table  episodes_text_data
DROP TABLE IF EXISTS episodes_text_data;
CREATE TABLE 'episodes_text_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO episodes_text_data VALUES(1,X'0309');
INSERT INTO episodes_text_data VALUES(10,X'000000010103030003010101020101030101');
INSERT INTO episodes_text_data VALUES(137438953473,X'000000220630315F616E610102020304706C6179010203030676696F6C696E010204040A09');
INSERT INTO episodes_text_data VALUES(274877906945,X'0000001B0630315F616E6102020203087769746868656C64020203040A');
INSERT INTO episodes_text_data VALUES(412316860417,X'000000290630315F616E6103020203046C69766503020303036E6F770302050305706F72746F030204040A0908');

-- Table  episodes_text_idx
DROP TABLE IF EXISTS episodes_text_idx;
CREATE TABLE 'episodes_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO episodes_text_idx VALUES(1,X'',2);
INSERT INTO episodes_text_idx VALUES(2,X'',2);
INSERT INTO episodes_text_idx VALUES(3,X'',2);

-- Table  events
DROP TABLE IF EXISTS events;
CREATE TABLE events (
    n       INTEGER PRIMARY KEY,
    subject INTEGER REFERENCES subjects,
    name    TEXT NOT NULL,                 -- folded
    scope   TEXT NOT NULL,
    tx      INTEGER NOT NULL
);
-- Triggers and indices on  events
CREATE INDEX events_by_name ON events (name, subject, scope, tx);

-- Table  idempotency
DROP TABLE IF EXISTS idempotency;
CREATE TABLE idempotency (
    subject  INTEGER NOT NULL REFERENCES subjects,
    key      TEXT NOT NULL,
    digest   BLOB NOT NULL,
    decision INTEGER NOT NULL REFERENCES decisions,
    PRIMARY KEY (subject, key)
) WITHOUT ROWID;

-- Table  meta
DROP TABLE IF EXISTS meta;
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO meta VALUES('tenant','acme');

-- Table  migrations
DROP TABLE IF EXISTS migrations;
CREATE TABLE migrations (
    version    INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   TEXT NOT NULL,
    applied_at INTEGER NOT NULL
);
INSERT INTO migrations VALUES(1,'initial','5bddc48d7a81e66eacb25b84f931a60e706b407248d3d300ce087da22372a7b2',1762160400000000);
INSERT INTO migrations VALUES(2,'governing','eeb3e508a0169c9083c84e2246f95a277021b00aaa021ef463b7ceccdc58349e',1762160400000000);

-- Table  records
DROP TABLE IF EXISTS records;
CREATE TABLE records (
    n       INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    subject INTEGER NOT NULL REFERENCES subjects,
    slot    INTEGER REFERENCES slots,
    scope   TEXT NOT NULL,
    created INTEGER NOT NULL
);
INSERT INTO records VALUES(1,'rec_qza4738p3e2trdez',1,1,'',1762160400000000);
INSERT INTO records VALUES(2,'rec_s8k028hje6z79hea',1,NULL,'',1762160400000001);
INSERT INTO records VALUES(3,'rec_ah2j1xqa7qg1fakv',1,1,'',1762246800000000);
INSERT INTO records VALUES(4,'rec_1796g54h8fnpxmg3',1,NULL,'',1762246800000001);
INSERT INTO records VALUES(5,'rec_q9sc44cpsb1fvym8',1,NULL,'',1762246800000002);
INSERT INTO records VALUES(6,'rec_vjqsggbtfa9ehh98',1,NULL,'',1762246800000003);
INSERT INTO records VALUES(7,'rec_a5a08fyw88h3bd7k',1,NULL,'',1762246800000004);
INSERT INTO records VALUES(8,'rec_zm287z2k52nzn79h',1,2,'',1762246800000005);
INSERT INTO records VALUES(9,'rec_2gapj71ts65mhp63',1,2,'',1762246800000006);
INSERT INTO records VALUES(10,'rec_8wfbvt4tcydk3qfp',1,NULL,'',1762246800000007);
INSERT INTO records VALUES(11,'rec_sb83477819fw7fry',1,3,'',1762246800000012);
-- Triggers and indices on  records
CREATE INDEX records_of_subject ON records (subject, n);

-- Table  revisions
DROP TABLE IF EXISTS revisions;
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
    claim_key     INTEGER, waits_for TEXT, answer_by INTEGER,                   -- 63 bits of a hash of the folded claim, where there is no slot
    CHECK (tx_from < tx_until)
);
INSERT INTO revisions VALUES(1,1,1,1,'',1762160400000000,1762246800000000,'active',1762160400000000,1762160400000000,4611686018427387904,4611686018427387904,NULL,1,1,15,'Lives in Berlin','Berlin',0,'ana',2,'fact','home',NULL,NULL,1.0,0.8,NULL,NULL,'remember','changed',1762160400000000,NULL,NULL,NULL,NULL,'hot',NULL,6261553408555881256,NULL,NULL);
INSERT INTO revisions VALUES(2,2,1,NULL,'',1762160400000001,4611686018427387904,'active',1762160400000001,1762160400000000,4611686018427387904,4611686018427387904,NULL,0,2,2,'Works at Apex',NULL,0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762160400000000,NULL,NULL,NULL,NULL,'hot',NULL,250686141334210459,NULL,NULL);
INSERT INTO revisions VALUES(3,1,1,1,'',1762246800000000,4611686018427387904,'superseded',1762160400000000,1762160400000000,4611686018427387904,1762246800000000,'[[1762246800000000,4611686018427387904,"superseded",3]]',0,1,15,'Lives in Berlin','Berlin',0,'ana',2,'fact','home',NULL,NULL,1.0,0.8,NULL,NULL,'remember','changed',1762160400000000,NULL,NULL,NULL,NULL,'hot',3,6261553408555881256,NULL,NULL);
INSERT INTO revisions VALUES(4,3,1,1,'',1762246800000000,4611686018427387904,'active',1762246800000000,1762246800000000,4611686018427387904,4611686018427387904,NULL,1,4,15,'Moved to Lisbon','Lisbon',0,'ana',2,'fact','home',NULL,NULL,1.0,0.8,NULL,NULL,'remember','changed',1762246800000000,NULL,NULL,NULL,NULL,'hot',NULL,3902762774918333953,NULL,NULL);
INSERT INTO revisions VALUES(5,4,1,NULL,'',1762246800000001,4611686018427387904,'active',1762246800000001,1762246800000000,4611686018427387904,4611686018427387904,NULL,0,5,2,'Works at Borealis',NULL,0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762246800000000,NULL,NULL,NULL,NULL,'hot',NULL,1569719503604551853,NULL,NULL);
INSERT INTO revisions VALUES(6,5,1,NULL,'',1762246800000002,4611686018427387904,'active',1762246800000002,1762246800000000,4611686018427387904,4611686018427387904,NULL,0,6,4,'Owns a sailboat named Kaleidoscope',NULL,0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762246800000000,NULL,NULL,NULL,NULL,'hot',NULL,6196928161164972102,NULL,NULL);
INSERT INTO revisions VALUES(7,6,1,NULL,'',1762246800000003,4611686018427387904,'active',1762246800000003,1762246800000000,4611686018427387904,4611686018427387904,NULL,0,7,3,'Keeps mornings free',NULL,0,'ana',3,'instruction',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762246800000000,NULL,1762246800000003,'remember',NULL,'hot',NULL,9079225118574942552,NULL,NULL);
INSERT INTO revisions VALUES(8,7,1,NULL,'',1762246800000004,4611686018427387904,'active',1762246800000004,1762246800000000,4611686018427387904,4611686018427387904,NULL,0,8,3,'Likes being near water',NULL,0,'ana',2,'reflection',NULL,NULL,'["agent"]',1.0,0.5,NULL,NULL,'remember','changed',1762246800000000,NULL,NULL,NULL,NULL,'hot',NULL,7857311191279920790,NULL,NULL);
INSERT INTO revisions VALUES(9,8,1,2,'',1762246800000005,1762246800000006,'active',1762246800000005,1762246800000000,4611686018427387904,4611686018427387904,NULL,1,9,5,'Day is Tuesday','Tuesday',0,'ben',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762246800000000,NULL,NULL,NULL,NULL,'hot',NULL,1239941939041171042,NULL,NULL);
INSERT INTO revisions VALUES(10,8,1,2,'',1762246800000006,4611686018427387904,'contested',1762246800000005,1762246800000000,4611686018427387904,4611686018427387904,NULL,1,9,5,'Day is Tuesday','Tuesday',0,'ben',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762246800000000,NULL,NULL,NULL,NULL,'hot',NULL,1239941939041171042,NULL,NULL);
INSERT INTO revisions VALUES(11,9,1,2,'',1762246800000006,4611686018427387904,'contested',1762246800000006,1762246800000000,4611686018427387904,4611686018427387904,NULL,1,11,5,'Day is Friday','Friday',0,'cleo',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762246800000000,NULL,NULL,NULL,NULL,'hot',NULL,65547858232784317,NULL,NULL);
INSERT INTO revisions VALUES(12,10,1,NULL,'',1762246800000007,4611686018427387904,'proposed',1762246800000007,1762246800000000,4611686018427387904,4611686018427387904,NULL,0,12,2,'Seems to row',NULL,0,'ana',1,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762246800000000,NULL,NULL,NULL,NULL,'hot',NULL,7375270846068745632,'confirm',1767430800000007);
INSERT INTO revisions VALUES(13,11,1,3,'',1762246800000012,4611686018427387904,'active',1762246800000012,1762246800000000,4611686018427387904,4611686018427387904,NULL,1,13,11,'Plays the violin','violin',0,'ana',2,'preference','leisure',NULL,NULL,0.95,0.5,NULL,NULL,'session','changed',1762246800000000,NULL,NULL,NULL,NULL,'hot',NULL,6786047916345692413,NULL,NULL);
-- Triggers and indices on  revisions
CREATE UNIQUE INDEX one_head ON revisions (slot, speaker, rank) WHERE head = 1 AND tx_until = 4611686018427387904;
CREATE INDEX revisions_in_category ON revisions (subject, category, tx_until, stands_until) WHERE category IS NOT NULL;
CREATE INDEX revisions_in_scope ON revisions (subject, scope, kind, tx_until, stands_until);
CREATE INDEX revisions_of_record ON revisions (record, tx_from);
CREATE INDEX revisions_of_slot ON revisions (slot, tx_until, stands_until) WHERE slot IS NOT NULL;
CREATE INDEX revisions_proposed ON revisions (subject, slot, text_n) WHERE status = 'proposed';
CREATE INDEX revisions_rejected_claim ON revisions (subject, claim_key) WHERE status = 'rejected' AND tx_until = 4611686018427387904;
CREATE INDEX revisions_rejected_slot ON revisions (subject, slot) WHERE status = 'rejected' AND tx_until = 4611686018427387904;
CREATE INDEX revisions_reviewable ON revisions (subject) WHERE review_events IS NOT NULL AND tx_until = 4611686018427387904;
CREATE INDEX revisions_same_claim ON revisions (subject, claim_key) WHERE claim_key IS NOT NULL AND tx_until = 4611686018427387904;
CREATE INDEX revisions_superseded_by ON revisions (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX revisions_waiting ON revisions (subject, speaker, answer_by) WHERE status = 'proposed' AND tx_until = 4611686018427387904;

-- Table  sessions
DROP TABLE IF EXISTS sessions;
CREATE TABLE sessions (
    subject      INTEGER NOT NULL REFERENCES subjects,
    conversation TEXT NOT NULL,
    opened       INTEGER NOT NULL,
    closed       INTEGER, reviewed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subject, conversation)
) WITHOUT ROWID;
INSERT INTO sessions VALUES(1,'c-1',1762246800000008,1762246800000011,2);
INSERT INTO sessions VALUES(1,'c-2',1762246800000014,NULL,0);
-- Triggers and indices on  sessions
CREATE INDEX sessions_open ON sessions (subject, opened, conversation) WHERE closed IS NULL;

-- Table  slots
DROP TABLE IF EXISTS slots;
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
INSERT INTO slots VALUES(1,1,'user','home.city','','',2);
INSERT INTO slots VALUES(2,1,'user','x.day','','',2);
INSERT INTO slots VALUES(3,1,'user','music.instrument','violin','',1);

-- Table  sources
DROP TABLE IF EXISTS sources;
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
INSERT INTO sources VALUES(1,1,1762160400000000,1762160400000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(2,2,1762160400000001,1762160400000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(3,3,1762246800000000,1762246800000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(4,4,1762246800000001,1762246800000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(5,5,1762246800000002,1762246800000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(6,6,1762246800000003,1762246800000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(7,7,1762246800000004,1762246800000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(8,8,1762246800000005,1762246800000000,'ben',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(9,9,1762246800000006,1762246800000000,'cleo',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(10,10,1762246800000007,1762246800000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(11,11,1762246800000012,1762246800000000,'ana',0,1,'c-1','1',NULL);
-- Triggers and indices on  sources
CREATE INDEX sources_in_turn ON sources (subject, conversation, turn) WHERE conversation IS NOT NULL;
CREATE INDEX sources_of_record ON sources (record);

-- Table  subjects
DROP TABLE IF EXISTS subjects;
CREATE TABLE subjects (
    n               INTEGER PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE,
    claims          INTEGER NOT NULL DEFAULT 0,
    claim_tokens    INTEGER NOT NULL DEFAULT 0,
    episodes        INTEGER NOT NULL DEFAULT 0,
    episode_tokens  INTEGER NOT NULL DEFAULT 0,
    purges          INTEGER NOT NULL DEFAULT 0
);
INSERT INTO subjects VALUES(1,'ana',11,67,3,9,0);

-- Table  usage
DROP TABLE IF EXISTS usage;
CREATE TABLE usage (
    id          TEXT PRIMARY KEY,            -- of a record or an episode
    last_access INTEGER NOT NULL,
    accesses    INTEGER NOT NULL
) WITHOUT ROWID;

-- Table  vectors
DROP TABLE IF EXISTS vectors;
CREATE TABLE vectors (
    n       INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subjects,
    store   TEXT NOT NULL,                   -- claims or episodes
    version TEXT NOT NULL,
    item    INTEGER NOT NULL,
    vector  BLOB NOT NULL,                   -- float32, little endian
    UNIQUE (subject, store, item, version)
);
-- Triggers and indices on  vectors
CREATE INDEX vectors_in_order ON vectors (subject, store, version);

pragma application_id=1398031681;

COMMIT TRANSACTION;

-- Restoring writable schema back to default
PRAGMA writable_schema=OFF;

-- We need to force SQLite to reread the schema because otherwise it doesn't
-- know that the virtual tables we inserted directly into sqlite_schema exist.
BEGIN;
CREATE TABLE no_such_table(x,y,z);
ROLLBACK;
