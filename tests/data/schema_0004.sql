-- A store as the version before contradictions were listed wrote it (schema 4), for tests/test_migrations.py: a proposal that waits because
-- a confirmed record says otherwise, a contest, an exception, a supersession; one erasure that is done and one that a crash has left.
-- What lay beside it, a backup of before the erasures too, is in schema_0004/.

-- The values of various per-database settings
PRAGMA page_size=4096;
-- PRAGMA encoding='UTF-8';
-- PRAGMA auto_vacuum=NONE;
-- PRAGMA max_page_count=4294967294;

-- This pragma is needed to restore virtual tables
PRAGMA writable_schema=ON;

BEGIN TRANSACTION;

-- Table  aliases
DROP TABLE IF EXISTS aliases;
CREATE TABLE aliases (
    n       INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subjects,
    name    TEXT NOT NULL,
    means   TEXT NOT NULL,
    tx      INTEGER NOT NULL,
    ended   INTEGER                          -- the transaction in which it was taken back
);
-- Triggers and indices on  aliases
CREATE INDEX aliases_of_subject ON aliases (subject, n);

-- Table  backups
DROP TABLE IF EXISTS backups;
CREATE TABLE backups (
    n      INTEGER PRIMARY KEY,
    id     TEXT NOT NULL UNIQUE,
    path   TEXT NOT NULL,
    tx     INTEGER NOT NULL,
    ledger INTEGER NOT NULL,                 -- how long the ledger was when it was made
    until  INTEGER,                          -- when rotation removes it; NULL: it is kept until somebody does
    gone   INTEGER
);
INSERT INTO backups VALUES(1,'bak_303yztv0whjnxw4v','/dev/shm/fix4/old.backup',1762203600000000,1,NULL,NULL);

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
INSERT INTO claims_text_config VALUES('version',5);

-- Table  claims_text_data
DROP TABLE IF EXISTS claims_text_data;
CREATE TABLE 'claims_text_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO claims_text_data VALUES(1,X'0C62');
INSERT INTO claims_text_data VALUES(10,X'00000002010D0D000D0101010201010301010401010501010601010701010801010901010A01010B01010C01010D0101');
INSERT INTO claims_text_data VALUES(137438953473,X'0000005E0730315F6261736501040C06030463697469010405050304686F6D650104040703066C6973626F6E01040305050276650104020704046F63617401020E03046D6F766501020B0305726573696401040D040304746F776E01020A040C0A0A0C0809090B');
INSERT INTO claims_text_data VALUES(274877906945,X'000000260A30315F636F6C6C65637402020203056D6163616F02020403057374616D70020203040E0A');
INSERT INTO claims_text_data VALUES(412316860417,X'000000230830315F677265656E0304030503046B696E64030205030374656103040204040D09');
INSERT INTO claims_text_data VALUES(549755813889,X'000000230830315F626C61636B0404030503046B696E64040205030374656104040204040D09');
INSERT INTO claims_text_data VALUES(687194767361,X'000000270630315F64617905040205030672657669657705020403077475657364617905040305040B0B');
INSERT INTO claims_text_data VALUES(824633720833,X'000000260630315F646179070402050306667269646179070403050306726576696577070204040B0C');
INSERT INTO claims_text_data VALUES(962072674305,X'0000003B0630315F61636D080403050307636F6D70616E6908020A0306656D706C6F790804050503036A6F620802090304776F726B080802040506040B0C0C08');
INSERT INTO claims_text_data VALUES(1099511627777,X'000000470A30315F626F7265616C69090403050307636F6D70616E6909020A0306656D706C6F7909040505030468656C7009020203036A6F620902090304776F726B0906040506040F0C0C0908');
INSERT INTO claims_text_data VALUES(1236950581249,X'0000003C0A30315F636F6D70616E690B020A0504727675730B0403050306656D706C6F790B04050503036A6F620B02090304776F726B0B0802040506040E0A0C08');
INSERT INTO claims_text_data VALUES(1374389534721,X'000000430A30315F657865726369730C020903046C696B650C0402060304706C61790C02080303726F770C040304030573706F72740C0404050305747261696E0C020A040E0A09090B');
INSERT INTO claims_text_data VALUES(1511828488193,X'0000006C0730315F626173650D040E060304636974690D0406060304686F6D650D04050803046C6976650D04030804046F6361740D021003046D6F76650D020D030572657369640D040F0403067369737465720D0402080304746F776E0D020C03067A61677265620D040405040C0A0A0A09090B0C09');
INSERT INTO claims_text_data VALUES(1649267441665,X'00000004');
INSERT INTO claims_text_data VALUES(1786706395137,X'0000002D0A30315F64656E746973740F02030401720F02040304666561720F02020307776578666F72640F0205040E0609');

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
INSERT INTO claims_text_idx VALUES(12,X'',2);
INSERT INTO claims_text_idx VALUES(13,X'',2);

