"""The twelfth migration: a table from which decisions on cards are counted."""

TWELFTH = """
-- The cards the operator decided on, each with its last decision.
CREATE TABLE decided_cards (
    approval_id INTEGER PRIMARY KEY REFERENCES approvals,
    chat_id INTEGER NOT NULL REFERENCES chats,
    at INTEGER NOT NULL,
    outcome TEXT NOT NULL                    -- '' = taken back, or it came to nothing
) STRICT;
INSERT INTO decided_cards (approval_id, chat_id, at, outcome)
    SELECT d.approval_id, d.chat_id, max(d.at), CASE
        WHEN a.state = 'rejected' THEN 'rejected'
        WHEN a.state <> 'approved' THEN ''
        WHEN a.text <> a.draft_text THEN 'edited'
        ELSE 'unchanged' END
    FROM decisions d CROSS JOIN approvals a ON a.approval_id = d.approval_id
    WHERE d.chat_id IS NOT NULL AND d.decided_by = 'operator' AND d.verdict = 'accepted'
        AND d.decision IN ('Approve', 'ApproveEdited', 'Reject', 'RejectPlan')
    GROUP BY d.approval_id;
CREATE INDEX decided_cards_of_chat ON decided_cards (chat_id, outcome, at);
"""
