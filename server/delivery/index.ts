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
export { cleanFiles } from './archive/erase-filed.ts'
export { fileMessages } from './archive/file-messages.ts'
export { createMessageFiles } from './archive/message-files.ts'
export { openPartitions } from './archive/open-partitions.ts'
export { allFiled, inOrder } from './archive/read-filed.ts'
export { enqueue, type ScheduleOptions, schedule } from './enqueue.ts'
export { cleanTask, eraseBody } from './erase-body.ts'
export { cursorBeyondHead, envelopeAhead, envelopeIdReused, envelopeStale } from './errors.ts'
export { findMessage, recallFiled } from './find-message.ts'
export { type CursorMove, cursorSteps } from './move-cursors.ts'
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
} from './number-message.ts'
export {
  listQuarantined,
  lookAgain,
  type Quarantined,
  quarantine,
  readForDelivery,
  readPageForDelivery,
  replacePoison,
} from './quarantine.ts'
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
export { readSpans, type Span } from './read-spans.ts'
export { requireSameRequest } from './require-same-request.ts'
export { settleEvent, takeEvent } from './take-event.ts'
