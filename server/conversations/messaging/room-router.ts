import type { Completion, PostResult } from './post-result.ts'
import type { ValidatedPost } from './validate-post.ts'

/** Another process of this server, which says posts for us in the order in which it gets them. */
export type PeerWriter = {
  /** `lost`: whether it has said the post nobody knows. The road is at its end then, and all that was under way on it is told so, in its order. */
  post(post: ValidatedPost, end: Completion<PostResult> & { lost(): void }): void
}

/**
 * Which process says what is said in a room: where many speak in the same room, one that does it for all waits for nobody's lock.
 * A mere hint: any other may say it as well.
 */
export type PeerRouting = { peerFor(groupId: string): PeerWriter | null }

/** A post and who waits for it. */
export type PendingPost = { readonly post: ValidatedPost; readonly completion: Completion<PostResult> }

/** `underWay`: so many were sent on `road` and have no answer yet. `held`: what comes after these, or after what is said here. */
type Handoff = { readonly peer: PeerWriter; inFlight: number; readonly held: PendingPost[] }

/**
 * Sends posts where they are to be said. What is said in one room is under way in one place only, so that a later word never
 * overtakes an earlier one: where the room's place changes, what comes waits until the rest is answered.
 */
export type RoomRouter = {
  route(waiting: PendingPost): void
  /** What was said here in these rooms is over. */
  onLocalWritesDone(groupIds: Iterable<string>): void
  /** The database was lost here: what is held behind words that were given back would overtake them, and is given back as well. */
  rejectHeld(error: unknown): void
  /** From now on; null: all is said here. */
  setRouting(homes: PeerRouting | null): void
}

/** `isHere`: whether something is under way in this room here. */
export function createRoomRouter(isWritingLocally: (groupId: string) => boolean, writeLocally: (waiting: PendingPost) => void): RoomRouter {
  const handoffs = new Map<string, Handoff>()
  let routing: PeerRouting | null = null

  function route(pending: PendingPost): void {
    const { groupId } = pending.post
    const handoff = handoffs.get(groupId)
    const peer = routing?.peerFor(groupId) ?? null
    if (handoff) {
      if (handoff.peer === peer && handoff.inFlight > 0 && handoff.held.length === 0) send(handoff, pending)
      else handoff.held.push(pending)
      return
    }
    if (!peer) {
      writeLocally(pending)
      return
    }
    const started: Handoff = { peer, inFlight: 0, held: [] }
    handoffs.set(groupId, started)
    if (isWritingLocally(groupId)) started.held.push(pending)
    else send(started, pending)
  }

  function send(handoff: Handoff, pending: PendingPost): void {
    const { post, completion } = pending
    handoff.inFlight++
    const onAnswered = () => {
      handoff.inFlight--
      releaseHeld(post.groupId)
    }
    handoff.peer.post(post, {
      resolve(said) {
        completion.resolve(said)
        onAnswered()
      },
      reject(error) {
        completion.reject(error)
        onAnswered()
      },
      lost() {
        writeLocally({ post: { ...post, isRedelivered: true }, completion })
        onAnswered()
      },
    })
  }

  /** What was held goes on, where nothing is under way any more. */
  function releaseHeld(groupId: string): void {
    const handoff = handoffs.get(groupId)
    if (!handoff || handoff.inFlight > 0 || (handoff.held.length > 0 && isWritingLocally(groupId))) return
    handoffs.delete(groupId)
    for (const waiting of handoff.held) route(waiting)
  }

  return {
    route,
    onLocalWritesDone(groupIds) {
      if (handoffs.size > 0) for (const groupId of groupIds) releaseHeld(groupId)
    },
    rejectHeld(error) {
      for (const { held } of handoffs.values()) for (const { completion } of held.splice(0)) completion.reject(error)
    },
    setRouting(next) {
      routing = next
    },
  }
}