-- Table  clock
DROP TABLE IF EXISTS clock;
CREATE TABLE clock (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    last INTEGER NOT NULL
);
INSERT INTO clock VALUES(1,1762210800000000);

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

-- Table  consolidations
DROP TABLE IF EXISTS consolidations;
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
-- Triggers and indices on  consolidations
CREATE INDEX consolidations_of_subject ON consolidations (subject, n);

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
, route TEXT, erasure TEXT);
INSERT INTO decisions VALUES(1,1762160400000000,1,'remember','remember','ADD','new','nothing says this yet',1,NULL,'active',1,NULL,'admit',NULL);
INSERT INTO decisions VALUES(2,1762164000000000,1,'remember','remember','ADD','new','nothing says this yet',2,NULL,'active',NULL,NULL,'admit',NULL);
INSERT INTO decisions VALUES(3,1762167600000000,1,'remember','remember','ADD','new','nothing says this yet',3,NULL,'active',1,NULL,'admit',NULL);
INSERT INTO decisions VALUES(4,1762171200000000,1,'remember','remember','CONFIRM','deliberate','a higher authority says otherwise over the whole interval; it waits for confirmation',4,NULL,'proposed',2,'que_qpsncefs9pnkp32y','admit',NULL);
INSERT INTO decisions VALUES(5,1762174800000000,1,'remember','remember','ADD','new','nothing says this yet',5,NULL,'active',1,NULL,'admit',NULL);
INSERT INTO decisions VALUES(6,1762178400000000,1,'remember','remember','CONTEST','equals','equals of different speakers disagree; a person has to settle it',6,NULL,'contested',2,'que_465x5br7xvb9f2ey','admit',NULL);
INSERT INTO decisions VALUES(7,1762182000000000,1,'remember','remember','ADD','new','nothing says this yet',7,NULL,'active',1,NULL,'admit',NULL);
INSERT INTO decisions VALUES(8,1762185600000000,1,'remember','remember','OVERRIDE','exception','it wins inside its interval; the usual rule resumes after it',8,NULL,'active',2,NULL,'admit',NULL);
INSERT INTO decisions VALUES(9,1762189200000000,1,'remember','remember','SUPERSEDE','newer','the older record ends where this one begins',9,NULL,'active',3,NULL,'admit',NULL);
INSERT INTO decisions VALUES(10,1762192800000001,1,'turn','call','ADD','episode','recorded as words, not as a fact',NULL,1,NULL,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(11,1762192800000002,1,'turn','call','ADD','episode','recorded as words, not as a fact',NULL,2,NULL,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(12,1762192800000004,1,'session','session','ADD','new','nothing says this yet',10,1,'active',1,NULL,'admit',NULL);
INSERT INTO decisions VALUES(13,1762192800000005,1,'session','session','ADD','new','nothing says this yet',11,2,'active',1,NULL,'admit',NULL);
INSERT INTO decisions VALUES(15,1762200000000000,1,'remember','remember','ADD','new','nothing says this yet',13,NULL,'active',NULL,NULL,'admit',NULL);
INSERT INTO decisions VALUES(16,1762207200000000,1,'erase','call','ERASE','erased','1 record and 0 turns can''t be read any more: era_pt684ckyv86p9gsa',NULL,NULL,NULL,NULL,NULL,NULL,'era_pt684ckyv86p9gsa');
INSERT INTO decisions VALUES(17,1762210800000000,1,'erase','call','ERASE','erased','1 record and 0 turns can''t be read any more: era_c9bcvzc48x0v28x7',NULL,NULL,NULL,NULL,NULL,NULL,'era_c9bcvzc48x0v28x7');
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
    tx     INTEGER NOT NULL, released INTEGER,
    PRIMARY KEY (record, kind, target)
) WITHOUT ROWID;
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
INSERT INTO effects VALUES(6,5);
INSERT INTO effects VALUES(9,7);
INSERT INTO effects VALUES(16,12);
INSERT INTO effects VALUES(17,13);
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
    tier         TEXT NOT NULL, zone TEXT, erasure INTEGER REFERENCES erasures,
    UNIQUE (subject, conversation, turn)
);
INSERT INTO episodes VALUES(1,'epi_0f30g1d9jqrdkj5y',1,'talk','t1',0,'user','ana','I like rowing.',3,1762192800000000,1762192800000001,'',NULL,NULL,2,'hot','Europe/Berlin',NULL);
INSERT INTO episodes VALUES(2,'epi_9r2ypp7dj24d0tgt',1,'talk','t2',1,'user','ana','My sister lives in Zagreb.',4,1762192800000000,1762192800000002,'',NULL,NULL,2,'hot','Europe/Berlin',NULL);
-- Triggers and indices on  episodes
CREATE INDEX episodes_being_erased ON episodes (erasure) WHERE erasure IS NOT NULL;
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
INSERT INTO episodes_text_data VALUES(1,X'0207');
INSERT INTO episodes_text_data VALUES(10,X'000000010102020002010101020101');
INSERT INTO episodes_text_data VALUES(137438953473,X'0000001F0630315F616E6101020203046C696B650102030303726F77010204040A09');
INSERT INTO episodes_text_data VALUES(274877906945,X'0000002D0630315F616E6102020203046C697665020204030673697374657202020303067A6167726562020205040A090B');

