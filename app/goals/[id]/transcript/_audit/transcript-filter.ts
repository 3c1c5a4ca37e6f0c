/** The filter of a transcript. The page's URL, the query and the download's URL use the same one. */
import { conversationStates, speechActs } from '@parley/protocol'

export type TranscriptFilter = {
  readonly agent?: string
  readonly state?: string
  readonly type?: string
  readonly task?: string
  readonly text?: string
}
export const filterKeys = ['agent', 'state', 'type', 'task', 'text'] as const

type Source = { get(name: string): string | null }

/** Unknown states and types are ignored, so that the transcript is not empty. */
export function readFilter(params: Source): TranscriptFilter {
  const given = (key: string) => params.get(key)?.trim().slice(0, 200) || undefined
  const state = conversationStates.find((one) => one === given('state'))
  const type = speechActs.find((one) => one === given('type'))
  const agent = given('agent')
  const task = given('task')
  const text = given('text')
  return {
    ...(agent ? { agent } : {}),
    ...(state ? { state } : {}),
    ...(type ? { type } : {}),
    ...(task && /^tsk_[0-9a-f]{32}$/.test(task) ? { task } : {}),
    ...(text ? { text } : {}),
  }
}

export function writeFilter(filter: TranscriptFilter): string {
  const params = new URLSearchParams()
  for (const key of filterKeys) {
    const value = filter[key]
    if (value) params.set(key, value)
  }
  const text = params.toString()
  return text ? `?${text}` : ''
}

export function isTranscriptFiltered(filter: TranscriptFilter): boolean {
  return filterKeys.some((key) => filter[key] !== undefined)
}
