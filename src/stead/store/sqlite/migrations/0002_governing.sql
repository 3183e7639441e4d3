-- The write policy: what proposals wait for, what the subject allows, what happened, and how far a session was reviewed.
ALTER TABLE revisions ADD COLUMN waits_for TEXT;     -- of a proposal: NULL or confirm, clarify, release
ALTER TABLE revisions ADD COLUMN answer_by INTEGER;  -- until when a proposal waits for its answer
ALTER TABLE episodes ADD COLUMN zone TEXT;          -- of who spoke: the words of time in it are read there
ALTER TABLE decisions ADD COLUMN route TEXT;         -- R15; NULL where no candidate was routed
ALTER TABLE sessions ADD COLUMN reviewed INTEGER NOT NULL DEFAULT 0;  -- turns below this position have been through the review

-- What earlier versions recorded was never to be extracted.
UPDATE sessions SET reviewed = (
    SELECT coalesce(max(e.position) + 1, 0) FROM episodes AS e
    WHERE e.subject = sessions.subject AND e.conversation = sessions.conversation
);

-- R48: words that memory itself returned are recognised by the key of their claim, with a slot or without.
UPDATE revisions SET claim_key = claim_key_of(claim) WHERE claim_key IS NULL;

CREATE INDEX sessions_open ON sessions (subject, opened, conversation) WHERE closed IS NULL;
CREATE INDEX decisions_of_subject ON decisions (subject, n);
CREATE INDEX decisions_in_episode ON decisions (episode) WHERE episode IS NOT NULL;
CREATE INDEX revisions_waiting ON revisions (subject, speaker, answer_by) WHERE status = 'proposed' AND tx_until = 4611686018427387904;
CREATE INDEX revisions_rejected_claim ON revisions (subject, claim_key) WHERE status = 'rejected' AND tx_until = 4611686018427387904;
CREATE INDEX revisions_rejected_slot ON revisions (subject, slot) WHERE status = 'rejected' AND tx_until = 4611686018427387904;
CREATE INDEX revisions_reviewable ON revisions (subject) WHERE review_events IS NOT NULL AND tx_until = 4611686018427387904;

-- R16: what a subject allows; the newest row of a class counts. The class personalisation is the whole of it.
CREATE TABLE consents (
    n       INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subjects,
    class   TEXT NOT NULL,
    allowed INTEGER NOT NULL,
    tx      INTEGER NOT NULL
);
CREATE INDEX consents_of_subject ON consents (subject, class, n);

-- R53: what was reported; NULL is an event of the whole tenant.
CREATE TABLE events (
    n       INTEGER PRIMARY KEY,
    subject INTEGER REFERENCES subjects,
    name    TEXT NOT NULL,                 -- folded
    scope   TEXT NOT NULL,
    tx      INTEGER NOT NULL
);
CREATE INDEX events_by_name ON events (name, subject, scope, tx);
