import type { Ending, Said } from './post-result.ts'
import type { CheckedPost } from './validate-post.ts'

/** Another process of this server, which says posts for us in the order in which it gets them. */
export type Road = {
  /** `lost`: whether it has said the post nobody knows. The road is at its end then, and all that was under way on it is told so, in its order. */
  post(post: CheckedPost, end: Ending<Said> & { lost(): void }): void
}

/**
 * Which process says what is said in a room: where many speak in the same room, one that does it for all waits for nobody's lock.
 * A mere hint: any other may say it as well.
 */
export type Homes = { roadTo(groupId: string): Road | null }

/** A post and who waits for it. */
export type Waiting = { readonly post: CheckedPost; readonly end: Ending<Said> }

/** `underWay`: so many were sent on `road` and have no answer yet. `held`: what comes after these, or after what is said here. */
type Turn = { readonly road: Road; underWay: number; readonly held: Waiting[] }

/**
 * Sends posts where they are to be said. What is said in one room is under way in one place only, so that a later word never
 * overtakes an earlier one: where the room's place changes, what comes waits until the rest is answered.
 */
export type Journeys = {
  enter(waiting: Waiting): void
  /** What was said here in these rooms is over. */
  left(groupIds: Iterable<string>): void
  /** The database was lost here: what is held behind words that were given back would overtake them, and is given back as well. */
  giveBack(error: unknown): void
  /** From now on; null: all is said here. */
  settle(homes: Homes | null): void
}

/** `isHere`: whether something is under way in this room here. */
export function createJourneys(isHere: (groupId: string) => boolean, sayHere: (waiting: Waiting) => void): Journeys {
  const turns = new Map<string, Turn>()
  let homes: Homes | null = null

  function enter(waiting: Waiting): void {
    const { groupId } = waiting.post
    const turn = turns.get(groupId)
    const road = homes?.roadTo(groupId) ?? null
    if (turn) {
      if (turn.road === road && turn.underWay > 0 && turn.held.length === 0) send(turn, waiting)
      else turn.held.push(waiting)
      return
    }
    if (!road) {
      sayHere(waiting)
      return
    }
    const begun: Turn = { road, underWay: 0, held: [] }
    turns.set(groupId, begun)
    if (isHere(groupId)) begun.held.push(waiting)
    else send(begun, waiting)
  }

  function send(turn: Turn, waiting: Waiting): void {
    const { post, end } = waiting
    turn.underWay++
    const arrived = () => {
      turn.underWay--
      letGo(post.groupId)
    }
    turn.road.post(post, {
      resolve(said) {
        end.resolve(said)
        arrived()
      },
      reject(error) {
        end.reject(error)
        arrived()
      },
      lost() {
        sayHere({ post: { ...post, isRetold: true }, end })
        arrived()
      },
    })
  }

  /** What was held goes on, where nothing is under way any more. */
  function letGo(groupId: string): void {
    const turn = turns.get(groupId)
    if (!turn || turn.underWay > 0 || (turn.held.length > 0 && isHere(groupId))) return
    turns.delete(groupId)
    for (const waiting of turn.held) enter(waiting)
  }

  return {
    enter,
    left(groupIds) {
      if (turns.size > 0) for (const groupId of groupIds) letGo(groupId)
    },
    giveBack(error) {
      for (const { held } of turns.values()) for (const { end } of held.splice(0)) end.reject(error)
    },
    settle(next) {
      homes = next
    },
  }
}
