import type { Context } from '../context.ts'
import type { Signal } from '../signals/signal.ts'
import { type ChangedTopics, changeStream } from './change-stream.ts'
import { toTrpcError } from './init.ts'
import { type RequestContext, reauthenticate } from './request-context.ts'

export type LiveOptions = {
  readonly matches: (signal: Signal) => boolean
  readonly signal: AbortSignal | undefined
  /** Ends once everything that is there now was read. */
  readonly once?: boolean | undefined
}
/** `isMore`: more can be read at once, after `events`. */
export type LiveBatch<T> = { readonly events: readonly T[]; readonly isMore: boolean }

/**
 * An answer that goes on: what `look` finds now, and again whenever a signal matches. It has one of the places that its address
 * and its person have. Before each look the login is proved again, so that who signs out or loses a right receives nothing more:
 * the stream ends then, at the latest at the next look of `wakesOf`. A page that is still open asks again, as who it is by then.
 * @throws rate.exceeded, and whatever `look` throws
 */
export async function* liveStream<T>(
  call: RequestContext,
  way: LiveOptions,
  look: (ctx: Context, moved: ChangedTopics) => Promise<LiveBatch<T>>,
): AsyncGenerator<T, void, undefined> {
  const { ctx, source, services } = call
  let giveBack = () => {}
  try {
    giveBack = services.streams.take(`from ${source}`, ...(ctx.actor.kind === 'person' ? [ctx.actor.did] : []))
    for await (const moved of changeStream(services.listener, way.matches, way.signal)) {
      for (let isMore = true; isMore && !way.signal?.aborted; ) {
        const reader = await reauthenticate(call)
        if (reader === null) return
        const found = await look(reader, moved)
        yield* found.events
        isMore = found.isMore
      }
      if (way.once) return
    }
  } catch (error) {
    throw toTrpcError(error) ?? error
  } finally {
    giveBack()
  }
}
