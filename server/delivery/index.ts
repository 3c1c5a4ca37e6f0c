/**
 * Owns the ordered logs (rooms and inboxes), members' cursors and the outbox.
 * Never knows what a message means, nor who may write it.
 * Reads audit.
 */
export { enqueue, type ScheduleOptions, schedule } from './enqueue.ts'
