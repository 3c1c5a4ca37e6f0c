/** What a task works on, fetched and ready to read. */
import type { Json, TaskInput } from '@parley/protocol'

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

/** A file's bytes by their hash, which was checked. */
type Fetch = (sha256: string) => Promise<Uint8Array>

/** Fetches every file of the inputs. Ports keep their order. */
export async function readTaskInputs(given: readonly TaskInput[], fetch: Fetch): Promise<Record<string, SkillInput>> {
  const read = await Promise.all(given.map((input) => readTaskInput(input, fetch)))
  return Object.fromEntries(read.map((input) => [input.port, input]))
}

/** The input of a skill that takes one; an empty one where it takes none. */
export function firstOf(inputs: Readonly<Record<string, SkillInput>>): SkillInput {
  return Object.values(inputs)[0] ?? { port: '', type: '', text: '', data: undefined, bytes: new Uint8Array() }
}

async function readTaskInput(input: TaskInput, fetch: Fetch): Promise<SkillInput> {
  const { port, type, artifact } = input
  if (!artifact) {
    const data = input.data ?? {}
    const text = typeof data.text === 'string' ? data.text : ''
    return { port, type, text, data, bytes: new TextEncoder().encode(text) }
  }
  const bytes = await fetch(artifact.sha256)
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
