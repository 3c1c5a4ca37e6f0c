/**
 * Owns the ordered message logs (rooms and inboxes), their archive, dead letters, members' cursors and the transactional outbox.
 * Never knows what a message means, nor who may write it.
 * Reads audit, telemetry.
 */
export {
  advanceHeadsStep,
  appendBatchSteps,
  copyMessagesStep,
  findKnownMessagesStep,
  type KnownMessageRow,
  type LogBatch,
  type LogState,
  signalsOf,
  withLockedLogs,
} from './append-batch.ts'
export { type Appended, appendMessage, openInbox, openLog } from './append-message.ts'
export { archiveMessages } from './archive/archive-messages.ts'
export { createPartitions } from './archive/create-partitions.ts'
export { createArchiveFileStore } from './archive/file-store.ts'
export { iterateArchived, sortUniqueBySeq } from './archive/read-archived-messages.ts'
export { rewriteErasedFiles } from './archive/rewrite-erased-files.ts'
export { claimIdempotencyKey } from './claim-idempotency-key.ts'
export { type CursorCommit, commitMemberCursorsSteps } from './commit-member-cursors.ts'
export { eraseMessageBody, rewriteFilesTask } from './erase-message-body.ts'
export { cursorBeyondHead, envelopeAhead, envelopeIdReused, envelopeStale } from './errors.ts'
export { findArchivedDuplicates, findMessageById } from './find-message-by-id.ts'
export { type DeadLetter, listMessageDeadLetters, recheckDeadLetter, recordDeadLetter } from './message-dead-letter-store.ts'
export { enqueue, type ScheduleOptions, schedule } from './outbox.ts'
export { findUnhandledOutboxEvent, markEventHandled } from './outbox-event-store.ts'
export { readMessageRanges, type SeqRange } from './read-message-ranges.ts'
export { readMessagesForDelivery, readPageForDelivery, replaceCorrupt } from './read-messages-for-delivery.ts'
export {
  type CursorPosition,
  commitCursor,
  getHead,
  type LogPageQuery,
  listCursors,
  listCursorsOfEach,
  listHeads,
  readStoredMessages,
  requireWithinHead,
  type StoredMessage,
} from './read-stored-messages.ts'
export {
  assembleCanonical,
  attachSignature,
  type CanonicalEnvelope,
  canonicalizeEnvelope,
  type LogHead,
  type SequencedMessage,
  type SignedCanonicalEnvelope,
  type SignedEnvelope,
  sequenceMessage,
} from './sequence-message.ts'
