/** A resource's answer as one file for each output of the skill. */
import type { ArtifactFile, SkillInput } from '@parley/agents'
import type { Json, Skill } from '@parley/protocol'
import type { ResourceAnswer } from '../adapters/resource-adapter.ts'

/** The value of an input: a file's text or data, a value, or the text of a value that has only text. */
export function toResourceInput({ artifact, text, data }: SkillInput): Json {
  if (artifact) return data ?? text
  return isObject(data) && Object.keys(data).length === 1 && typeof data.text === 'string' ? data.text : (data ?? null)
}

/** With several outputs, the answer must be an object with one field for each output. */
export function toArtifacts({ id, outputs }: Skill, { text, value }: ResourceAnswer): { artifacts: ArtifactFile[] } | { fault: string } {
  const [only] = outputs
  if (outputs.length <= 1) return { artifacts: [fileOf(only?.name ?? 'answer', only?.type ?? 'text.plain', value, text)] }
  if (!isObject(value)) return { fault: `${id} has ${outputs.length} outputs, and the answer holds none of them by its name.` }
  const missing = outputs.filter(({ name, optional }) => !optional && isNothing(value[name])).map(({ name }) => name)
  if (missing.length > 0) return { fault: `The answer of ${id} has no ${missing.join(', ')}.` }
  const there = outputs.filter(({ name }) => !isNothing(value[name]))
  return { artifacts: there.map(({ name, type }) => fileOf(name, type, value[name] ?? null)) }
}

function fileOf(name: string, artifact_type: string, value: Json, text?: string): ArtifactFile {
  const isText = typeof value === 'string'
  const content = text ?? (isText ? value : JSON.stringify(value))
  return { name: `${name}.${isText ? 'txt' : 'json'}`, media_type: isText ? 'text/plain' : 'application/json', artifact_type, content }
}

const isNothing = (value: Json | undefined): boolean => value === undefined || value === null
const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
