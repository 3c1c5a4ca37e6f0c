import type { Completion, PostResult } from './post-result.ts'
import type { ValidatedPost } from './validate-post.ts'

/** Another process of this server that writes posts for this one, in the order in which it receives them. */
export type PeerWriter = {
  /** `lost`: the connection ended, and it is unknown whether the post was written. All posts in flight get this result, in order. */
  post(post: ValidatedPost, end: Completion<PostResult> & { lost(): void }): void
}

/**
 * Which process writes a room. If several processes post in a room, one writer avoids lock contention.
 * This is an optimization only: any process may write any room.
 */
export type PeerRouting = { peerFor(roomId: string): PeerWriter | null }

/** A post and its callbacks. */
export type PendingPost = { readonly post: ValidatedPost; readonly completion: Completion<PostResult> }

/** `inFlight`: posts sent to `peer` without an answer yet. `held`: posts that wait for these, or for a local write. */
type Handoff = { readonly peer: PeerWriter; inFlight: number; readonly held: PendingPost[] }

/**
 * Routes posts to the process that writes their room.
 * The posts of a room are in flight at one place only, so that a later post never overtakes an earlier one. When the writer of a room
 * changes, new posts wait until the earlier ones are answered.
 */
export type RoomRouter = {
  route(waiting: PendingPost): void
  /** The local writes to these rooms have ended. */
  onLocalWritesDone(roomIds: Iterable<string>): void
  /** After a lost database connection, rejects the held posts too. They would overtake the posts that were rejected before them. */
  rejectHeld(error: unknown): void
  /** Replaces the routing; null: this process writes all rooms. */
  setRouting(homes: PeerRouting | null): void
}

/** `isWritingLocally`: whether this process has posts of the room queued or in flight. */
export function createRoomWriterRouter(
  isWritingLocally: (roomId: string) => boolean,
  writeLocally: (waiting: PendingPost) => void,
): RoomRouter {
  const handoffs = new Map<string, Handoff>()
  let routing: PeerRouting | null = null

  function route(pending: PendingPost): void {
    const { roomId } = pending.post
    const handoff = handoffs.get(roomId)
    const peer = routing?.peerFor(roomId) ?? null
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
    handoffs.set(roomId, started)
    if (isWritingLocally(roomId)) started.held.push(pending)
    else send(started, pending)
  }

  function send(handoff: Handoff, pending: PendingPost): void {
    const { post, completion } = pending
    handoff.inFlight++
    const onAnswered = () => {
      handoff.inFlight--
      releaseHeld(post.roomId)
    }
    handoff.peer.post(post, {
      ...followedBy(completion, onAnswered),
      lost() {
        writeLocally({ post: { ...post, isRedelivered: true }, completion })
        onAnswered()
      },
    })
  }

  /** Routes the held posts once nothing is in flight. */
  function releaseHeld(roomId: string): void {
    const handoff = handoffs.get(roomId)
    if (!handoff || handoff.inFlight > 0 || (handoff.held.length > 0 && isWritingLocally(roomId))) return
    handoffs.delete(roomId)
    for (const waiting of handoff.held) route(waiting)
  }

  return {
    route,
    onLocalWritesDone(roomIds) {
      if (handoffs.size > 0) for (const roomId of roomIds) releaseHeld(roomId)
    },
    rejectHeld(error) {
      for (const { held } of handoffs.values()) for (const { completion } of held.splice(0)) completion.reject(error)
    },
    setRouting(next) {
      routing = next
    },
  }
}

function followedBy<T>(completion: Completion<T>, next: () => void): Completion<T> {
  return {
    resolve(value) {
      completion.resolve(value)
      next()
    },
    reject(error) {
      completion.reject(error)
      next()
    },
  }
}
