/** How many answers go on at the same time: each holds a connection and reads the log whenever its goal moves. */
import { DomainError } from '../errors.ts'

const mostInAll = 5_000
const mostOfOne = 100

export type Streams = {
  /** `who`: whom it counts for. The answer gives it back. @throws rate.exceeded */
  take(who: string): () => void
  readonly size: number
}

export function createStreams(limits: { readonly inAll?: number; readonly ofOne?: number } = {}): Streams {
  const { inAll = mostInAll, ofOne = mostOfOne } = limits
  const open = new Map<string, number>()
  let size = 0
  return {
    take(who) {
      const own = open.get(who) ?? 0
      if (size >= inAll || own >= ofOne)
        throw new DomainError('rate.exceeded', `${own < ofOne ? 'This server has' : 'You have'} as many streams open as it may.`, {
          hint: 'End one, or ask for the goal again instead of following it.',
          facts: { retry_after_seconds: 30 },
        })
      size += 1
      open.set(who, own + 1)
      let isGiven = false
      return () => {
        if (isGiven) return
        isGiven = true
        size -= 1
        const left = (open.get(who) ?? 1) - 1
        if (left > 0) open.set(who, left)
        else open.delete(who)
      }
    },
    get size() {
      return size
    },
  }
}