-- Table  episodes_text_idx
DROP TABLE IF EXISTS episodes_text_idx;
CREATE TABLE 'episodes_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO episodes_text_idx VALUES(1,X'',2);
INSERT INTO episodes_text_idx VALUES(2,X'',2);

-- Table  erasures
DROP TABLE IF EXISTS erasures;
CREATE TABLE erasures (
    n       INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    subject INTEGER NOT NULL REFERENCES subjects,
    tx      INTEGER NOT NULL,
    selects TEXT NOT NULL,                   -- JSON: everything, categories, attributes, conversation; never words of the request
    status  TEXT NOT NULL                    -- pending
, by TEXT NOT NULL DEFAULT 'wish', requester TEXT NOT NULL DEFAULT 'subject', step TEXT NOT NULL DEFAULT 'hidden', whole INTEGER NOT NULL DEFAULT 0, scan INTEGER NOT NULL DEFAULT 1, done TEXT NOT NULL DEFAULT '{}', receipt INTEGER);
INSERT INTO erasures VALUES(1,'era_pt684ckyv86p9gsa',1,1762207200000000,'{}','complete','record','subject','receipt',0,1,'{"full text": 1, "log": 1, "records": 1, "revisions": 1, "sources": 1}',3);
INSERT INTO erasures VALUES(2,'era_c9bcvzc48x0v28x7',1,1762210800000000,'{}','pending','record','subject','hidden',0,1,'{"derived": 0, "proposals": 0}',NULL);
-- Triggers and indices on  erasures
CREATE INDEX erasures_of_subject ON erasures (subject, n);
CREATE INDEX erasures_unfinished ON erasures (status) WHERE status <> 'complete';

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

