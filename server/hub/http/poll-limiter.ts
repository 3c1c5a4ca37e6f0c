import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts'

export type PollLimits = { readonly maxPerAgent: number; readonly maxPerSource: number }
/** Many agents may share one address. */
const pollLimits: PollLimits = { maxPerAgent: 4, maxPerSource: 512 }

/** Limits concurrent requests of long polling: each one holds a connection and listens to all signals. */
export type PollLimiter = {
  /** Takes a place and returns its release. @throws rate.exceeded */
  acquire(agentId: string, source: string): () => void
}

export function createPollLimiter({ maxPerAgent, maxPerSource }: PollLimits = pollLimits): PollLimiter {
  const words = { what: 'waiting requests', hint: 'Wait in one request at a time, or send wait=0.' }
  const ofAgents = createConcurrencyLimiter({ ...words, maxPerCaller: maxPerAgent })
  const ofSources = createConcurrencyLimiter({ ...words, maxPerCaller: maxPerSource })
  return {
    acquire(agentId, source) {
      const endOfSource = ofSources.take(source)
      try {
        const endOfAgent = ofAgents.take(agentId)
        return () => {
          endOfAgent()
          endOfSource()
        }
      } catch (error) {
        endOfSource()
        throw error
      }
    },
  }
}
