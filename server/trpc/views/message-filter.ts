import type { MessageFilter } from '../../conversations/index.ts'

/** The filter of a transcript; the same in a URL, in a query and in a download. */
export type TranscriptQuery = {
  readonly agent?: string | undefined
  readonly state?: string | undefined
  readonly type?: string | undefined
  readonly task?: string | undefined
  readonly text?: string | undefined
}

export function messageFilter({ agent, state, type, task, text }: TranscriptQuery): MessageFilter {
  return {
    ...(agent ? { senders: [agent] } : {}),
    ...(state ? { states: [state] } : {}),
    ...(type ? { types: [type] } : {}),
    ...(task ? { taskId: task } : {}),
    ...(text ? { text } : {}),
  }
}