-- Table  exports
DROP TABLE IF EXISTS exports;
CREATE TABLE exports (
    n       INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    subject INTEGER NOT NULL REFERENCES subjects,
    path    TEXT NOT NULL,
    form    TEXT NOT NULL,                   -- jsonl or markdown
    tx      INTEGER NOT NULL,
    gone    INTEGER                          -- the file isn't there any more, or is no longer ours
);
-- Triggers and indices on  exports
CREATE INDEX exports_of_subject ON exports (subject);

-- Table  fences
DROP TABLE IF EXISTS fences;
CREATE TABLE fences (
    subject INTEGER NOT NULL REFERENCES subjects,
    kind    TEXT NOT NULL,                   -- turn, conversation, uri, claim, value or key (of idempotency)
    mark    BLOB NOT NULL,
    tx      INTEGER NOT NULL,                -- of the erasure
    PRIMARY KEY (subject, kind, mark)
) WITHOUT ROWID;
INSERT INTO fences VALUES(1,'claim',X'2475114505CDF8A54E42DC12AF0CCCA7',1762207200000000);
INSERT INTO fences VALUES(1,'claim',X'8A10D3C70554E40F86AFB844805B8DDC',1762210800000000);
INSERT INTO fences VALUES(1,'value',X'5FCCE201AB0816C59439A5E905C86C72',1762210800000000);
INSERT INTO fences VALUES(1,'value',X'D206189722C407F85EE38606922FBDA6',1762207200000000);

-- Table  idempotency
DROP TABLE IF EXISTS idempotency;
CREATE TABLE idempotency (
    subject  INTEGER NOT NULL REFERENCES subjects,
    key      TEXT NOT NULL,
    digest   BLOB NOT NULL,
    decision INTEGER NOT NULL REFERENCES decisions,
    PRIMARY KEY (subject, key)
) WITHOUT ROWID;
-- Triggers and indices on  idempotency
CREATE INDEX idempotency_of_decision ON idempotency (decision);

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
INSERT INTO migrations VALUES(3,'resolving','afc755fd8760abd796b0f81e5636fd6f4101ee753e4a9cff7d4328e049c71243',1762160400000000);
INSERT INTO migrations VALUES(4,'erasing','ca8e88c88a8df273d948d8b0467616606c2b5b2e0de1a916b53ca8d30f71f461',1762160400000000);

-- Table  needles
DROP TABLE IF EXISTS needles;
CREATE TABLE needles (
    n       INTEGER PRIMARY KEY,
    erasure INTEGER NOT NULL REFERENCES erasures,
    sealed  BLOB NOT NULL
);
INSERT INTO needles VALUES(1,2,X'5F7D7AB936D030A6F078919B4D224F888B22A3BC6C981743D884628B0001DA27AF71A944D2647E564E7D297B20E108D185F601D6E3BC5A73415E3BB01667862D0B3C05688F2A3B6D7D4F5182BEAF83323E1B847AA46670B5F7D3829F');
-- Triggers and indices on  needles
CREATE INDEX needles_of_erasure ON needles (erasure);

