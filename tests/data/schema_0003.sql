-- A store as the version before erasures wrote it (schema 3), for tests/test_migrations.py: what two subjects asked to be forgotten is
-- unreadable and still in the file, one of them everything; a slot that changed, a contest, a reflection, an alias, a retry's key.

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
INSERT INTO aliases VALUES(1,1,'the flat','home',1762178400000000,NULL);
-- Triggers and indices on  aliases
CREATE INDEX aliases_of_subject ON aliases (subject, n);

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
INSERT INTO claims_text_data VALUES(1,X'0A4E');
INSERT INTO claims_text_data VALUES(10,X'00000001010A0A000A0101010201010301010401010501010601010701010801010901010A0101');
INSERT INTO claims_text_data VALUES(137438953473,X'0000005F0730315F6261736501040C06040565726C696E01040305030463697469010405050304686F6D650104040703046C6976650104020704046F63617401020E03046D6F766501020B0305726573696401040D040304746F776E01020A040C0B0A0A0A09090B');
INSERT INTO claims_text_data VALUES(274877906945,X'0000005E0730315F6261736503040C06030463697469030405050304686F6D650304040703066C6973626F6E03040305050276650304020704046F63617403020E03046D6F766503020B0305726573696403040D040304746F776E03020A040C0A0A0C0809090B');
INSERT INTO claims_text_data VALUES(412316860417,X'000000240A30315F6E69636B6E616D040202030D74616E676572696E656C796E78040203040E');
INSERT INTO claims_text_data VALUES(549755813889,X'000000180730315F6D65657405020203046E696E65050203040B');
INSERT INTO claims_text_data VALUES(687194767361,X'000000180730315F6275736906020203046D6F726E060203040B');
INSERT INTO claims_text_data VALUES(824633720833,X'000000220630315F6461790704020503077475657364617907040305030178070204040B0D');
INSERT INTO claims_text_data VALUES(962072674305,X'000000210630315F64617909040205030666726964617909040305030178090204040B0C');
INSERT INTO claims_text_data VALUES(1099511627777,X'000000640D30315F62726F6F6B6669656C640A0403080307636F6D70616E690A020E0306656D706C6F790A04080603036A6F620A020D03046C6F6F6D0A020503046D696C6C0A040408030A746563686E696369616E0A02060304776F726B0A080207060604120C0C08090A0F');
INSERT INTO claims_text_data VALUES(1236950581249,X'0000007C0D30315F62726F6F6B6669656C640B020303036A6F620B020B03046C6F6F6D0B04050603046D696C6C0B020403056F636375700B02100305706F7369740B02110406726F666573730B020E0304726F6C650B040806030A746563686E696369616E0B040606040369746C0B020F0304776F726B0B060207080411080A090A0A0B0A1008');
INSERT INTO claims_text_data VALUES(1374389534721,X'0000001B0630325F6F776E0E020203087361696C626F61740E0203040A');

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

