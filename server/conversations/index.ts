/**
 * Owns rooms: who is a member, what is said, and where the talk stands.
 * Never moves money, and never acts on what a text says.
 * Reads delivery, policy, identity, audit.
 */
export { announce } from './announce.ts'
export { type CarriedHead, carryPost, unpackPost } from './carry-post.ts'
export { idOf } from './check-post.ts'
export type { Ending } from './ending.ts'
export { notMember } from './errors.ts'
export type { Buckets, FlushFigures } from './flush-figures.ts'
export type { Homes, Road } from './homes.ts'
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
} from './members.ts'
export { listPlans, type PlanVersion } from './plans.ts'
export { postMessage, postTalk } from './post-message.ts'
export { proposePlan } from './propose-plan.ts'
export type { Said } from './put-in-order.ts'
export { type MessagePage, pageBytes, readLastMessages, readMessages, readPage } from './read-messages.ts'
export { listHeldMessages, retryMessage } from './retry-message.ts'
export { findMessages, type MessageFilter, searchMessages } from './search-messages.ts'
export { speak, type Utterance } from './speak.ts'
export { type Spoken, type Switchboard, switchboardOf } from './switchboard.ts'
