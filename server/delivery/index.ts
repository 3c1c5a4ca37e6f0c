/**
 * Owns the ordered logs (rooms and inboxes), members' cursors and the outbox.
 * Never knows what a message means, nor who may write it.
 * Reads audit.
 */
export { type Appended, appendMessage, openGroup, openInbox } from './append-message.ts'
export { enqueue, type ScheduleOptions, schedule } from './enqueue.ts'
export { getHead, listCursors, moveCursor, readLog, type StoredMessage } from './read-log.ts'
export { settleEvent, takeEvent } from './take-event.ts'
