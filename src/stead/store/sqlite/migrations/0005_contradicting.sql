-- R21, R49: which records a decision was about because they say otherwise. Where all of them are erased it contradicts nothing, and what
-- waits only because of them is decided anew.
CREATE TABLE contradictions (
    decision INTEGER NOT NULL REFERENCES decisions,
    record   INTEGER NOT NULL REFERENCES records,
    PRIMARY KEY (decision, record)
) WITHOUT ROWID;
CREATE INDEX contradictions_of_record ON contradictions (record);
INSERT INTO contradictions SELECT e.decision, e.record FROM effects AS e JOIN decisions AS d ON d.n = e.decision
    WHERE d.decision IN ('SUPERSEDE', 'CONTEST');

-- Earlier versions didn't note what an exception or a question was about: it is taken for what was in the slot before it, and where there
-- is nothing, for itself, so that it goes on counting until it is erased.
INSERT OR IGNORE INTO contradictions SELECT d.n, r.n FROM decisions AS d JOIN records AS mine ON mine.n = d.record
    JOIN records AS r ON r.slot = mine.slot AND r.n < mine.n AND r.created > 0
    WHERE d.decision = 'OVERRIDE' OR d.rule IN ('deliberate', 'explicit', 'high_stakes', 'corroborated');
INSERT OR IGNORE INTO contradictions SELECT d.n, d.record FROM decisions AS d WHERE d.record IS NOT NULL
    AND (d.decision = 'OVERRIDE' OR d.rule IN ('deliberate', 'explicit', 'high_stakes', 'corroborated'))
    AND NOT EXISTS (SELECT 1 FROM contradictions AS c WHERE c.decision = d.n);
