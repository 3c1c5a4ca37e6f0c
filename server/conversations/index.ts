/**
 * Owns rooms: membership, the message pipeline (`messaging/`, entry `post-message.ts`) and the state of each conversation.
 * Never moves money, and never acts on the content of a message.
 * Reads delivery, policy, identity, audit.
 */

export { notMember } from './errors.ts'
export type { MessageContent } from './messaging/envelope/draft-envelope.ts'
export { type Committed, groupCommitWriterOf, type MessageWriter } from './messaging/group-commit-writer.ts'
export type { Histogram, MessageWriteMetrics } from './messaging/message-write-metrics.ts'
export { postInTransaction } from './messaging/post-in-transaction.ts'
export { enqueuePost, postMessage } from './messaging/post-message.ts'
export type { Completion, PostResult } from './messaging/post-result.ts'
export { postSystemMessage } from './messaging/post-system-message.ts'
export { listUndeliverableMessages, retryUndeliverableMessage } from './messaging/retry-undeliverable-message.ts'
export type { PeerRouting, PeerWriter } from './messaging/room-writer-router.ts'
export { deserializePost, type SerializedPostHead, serializePost } from './messaging/serialize-post.ts'
export { postId } from './messaging/validate-post.ts'
export { listPlanVersions, type PlanVersion } from './plans/plan-version-store.ts'
export { proposePlan } from './plans/propose-plan.ts'
export { type MessagePage, pageBytes, readLastMessages, readMessages, readPage } from './rooms/read-messages.ts'
export {
  countRoomsOf,
  findOwner,
  getConversation,
  joinRoom,
  leaveRoom,
  listMembers,
  listRoomsOf,
  listRoomsOfEach,
  openRoom,
  publishRoom,
  type RoomMember,
  requireInsider,
  requireMember,
  requireReader,
} from './rooms/room-member-store.ts'
export { findMessages, type MessageFilter, searchMessages } from './rooms/search-messages.ts'
