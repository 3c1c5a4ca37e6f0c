import type { Context } from '../context.ts'
import type { Signal } from '../signals/signal.ts'
import { type ChangedTopics, changeStream } from './change-stream.ts'
import { toTrpcError } from './procedures.ts'
import { type RequestContext, reauthenticate } from './request-context.ts'

export type LiveOptions = {
  readonly matches: (signal: Signal) => boolean
  readonly signal: AbortSignal | undefined
  /** Ends after everything current was read. */
  readonly once?: boolean | undefined
}
/** `isMore`: more can be read at once after `events`. */
export type LiveBatch<T> = { readonly events: readonly T[]; readonly isMore: boolean }

/**
 * A watch, over a subscription: the result of `look` now, and again after each matching signal. It uses a slot of its address and person. Each look
 * authenticates the login again, so that the stream ends after a sign-out or a lost right, at the latest with the next poll. An open page
 * then subscribes again.
 * @throws rate.exceeded, and the errors of `look`
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
