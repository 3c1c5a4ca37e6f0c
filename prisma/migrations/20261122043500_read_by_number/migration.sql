-- Messages are read by their numbers. The index by sender served a filter of the transcript page alone, and took a third of what
-- PostgreSQL does for a message.
DROP INDEX "message_groupId_senderId_seq_idx";
