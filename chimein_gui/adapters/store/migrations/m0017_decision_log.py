"""The seventeenth migration: the decision log has indexes by time, agent and kind, and stores causes and rules."""

SEVENTEENTH = """
ALTER TABLE chats ADD COLUMN trust_since INTEGER;                 -- when the operator set the trust level
ALTER TABLE decisions ADD COLUMN kind TEXT NOT NULL DEFAULT '';   -- '' = not a line of the log that is shown
ALTER TABLE decisions ADD COLUMN agent_id INTEGER;
ALTER TABLE decisions ADD COLUMN cause TEXT NOT NULL DEFAULT '';  -- the picked reason of a rejection
ALTER TABLE decisions ADD COLUMN rule_source TEXT NOT NULL DEFAULT '';
ALTER TABLE decisions ADD COLUMN rule_since INTEGER;
ALTER TABLE decisions ADD COLUMN rule_until INTEGER;
UPDATE decisions SET agent_id = (SELECT agent_id FROM chats WHERE chat_id = decisions.chat_id)
    WHERE chat_id IS NOT NULL;
UPDATE decisions SET kind = CASE
    WHEN decided_by <> 'operator' THEN 'by rule'
    WHEN decision IN ('Approve', 'ApproveEdited')
        THEN iif(text <> (SELECT draft_text FROM approvals WHERE approval_id = decisions.approval_id),
            'edited', 'approved')
    WHEN decision = 'Reject' THEN 'rejected'
    WHEN decision = 'RejectPlan' THEN 'plan rejected'
    WHEN decision = 'Postpone' THEN 'postponed'
    WHEN decision = 'Undo' THEN 'undone'
    WHEN decision = 'Write' THEN 'written'
    WHEN decision = 'SendAnyway' THEN 'sent anyway'
    ELSE '' END
    WHERE verdict = 'accepted' AND agent_id IS NOT NULL;
CREATE INDEX decisions_log ON decisions (at, kind) WHERE kind <> '';
CREATE INDEX decisions_log_of_agent ON decisions (agent_id, at, kind) WHERE kind <> '';
CREATE INDEX decisions_log_of_chat ON decisions (chat_id, at, kind) WHERE kind <> '';
CREATE INDEX decisions_log_of_kind ON decisions (kind, at) WHERE kind <> '';
"""
