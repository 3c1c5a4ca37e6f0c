/** Answers that go on, as the doors of both foreign protocols have them. */
import { z } from 'zod'
import { DomainError } from '../../../errors.ts'
import type { FollowOptions } from '../goals/goal-stream.ts'
import type { StreamEvent } from './server-sent-events.ts'

/** What a stream is given by its door. `lastEventId`: as the reader sent it. */
export type StreamContext = Pick<FollowOptions, 'listener' | 'reauthenticate' | 'signal'> & {
  readonly lastEventId: string | undefined
  /** One more stream of this reader's; what it gives ends the count. @throws rate.exceeded */
  readonly take: () => () => void
}

/**
 * Waits for the first event, so that a refusal comes before any; what breaks later is told as the last one. Whoever is given the
 * events has to begin with them.
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

/** A message's number as an event's id; null where none was sent. @throws request.malformed */
export function parseLastEventId(lastEventId: string | undefined): number | null {
  if (lastEventId === undefined) return null
  const read = Cursor.safeParse(lastEventId)
  if (!read.success)
    throw new DomainError('request.malformed', 'Last-Event-ID is none that was given here.', { hint: 'Send the last one, or none.' })
  return read.data
}
