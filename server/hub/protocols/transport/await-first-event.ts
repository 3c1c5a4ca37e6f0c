/** Streamed responses of both foreign protocols. */
import { z } from 'zod'
import { DomainError } from '../../../errors.ts'
import type { FollowOptions } from '../goals/follow-goal.ts'
import type { StreamEvent } from './server-sent-events.ts'

/** What a stream needs from its endpoint. `lastEventId`: as the reader sent it. */
export type StreamContext = Pick<FollowOptions, 'listener' | 'reauthenticate' | 'signal'> & {
  readonly lastEventId: string | undefined
  /** Takes one of the reader's stream places and returns its release. @throws rate.exceeded */
  readonly take: () => () => void
}

/**
 * Waits for the first event, so that an early error is a plain response. A later error becomes the last event.
 * The caller must consume the returned events.
 */
export async function awaitFirstEvent(
  events: AsyncGenerator<StreamEvent, void, undefined>,
  { take }: Pick<StreamContext, 'take'>,
  refuse: (error: unknown) => StreamEvent,
): Promise<AsyncIterable<StreamEvent>> {
  const giveBack = take()
  const first = await events.next().catch((error: unknown) => {
    giveBack()
    throw error
  })
  return (async function* () {
    try {
      if (!first.done) yield first.value
      yield* events
    } catch (error) {
      yield refuse(error)
    } finally {
      await events.return()
      giveBack()
    }
  })()
}

const Cursor = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

/** The sequence number in an event id; null without one. @throws request.malformed */
export function parseLastEventId(lastEventId: string | undefined): number | null {
  if (lastEventId === undefined) return null
  const read = Cursor.safeParse(lastEventId)
  if (!read.success)
    throw new DomainError('request.malformed', 'Last-Event-ID is not from this stream.', {
      hint: 'Send the last id of this stream, or omit the header.',
    })
  return read.data
}
