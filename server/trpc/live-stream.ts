import type { Context } from '../context.ts'
import type { Wake } from '../signals/signal.ts'
import { type Moved, wakesOf } from './change-stream.ts'
import { toTrpcError } from './init.ts'
import { type Call, proveAgain } from './request-context.ts'

export type LiveWay = {
  readonly isMine: (signal: Wake) => boolean
  readonly signal: AbortSignal | undefined
  /** Ends once everything that is there now was read. */
  readonly once?: boolean | undefined
}
/** `isMore`: more can be read at once, after `events`. */
export type Look<T> = { readonly events: readonly T[]; readonly isMore: boolean }

/**
 * An answer that goes on: what `look` finds now, and again whenever a signal matches. It has one of the places that its address
 * and its person have. Before each look the login is proved again, so that who signs out or loses a right receives nothing more:
 * the stream ends then, at the latest at the next look of `wakesOf`. A page that is still open asks again, as who it is by then.
 * @throws rate.exceeded, and whatever `look` throws
 */
export async function* goOn<T>(
  call: Call,
  way: LiveWay,
  look: (ctx: Context, moved: Moved) => Promise<Look<T>>,
): AsyncGenerator<T, void, undefined> {
  const { ctx, source, world } = call
  let giveBack = () => {}
  try {
    giveBack = world.streams.take(`from ${source}`, ...(ctx.actor.kind === 'person' ? [ctx.actor.did] : []))
    for await (const moved of wakesOf(world.listener, way.isMine, way.signal)) {
      for (let isMore = true; isMore && !way.signal?.aborted; ) {
        const reader = await proveAgain(call)
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
