/** What a task works on, fetched and ready to read. */
import type { Json, TaskInput } from '@parley/protocol'
import type { Assignment } from './reading.ts'
import type { Session } from './session.ts'

export type SkillInput = {
  readonly port: string
  readonly type: string
  /** The text of a file, or the `text` of a value; empty where there is none. */
  readonly text: string
  /** A value, or the content of a JSON file. */
  readonly data: Json | undefined
  readonly bytes: Uint8Array
  readonly artifact?: TaskInput['artifact']
}

/** Fetches every file of the task and checks its hash. Ports keep their order. */
export async function readTaskInputs(session: Session, task: Assignment): Promise<Record<string, SkillInput>> {
  const read = await Promise.all(task.inputs.map((input) => readTaskInput(session, task.group_id, input)))
  return Object.fromEntries(read.map((input) => [input.port, input]))
}

async function readTaskInput(session: Session, group_id: string, input: TaskInput): Promise<SkillInput> {
  const { port, type, artifact } = input
  if (!artifact) {
    const data = input.data ?? {}
    const text = typeof data.text === 'string' ? data.text : ''
    return { port, type, text, data, bytes: new TextEncoder().encode(text) }
  }
  const { bytes } = await session.getArtifact({ group_id, sha256: artifact.sha256 })
  const readable = /^text\/|^image\/svg|[/+]json\b/.test(artifact.media_type)
  const text = readable ? new TextDecoder().decode(bytes) : ''
  return { port, type, text, data: /[/+]json\b/.test(artifact.media_type) ? parse(text, artifact.name) : undefined, bytes, artifact }
}

function parse(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new RangeError(`The input ${name} says it is JSON and is not.`)
  }
}
