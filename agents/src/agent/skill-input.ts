/** The inputs of a task, with their files downloaded. */
import { type Json, type TaskInput, utf8Bytes, utf8Text } from '@parley/protocol'

/** One input of a task or call, loaded: the content of its file, or its value. */
export type SkillInput = {
  /** Name of the skill's input. */
  readonly port: string
  /** Artifact type, for example `table.csv`. */
  readonly type: string
  /** The text of a text file, or the field `text` of a value; empty otherwise. */
  readonly text: string
  /** A value, or the content of a JSON file; undefined otherwise. */
  readonly data: Json | undefined
  /** Content of the file, or the text as UTF-8. */
  readonly bytes: Uint8Array
  /** The file's reference; undefined for a value. */
  readonly artifact?: TaskInput['artifact']
}

/** Downloads a file by its SHA-256, verified. */
type FetchFile = (sha256: string) => Promise<Uint8Array>

/** Downloads all files. The ports keep their order. @throws {RangeError} if a JSON file is not JSON */
export async function loadSkillInputs(inputs: readonly TaskInput[], fetchFile: FetchFile): Promise<Record<string, SkillInput>> {
  const loaded = await Promise.all(inputs.map((input) => loadSkillInput(input, fetchFile)))
  return Object.fromEntries(loaded.map((input) => [input.port, input]))
}

/** The input of a skill that takes one; an empty input if there is none. */
export function firstInput(inputs: Readonly<Record<string, SkillInput>>): SkillInput {
  return Object.values(inputs)[0] ?? { port: '', type: '', text: '', data: undefined, bytes: new Uint8Array() }
}

async function loadSkillInput(input: TaskInput, fetchFile: FetchFile): Promise<SkillInput> {
  const { port, type, artifact } = input
  if (!artifact) {
    const data = input.data ?? {}
    const text = typeof data.text === 'string' ? data.text : ''
    return { port, type, text, data, bytes: utf8Bytes(text) }
  }
  const bytes = await fetchFile(artifact.sha256)
  const isText = /^text\/|^image\/svg|[/+]json\b/.test(artifact.media_type)
  const text = isText ? utf8Text(bytes) : ''
  const data = /[/+]json\b/.test(artifact.media_type) ? parseJson(text, artifact.name) : undefined
  return { port, type, text, data, bytes, artifact }
}

function parseJson(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new RangeError(`The input ${name} has a JSON media type, but its content is not JSON.`)
  }
}