-- Table  clock
DROP TABLE IF EXISTS clock;
CREATE TABLE clock (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    last INTEGER NOT NULL
);
INSERT INTO clock VALUES(1,1762214400000002);

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
, route TEXT);
INSERT INTO decisions VALUES(1,1762160400000000,1,'remember','remember','ADD','new','nothing says this yet',1,NULL,'active',1,NULL,'admit');
INSERT INTO decisions VALUES(2,1762164000000000,1,'remember','remember','SUPERSEDE','newer','the older record ends where this one begins',2,NULL,'active',2,NULL,'admit');
INSERT INTO decisions VALUES(3,1762167600000000,1,'remember','remember','ADD','new','nothing says this yet',3,NULL,'active',NULL,NULL,'admit');
INSERT INTO decisions VALUES(4,1762171200000000,1,'remember','remember','ADD','new','nothing says this yet',4,NULL,'active',NULL,NULL,'admit');
INSERT INTO decisions VALUES(5,1762174800000000,1,'remember','remember','ADD','new','nothing says this yet',5,NULL,'active',NULL,NULL,'admit');
INSERT INTO decisions VALUES(6,1762178400000000,1,'alias','call','ADD','alias','the name means that entity from now on; 0 records filed under it',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(7,1762182000000000,1,'remember','remember','ADD','new','nothing says this yet',6,NULL,'active',1,NULL,'admit');
INSERT INTO decisions VALUES(8,1762185600000000,1,'remember','remember','CONTEST','equals','equals of different speakers disagree; a person has to settle it',7,NULL,'contested',2,'que_961bt1mdgng4nyzj','admit');
INSERT INTO decisions VALUES(9,1762189200000001,1,'turn','call','ADD','episode','recorded as words, not as a fact',NULL,1,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(10,1762192800000000,1,'turn','call','ADD','episode','recorded as words, not as a fact',NULL,2,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(11,1762196400000001,1,'session','session','ADD','new','nothing says this yet',8,1,'active',1,NULL,'admit');
INSERT INTO decisions VALUES(12,1762196400000002,1,'session','session','ADD','new','nothing says this yet',9,1,'active',1,NULL,'admit');
INSERT INTO decisions VALUES(13,1762200000000001,1,'turn','call','ADD','episode','recorded as words, not as a fact',NULL,3,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(14,1762203600000001,1,'session','session','ERASE','forget','2 records and 2 turns can''t be read any more: era_x0arr35p247xjaax',NULL,3,NULL,NULL,NULL,'erase');
INSERT INTO decisions VALUES(15,1762203600000002,2,'remember','remember','ADD','new','nothing says this yet',10,NULL,'active',NULL,NULL,'admit');
INSERT INTO decisions VALUES(16,1762207200000001,2,'turn','call','ADD','episode','recorded as words, not as a fact',NULL,4,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(17,1762210800000000,2,'turn','call','ADD','episode','recorded as words, not as a fact',NULL,5,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES(18,1762214400000001,2,'session','session','REJECT','taken_back','taken back or corrected in the same session',NULL,4,NULL,NULL,NULL,'drop');
INSERT INTO decisions VALUES(19,1762214400000002,2,'session','session','ERASE','forget','1 record and 2 turns can''t be read any more: era_bjq21ftf06r3qq14',NULL,5,NULL,NULL,NULL,'erase');
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
INSERT INTO edges VALUES(5,'derived_from',4,1762174800000000,NULL);
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
INSERT INTO effects VALUES(2,1);
INSERT INTO effects VALUES(8,6);
INSERT INTO effects VALUES(14,8);
INSERT INTO effects VALUES(14,9);
INSERT INTO effects VALUES(19,10);
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
INSERT INTO episodes VALUES(1,'epi_d4te2mrygryshpwb',1,'c1','1',0,'user','ana','I work at Brookfield Mills as a loom technician.',6,1762189200000000,1762189200000001,'',NULL,NULL,2,'hot','Europe/Berlin',1);
INSERT INTO episodes VALUES(2,'epi_25t91w10hkmwxfw7',1,'c1','2',1,'assistant','assistant','Noted.',2,1762192800000000,1762192800000000,'',NULL,NULL,1,'hot','Europe/Berlin',NULL);
INSERT INTO episodes VALUES(3,'epi_0spxjxamtwye3y1d',1,'c2','1',0,'user','ana','Stop remembering anything about my job.',5,1762200000000000,1762200000000001,'',NULL,NULL,2,'hot','Europe/Berlin',1);
INSERT INTO episodes VALUES(4,'epi_yjmqdmrebc36w8gs',2,'b1','1',0,'user','ben','I live in Rome.',3,1762207200000000,1762207200000001,'',NULL,NULL,2,'hot','Europe/Berlin',2);
INSERT INTO episodes VALUES(5,'epi_8j7m698x2j172rrk',2,'b1','2',1,'user','ben','Delete everything.',3,1762210800000000,1762210800000000,'',NULL,NULL,2,'hot','Europe/Berlin',2);
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
INSERT INTO episodes_text_data VALUES(1,X'0513');
INSERT INTO episodes_text_data VALUES(10,X'000000010105050005010101020101030101040101050101');
INSERT INTO episodes_text_data VALUES(137438953473,X'000000470630315F616E61010202030A62726F6F6B6669656C6401020403046C6F6F6D01020603046D696C6C010205030A746563686E696369616E0102070304776F726B010203040A0F09090F');
INSERT INTO episodes_text_data VALUES(274877906945,X'0000001A0930315F61737369737402020203046E6F7465020203040D');
INSERT INTO episodes_text_data VALUES(412316860417,X'000000320630315F616E61030202050379746803020503036A6F62030206030672656D656D62030204030473746F70030203040A08080B');
INSERT INTO episodes_text_data VALUES(549755813889,X'000000200630325F62656E04020203046C6976650402030304726F6D65040204040A09');
INSERT INTO episodes_text_data VALUES(687194767361,X'000000240630325F62656E050202030564656C6574050203030765766572797468050204040A0A');

-- Table  episodes_text_idx
DROP TABLE IF EXISTS episodes_text_idx;
CREATE TABLE 'episodes_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO episodes_text_idx VALUES(1,X'',2);
INSERT INTO episodes_text_idx VALUES(2,X'',2);
INSERT INTO episodes_text_idx VALUES(3,X'',2);
INSERT INTO episodes_text_idx VALUES(4,X'',2);
INSERT INTO episodes_text_idx VALUES(5,X'',2);

-- Table  erasures
DROP TABLE IF EXISTS erasures;
CREATE TABLE erasures (
    n       INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    subject INTEGER NOT NULL REFERENCES subjects,
    tx      INTEGER NOT NULL,
    selects TEXT NOT NULL,                   -- JSON: everything, categories, attributes, conversation; never words of the request
    status  TEXT NOT NULL                    -- pending
);
INSERT INTO erasures VALUES(1,'era_x0arr35p247xjaax',1,1762203600000001,'{"categories":["work"],"attributes":["work.employer","work.hours","work.industry","work.manager","work.place","work.role","work.status","work.team"]}','pending');
INSERT INTO erasures VALUES(2,'era_bjq21ftf06r3qq14',2,1762214400000002,'{"everything":true}','pending');
-- Triggers and indices on  erasures
CREATE INDEX erasures_of_subject ON erasures (subject, n);

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
INSERT INTO idempotency VALUES(1,'k1',X'BD18597B1427AF4B922DF63B3ADD1693',3);

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
INSERT INTO records VALUES(1,'rec_52zcqf67r6s2mjqq',1,1,'',1762160400000000,NULL);
INSERT INTO records VALUES(2,'rec_wxyhwdx6ee4qw03p',1,1,'',1762164000000000,NULL);
INSERT INTO records VALUES(3,'rec_azt8mr363avexmnq',1,2,'',1762167600000000,NULL);
INSERT INTO records VALUES(4,'rec_y43qek2mxb7reryg',1,3,'',1762171200000000,NULL);
INSERT INTO records VALUES(5,'rec_fqrsp3wzd88exswe',1,NULL,'',1762174800000000,NULL);
INSERT INTO records VALUES(6,'rec_q3eaa3kekyz2z0z7',1,4,'',1762182000000000,NULL);
INSERT INTO records VALUES(7,'rec_njc62k271jhtggtw',1,4,'',1762185600000000,NULL);
INSERT INTO records VALUES(8,'rec_eepjqg1d9zcp8d83',1,5,'',1762196400000001,1);
INSERT INTO records VALUES(9,'rec_5tkve96b31nzkdd0',1,6,'',1762196400000002,1);
INSERT INTO records VALUES(10,'rec_x4k31fq8nm18csec',2,7,'',1762203600000002,2);
-- Triggers and indices on  records
CREATE INDEX records_being_erased ON records (erasure) WHERE erasure IS NOT NULL;
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
INSERT INTO revisions VALUES(1,1,1,1,'',1762160400000000,1762164000000000,'active',1762160400000000,1762160400000000,4611686018427387904,4611686018427387904,NULL,1,1,15,'Lives in Berlin','Berlin',0,'ana',2,'fact','home',NULL,NULL,1.0,0.8,NULL,NULL,'remember','changed',1762160400000000,NULL,NULL,NULL,NULL,'hot',NULL,6261553408555881256,NULL,NULL);
INSERT INTO revisions VALUES(2,1,1,1,'',1762164000000000,4611686018427387904,'superseded',1762160400000000,1762160400000000,4611686018427387904,1762164000000000,'[[1762164000000000,4611686018427387904,"superseded",2]]',0,1,15,'Lives in Berlin','Berlin',0,'ana',2,'fact','home',NULL,NULL,1.0,0.8,NULL,NULL,'remember','changed',1762160400000000,NULL,NULL,NULL,NULL,'hot',2,6261553408555881256,NULL,NULL);
INSERT INTO revisions VALUES(3,2,1,1,'',1762164000000000,4611686018427387904,'active',1762164000000000,1762164000000000,4611686018427387904,4611686018427387904,NULL,1,3,15,'Lives in Lisbon','Lisbon',0,'ana',2,'fact','home',NULL,NULL,1.0,0.8,NULL,NULL,'remember','changed',1762164000000000,NULL,NULL,NULL,NULL,'hot',NULL,8253988019680822623,NULL,NULL);
INSERT INTO revisions VALUES(4,3,1,2,'',1762167600000000,4611686018427387904,'active',1762167600000000,1762167600000000,4611686018427387904,4611686018427387904,NULL,1,4,2,'Nickname is tangerinelynx','tangerinelynx',0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762167600000000,NULL,NULL,NULL,NULL,'hot',NULL,3904401837491576835,NULL,NULL);
INSERT INTO revisions VALUES(5,4,1,3,'',1762171200000000,4611686018427387904,'active',1762171200000000,1762171200000000,4611686018427387904,4611686018427387904,NULL,1,5,2,'Has a meeting at nine','yes',0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762171200000000,NULL,NULL,NULL,NULL,'hot',NULL,104447059241501945,NULL,NULL);
INSERT INTO revisions VALUES(6,5,1,NULL,'',1762174800000000,4611686018427387904,'active',1762174800000000,1762174800000000,4611686018427387904,4611686018427387904,NULL,0,6,2,'Is busy in the morning',NULL,0,'ana',2,'reflection',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762174800000000,NULL,NULL,NULL,NULL,'hot',NULL,2240484712441138667,NULL,NULL);
INSERT INTO revisions VALUES(7,6,1,4,'',1762182000000000,1762185600000000,'active',1762182000000000,1762182000000000,4611686018427387904,4611686018427387904,NULL,1,7,5,'Day is Tuesday','Tuesday',0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762182000000000,NULL,NULL,NULL,NULL,'hot',NULL,1239941939041171042,NULL,NULL);
INSERT INTO revisions VALUES(8,6,1,4,'',1762185600000000,4611686018427387904,'contested',1762182000000000,1762182000000000,4611686018427387904,4611686018427387904,NULL,1,7,5,'Day is Tuesday','Tuesday',0,'ana',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762182000000000,NULL,NULL,NULL,NULL,'hot',NULL,1239941939041171042,NULL,NULL);
INSERT INTO revisions VALUES(9,7,1,4,'',1762185600000000,4611686018427387904,'contested',1762185600000000,1762185600000000,4611686018427387904,4611686018427387904,NULL,1,9,5,'Day is Friday','Friday',0,'eve',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762185600000000,NULL,NULL,NULL,NULL,'hot',NULL,65547858232784317,NULL,NULL);
INSERT INTO revisions VALUES(10,8,1,5,'',1762196400000001,1762203600000001,'active',1762196400000001,1762189200000000,4611686018427387904,4611686018427387904,NULL,1,10,14,'Works at Brookfield Mills as a loom technician','Brookfield Mills',0,'ana',2,'fact','work',NULL,NULL,0.95,0.7,NULL,NULL,'session','changed',1762189200000000,NULL,NULL,NULL,NULL,'hot',NULL,2760991363737101182,NULL,NULL);
INSERT INTO revisions VALUES(11,9,1,6,'',1762196400000002,1762203600000001,'active',1762196400000002,1762189200000000,4611686018427387904,4611686018427387904,NULL,1,11,16,'Works at Brookfield Mills as a loom technician','loom technician',0,'ana',2,'fact','work',NULL,NULL,0.95,0.7,NULL,NULL,'session','changed',1762189200000000,NULL,NULL,NULL,NULL,'hot',NULL,2760991363737101182,NULL,NULL);
INSERT INTO revisions VALUES(12,8,1,5,'',1762203600000001,4611686018427387904,'deletion_pending',1762196400000001,1762189200000000,4611686018427387904,4611686018427387904,NULL,0,10,14,'Works at Brookfield Mills as a loom technician','Brookfield Mills',0,'ana',2,'fact','work',NULL,NULL,0.95,0.7,NULL,NULL,'session','changed',1762189200000000,NULL,NULL,NULL,NULL,'hot',NULL,2760991363737101182,NULL,NULL);
INSERT INTO revisions VALUES(13,9,1,6,'',1762203600000001,4611686018427387904,'deletion_pending',1762196400000002,1762189200000000,4611686018427387904,4611686018427387904,NULL,0,11,16,'Works at Brookfield Mills as a loom technician','loom technician',0,'ana',2,'fact','work',NULL,NULL,0.95,0.7,NULL,NULL,'session','changed',1762189200000000,NULL,NULL,NULL,NULL,'hot',NULL,2760991363737101182,NULL,NULL);
INSERT INTO revisions VALUES(14,10,2,7,'',1762203600000002,1762214400000002,'active',1762203600000002,1762203600000000,4611686018427387904,4611686018427387904,NULL,1,14,2,'Owns a sailboat','yes',0,'ben',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762203600000000,NULL,NULL,NULL,NULL,'hot',NULL,6609012773632702174,NULL,NULL);
INSERT INTO revisions VALUES(15,10,2,7,'',1762214400000002,4611686018427387904,'deletion_pending',1762203600000002,1762203600000000,4611686018427387904,4611686018427387904,NULL,0,14,2,'Owns a sailboat','yes',0,'ben',2,'fact',NULL,NULL,NULL,1.0,0.5,NULL,NULL,'remember','changed',1762203600000000,NULL,NULL,NULL,NULL,'hot',NULL,6609012773632702174,NULL,NULL);
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
INSERT INTO sessions VALUES(1,'c1',1762189200000000,1762196400000000,2);
INSERT INTO sessions VALUES(1,'c2',1762200000000000,1762203600000000,1);
INSERT INTO sessions VALUES(2,'b1',1762207200000000,1762214400000000,2);
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
INSERT INTO slots VALUES(2,1,'user','text:nickname','','',1);
INSERT INTO slots VALUES(3,1,'user','text:have','meeting | at 9','',1);
INSERT INTO slots VALUES(4,1,'user','x.day','','',2);
INSERT INTO slots VALUES(5,1,'user','work.employer','','',2);
INSERT INTO slots VALUES(6,1,'user','work.role','','',2);
INSERT INTO slots VALUES(7,2,'user','text:own','sailboat','',2);

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
INSERT INTO sources VALUES(6,6,1762182000000000,1762182000000000,'ana',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(7,7,1762185600000000,1762185600000000,'eve',0,1,NULL,NULL,NULL);
INSERT INTO sources VALUES(8,8,1762196400000001,1762189200000000,'ana',0,1,'c1','1',NULL);
INSERT INTO sources VALUES(9,9,1762196400000002,1762189200000000,'ana',0,1,'c1','1',NULL);
INSERT INTO sources VALUES(10,10,1762203600000002,1762203600000000,'ben',0,2,NULL,NULL,NULL);
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
INSERT INTO subjects VALUES(1,'ana',9,76,3,13,0);
INSERT INTO subjects VALUES(2,'ben',1,2,2,6,0);

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
