/**
 * Owns rooms: who is a member, what is said, and where the talk stands.
 * Never moves money, and never acts on what a text says.
 * Reads delivery, policy, identity, audit.
 */

export { notMember } from './errors.ts'
export { speak } from './messaging/append-in-transaction.ts'
export type { Utterance } from './messaging/envelope/draft-envelope.ts'
export type { Buckets, FlushFigures } from './messaging/flow-control/write-metrics.ts'
export { type Spoken, type Switchboard, switchboardOf } from './messaging/group-commit.ts'
export { postMessage, postTalk } from './messaging/post-message.ts'
export type { Ending, Said } from './messaging/post-result.ts'
export { announce } from './messaging/post-system-message.ts'
export { listHeldMessages, retryMessage } from './messaging/retry-message.ts'
export type { Homes, Road } from './messaging/room-router.ts'
export { type CarriedHead, carryPost, unpackPost } from './messaging/serialize-post.ts'
export { idOf } from './messaging/validate-post.ts'
export { listPlans, type PlanVersion } from './plans/plan-versions.ts'
export { proposePlan } from './plans/propose-plan.ts'
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
} from './rooms/membership.ts'
export { type MessagePage, pageBytes, readLastMessages, readMessages, readPage } from './rooms/read-messages.ts'
export { findMessages, type MessageFilter, searchMessages } from './rooms/search-messages.ts'