-- Table  numbers
DROP TABLE IF EXISTS numbers;
CREATE TABLE numbers (
    what TEXT PRIMARY KEY,
    last INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO numbers VALUES('decisions',16);
INSERT INTO numbers VALUES('episodes',2);
INSERT INTO numbers VALUES('revisions',15);

-- Table  readers
DROP TABLE IF EXISTS readers;
CREATE TABLE readers (
    id          TEXT NOT NULL,
    purpose     TEXT NOT NULL,               -- '': none was named
    audience    TEXT NOT NULL,
    last_access INTEGER NOT NULL,
    accesses    INTEGER NOT NULL,
    PRIMARY KEY (id, purpose, audience)
) WITHOUT ROWID;

-- Table  records
DROP TABLE IF EXISTS records;
CREATE TABLE records (
    n       INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    subject INTEGER NOT NULL REFERENCES subjects,
    slot    INTEGER REFERENCES slots,
    scope   TEXT NOT NULL,
    created INTEGER NOT NULL
, erasure INTEGER REFERENCES erasures);
INSERT INTO records VALUES(1,'rec_qe9v6ygzs79vmm93',1,1,'',1762160400000000,NULL);
INSERT INTO records VALUES(2,'rec_dya3aw6nj0sapbaf',1,2,'',1762164000000000,NULL);
INSERT INTO records VALUES(3,'rec_ttgrtkcaf64eh342',1,3,'',1762167600000000,NULL);
INSERT INTO records VALUES(4,'rec_k8f5h2r6bnkdpjjh',1,3,'',1762171200000000,NULL);
INSERT INTO records VALUES(5,'rec_9g6yfnbd745m4nks',1,4,'',1762174800000000,NULL);
INSERT INTO records VALUES(6,'rec_j2h4qy3bjdr7c8w1',1,4,'',1762178400000000,NULL);
INSERT INTO records VALUES(7,'rec_c7j0dwwam7darh5h',1,5,'',1762182000000000,NULL);
INSERT INTO records VALUES(8,'rec_kn0j3e9fc5ndmeyr',1,5,'',1762185600000000,NULL);
INSERT INTO records VALUES(9,'rec_agf73pcsweb7dqc3',1,5,'',1762189200000000,NULL);
INSERT INTO records VALUES(10,'rec_kxa80j2p460xcga8',1,6,'',1762192800000004,NULL);
INSERT INTO records VALUES(11,'rec_5j9me6vv2a4b4266',1,7,'',1762192800000005,NULL);
INSERT INTO records VALUES(12,'rec_5w133n0mkjmymj89',1,NULL,'',0,1);
INSERT INTO records VALUES(13,'rec_g8y28g6ma62wxedq',1,9,'',1762200000000000,2);
-- Triggers and indices on  records
CREATE INDEX records_being_erased ON records (erasure) WHERE erasure IS NOT NULL;
CREATE INDEX records_in_slot ON records (slot) WHERE slot IS NOT NULL;
CREATE INDEX records_of_subject ON records (subject, n);
CREATE INDEX records_to_purge ON records (erasure, n) WHERE created > 0;

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
INSERT INTO revisions VALUES(1,1,1,1,'',1762160400000000,4611686018427387904,'active',1762160400000000,1735686000000000,4611686018427387904,4611686018427387904,NULL,1,1,15,'Lives in Lisbon','Lisbon',0,'ana',2,'fact','home',NULL,NULL,1.0,0.8,NULL,NULL,'remember','changed',1762160400000000,NULL,NULL,NULL,NULL,'hot',NULL,8253988019680822623,NULL,NULL);
INSERT INTO revisions VALUES(2,2,1,2,'',1762164000000000,4611686018427387904,'active',1762164000000000,1762164000000000,4611686018427387904,4611686018427387904,NULL,1,2,3,'Collects stamps from Macao','yes',0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762164000000000,NULL,NULL,NULL,NULL,'hot',NULL,6655403745991346430,NULL,NULL);
INSERT INTO revisions VALUES(3,3,1,3,'',1762167600000000,4611686018427387904,'active',1762167600000000,1738364400000000,4611686018427387904,4611686018427387904,NULL,1,3,5,'Tea is green','green',0,'ana',3,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762167600000000,NULL,1762167600000000,'remember',NULL,'hot',NULL,5594430365669057024,NULL,NULL);
INSERT INTO revisions VALUES(4,4,1,3,'',1762171200000000,4611686018427387904,'proposed',1762171200000000,1740783600000000,4611686018427387904,4611686018427387904,NULL,0,4,5,'Tea is black','black',0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762171200000000,NULL,NULL,NULL,NULL,'hot',NULL,3553487150474032540,'confirm',1769947200000000);
INSERT INTO revisions VALUES(5,5,1,4,'',1762174800000000,1762178400000000,'active',1762174800000000,1735686000000000,4611686018427387904,4611686018427387904,NULL,1,5,5,'Day is Tuesday','Tuesday',0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762174800000000,NULL,NULL,NULL,NULL,'hot',NULL,1239941939041171042,NULL,NULL);
INSERT INTO revisions VALUES(6,5,1,4,'',1762178400000000,4611686018427387904,'contested',1762174800000000,1735686000000000,4611686018427387904,4611686018427387904,NULL,1,5,5,'Day is Tuesday','Tuesday',0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762174800000000,NULL,NULL,NULL,NULL,'hot',NULL,1239941939041171042,NULL,NULL);
INSERT INTO revisions VALUES(7,6,1,4,'',1762178400000000,4611686018427387904,'contested',1762178400000000,1735686000000000,4611686018427387904,4611686018427387904,NULL,1,7,5,'Day is Friday','Friday',0,'ben',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762178400000000,NULL,NULL,NULL,NULL,'hot',NULL,65547858232784317,NULL,NULL);
INSERT INTO revisions VALUES(8,7,1,5,'',1762182000000000,1762189200000000,'active',1762182000000000,1735686000000000,4611686018427387904,4611686018427387904,NULL,1,8,10,'Works at Acme','Acme',0,'ana',2,'fact','work',NULL,NULL,1.0,0.7,NULL,NULL,'remember','changed',1762182000000000,NULL,NULL,NULL,NULL,'hot',NULL,3864485547711057134,NULL,NULL);
INSERT INTO revisions VALUES(9,8,1,5,'',1762185600000000,4611686018427387904,'active',1762185600000000,1746050400000000,1748728800000000,1748728800000000,NULL,0,9,10,'Helps out at Borealis','Borealis',0,'ana',2,'fact','work',NULL,NULL,1.0,0.7,NULL,NULL,'remember','changed',1762185600000000,NULL,NULL,NULL,NULL,'hot',NULL,1511357892950234861,NULL,NULL);
INSERT INTO revisions VALUES(10,7,1,5,'',1762189200000000,4611686018427387904,'superseded',1762182000000000,1735686000000000,4611686018427387904,1753999200000000,'[[1753999200000000,4611686018427387904,"superseded",9]]',0,8,10,'Works at Acme','Acme',0,'ana',2,'fact','work',NULL,NULL,1.0,0.7,NULL,NULL,'remember','changed',1762182000000000,NULL,NULL,NULL,NULL,'hot',9,3864485547711057134,NULL,NULL);
INSERT INTO revisions VALUES(11,9,1,5,'',1762189200000000,4611686018427387904,'active',1762189200000000,1753999200000000,4611686018427387904,4611686018427387904,NULL,1,11,10,'Works at Corvus','Corvus',0,'ana',2,'fact','work',NULL,NULL,1.0,0.7,NULL,NULL,'remember','changed',1762189200000000,NULL,NULL,NULL,NULL,'hot',NULL,7465621120127436387,NULL,NULL);
INSERT INTO revisions VALUES(12,10,1,6,'',1762192800000004,4611686018427387904,'active',1762192800000004,1762192800000000,4611686018427387904,4611686018427387904,NULL,1,12,9,'Likes rowing','likes',0,'ana',2,'preference','leisure',NULL,NULL,0.95,0.5,NULL,NULL,'session','changed',1762192800000000,NULL,NULL,NULL,NULL,'hot',NULL,6786346995242791603,NULL,NULL);
INSERT INTO revisions VALUES(13,11,1,7,'',1762192800000005,4611686018427387904,'active',1762192800000005,1762192800000000,4611686018427387904,4611686018427387904,NULL,1,13,17,'Sister lives in Zagreb','Zagreb',0,'ana',2,'fact','home',NULL,NULL,0.95,0.8,NULL,NULL,'session','changed',1762192800000000,NULL,NULL,NULL,NULL,'hot',NULL,5281146940309415422,NULL,NULL);
INSERT INTO revisions VALUES(15,13,1,9,'',1762200000000000,4611686018427387904,'deletion_pending',1762200000000000,1762200000000000,4611686018427387904,4611686018427387904,NULL,0,15,4,'Fears the dentist Dr. Wexford','yes',0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762200000000000,NULL,NULL,NULL,NULL,'hot',NULL,5429216598222336728,NULL,NULL);
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

-- Table  said_of
DROP TABLE IF EXISTS said_of;
CREATE TABLE said_of (
    record  INTEGER PRIMARY KEY REFERENCES records,
    subject INTEGER NOT NULL REFERENCES subjects,
    entity  TEXT NOT NULL
);

-- Table  sessions
DROP TABLE IF EXISTS sessions;
CREATE TABLE sessions (
    subject      INTEGER NOT NULL REFERENCES subjects,
    conversation TEXT NOT NULL,
    opened       INTEGER NOT NULL,
    closed       INTEGER, reviewed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subject, conversation)
) WITHOUT ROWID;
INSERT INTO sessions VALUES(1,'talk',1762192800000000,1762192800000003,2);
-- Triggers and indices on  sessions
CREATE INDEX sessions_open ON sessions (subject, opened, conversation) WHERE closed IS NULL;

