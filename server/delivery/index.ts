/**
 * Owns the ordered logs (rooms and inboxes) and the files of their old messages, members' cursors and the outbox.
 * Never knows what a message means, nor who may write it.
 * Reads audit, telemetry.
 */
export {
  appendSteps,
  copyMessages,
  type EarlierRow,
  type LogBatch,
  moveLogs,
  type OpenLog,
  recallStep,
  wakesOf,
  withLogs,
} from './append-batch.ts'
export { type Appended, appendMessage, openGroup, openInbox } from './append-message.ts'
export { fileMessages } from './archive/archive-messages.ts'
export { openPartitions } from './archive/create-partitions.ts'
export { cleanFiles } from './archive/erase-archived.ts'
export { createMessageFiles } from './archive/file-store.ts'
export { allFiled, inOrder } from './archive/read-archive.ts'
export { type CursorMove, cursorSteps } from './commit-cursors.ts'
export {
  listQuarantined,
  lookAgain,
  type Quarantined,
  quarantine,
  readForDelivery,
  readPageForDelivery,
  replacePoison,
} from './dead-letters.ts'
export {
  type Numbered,
  numberMessage,
  type Sealed,
  type SignedEnvelope,
  type Spelled,
  seal,
  spell,
  spelledOf,
  type Tail,
} from './encode-message.ts'
export { cleanTask, eraseBody } from './erase-body.ts'
export { cursorBeyondHead, envelopeAhead, envelopeIdReused, envelopeStale } from './errors.ts'
export { findMessage, recallFiled } from './find-message.ts'
export { requireSameRequest } from './idempotency-key.ts'
export { enqueue, type ScheduleOptions, schedule } from './outbox.ts'
export { settleEvent, takeEvent } from './outbox-consumer.ts'
export {
  type CursorPlace,
  getHead,
  type LogPageQuery,
  listCursors,
  listCursorsOfEach,
  listHeads,
  moveCursor,
  readLog,
  requireWithinHead,
  type StoredMessage,
} from './read-log.ts'
export { readSpans, type Span } from './read-ranges.ts'
