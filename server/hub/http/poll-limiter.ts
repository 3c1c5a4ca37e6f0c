import { createStreams } from '../../network/streams.ts'

export type PollLimits = { readonly ofAgent: number; readonly ofSource: number }
/** Many agents may share one address. */
const pollLimits: PollLimits = { ofAgent: 4, ofSource: 512 }

/** How many requests may wait for messages at the same time: each holds a connection and listens to every signal. */
export type Polls = {
  /** Takes a place; the function that it returns gives it back. @throws rate.exceeded */
  take(agentId: string, source: string): () => void
}

export function createPolls({ ofAgent, ofSource }: PollLimits = pollLimits): Polls {
  const words = { what: 'waiting requests', hint: 'Wait in one request at a time, or send wait=0.' }
  const ofAgents = createStreams({ ...words, ofOne: ofAgent })
  const ofSources = createStreams({ ...words, ofOne: ofSource })
  return {
    take(agentId, source) {
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