-- Table  sinks
DROP TABLE IF EXISTS sinks;
CREATE TABLE sinks (
    name    TEXT PRIMARY KEY,
    command TEXT,                            -- NULL: a function that the program registers
    tx      INTEGER NOT NULL
) WITHOUT ROWID;

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
INSERT INTO slots VALUES(1,1,'user','home.city','','',1);
INSERT INTO slots VALUES(2,1,'user','text:collect','stamp | from macao','',1);
INSERT INTO slots VALUES(3,1,'user','tea.kind','','',2);
INSERT INTO slots VALUES(4,1,'user','review.day','','',2);
INSERT INTO slots VALUES(5,1,'user','work.employer','','',3);
INSERT INTO slots VALUES(6,1,'user','sport','rowing','',1);
INSERT INTO slots VALUES(7,1,'sister','home.city','','',1);
INSERT INTO slots VALUES(9,1,'user','text:fear','dentist dr wexford','',1);

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
INSERT INTO sources VALUES(2,2,1762164000000000,1762164000000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(3,3,1762167600000000,1762167600000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(4,4,1762171200000000,1762171200000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(5,5,1762174800000000,1762174800000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(6,6,1762178400000000,1762178400000000,'ben',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(7,7,1762182000000000,1762182000000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(8,8,1762185600000000,1762185600000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(9,9,1762189200000000,1762189200000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(10,10,1762192800000004,1762192800000000,'ana',0,1,'talk','t1',NULL);
INSERT INTO sources VALUES(11,11,1762192800000005,1762192800000000,'ana',0,1,'talk','t2',NULL);
INSERT INTO sources VALUES(13,13,1762200000000000,1762200000000000,'ana',0,1,NULL,NULL,NULL);
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
, epoch INTEGER NOT NULL DEFAULT 0, ref TEXT);
INSERT INTO subjects VALUES(1,'ana',12,98,2,7,3,2,'sub_gc0pmgfe79nynsr2');
-- Triggers and indices on  subjects
CREATE UNIQUE INDEX subjects_by_ref ON subjects (ref) WHERE ref IS NOT NULL;

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

-- Database header
pragma application_id=1398031681;

COMMIT TRANSACTION;

-- Restoring writable schema back to default
PRAGMA writable_schema=OFF;

-- We need to force SQLite to reread the schema because otherwise it doesn't
-- know that the virtual tables we inserted directly into sqlite_schema exist.
BEGIN;
CREATE TABLE no_such_table(x,y,z);
ROLLBACK;
