import type { ArtifactUpload, Json, Skill, SkillPort, TaskInput } from '@parley/protocol'
import type { Translate } from '../_messages/translate.ts'
import { uploadNameOf } from './upload-name.ts'

/** One field of a form: a whole port, or one property of a value with a schema. */
export type InputField = {
  readonly key: string
  readonly port: SkillPort
  /** Null: the port's own text. */
  readonly property: string | null
  readonly label: string
  readonly hint: string
  readonly isOptional: boolean
  readonly kind: 'text' | 'integer' | 'choice' | 'list'
  readonly choices: readonly string[]
  readonly fallback: string
}

type Property = { readonly type?: unknown; readonly enum?: unknown; readonly description?: unknown; readonly default?: unknown }

/** The form fields for a skill's inputs, in their order. A port with a schema has one field per property. */
export function inputFieldsOf(skill: Skill): InputField[] {
  return skill.inputs.flatMap((port) => {
    const properties = port.schema?.properties as { readonly [name: string]: Property } | undefined
    if (!properties) return [textField(port)]
    const required = Array.isArray(port.schema?.required) ? port.schema.required : []
    return Object.entries(properties).map(([property, shape]) => ({
      key: `${port.name}.${property}`,
      port,
      property,
      label: words(property),
      hint: typeof shape.description === 'string' ? shape.description : '',
      isOptional: port.optional || !required.includes(property),
      kind: Array.isArray(shape.enum)
        ? 'choice'
        : shape.type === 'integer' || shape.type === 'number'
          ? 'integer'
          : shape.type === 'array'
            ? 'list'
            : 'text',
      choices: Array.isArray(shape.enum) ? shape.enum.map(String) : [],
      fallback: shape.default === undefined ? '' : String(shape.default),
    }))
  })
}

function textField(port: SkillPort): InputField {
  const { name, type, description, optional } = port
  const hint = description ? `${description} (${type})` : type
  const common = { key: name, port, property: null, label: words(name), hint, isOptional: optional }
  return { ...common, kind: 'text', choices: [], fallback: '' }
}

/**
 * The values of the fields as inputs of a call: a value for a port with a schema, a file for any other port. `digest`
 * computes the hash of a file.
 */
export async function readInputs(
  fields: readonly InputField[],
  given: Readonly<Record<string, string>>,
  digest: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>,
): Promise<{ inputs: TaskInput[]; attachments: ArtifactUpload[] }> {
  const inputs: TaskInput[] = []
  const attachments: ArtifactUpload[] = []
  const ports = new Map(fields.map((field) => [field.port.name, field.port]))
  for (const port of ports.values()) {
    const own = fields.filter((field) => field.port === port && (given[field.key] ?? '').trim() !== '')
    if (own.length === 0) continue
    if (own[0]?.property !== null) {
      const data = Object.fromEntries(own.map((field) => [field.property ?? '', readValue(field, given[field.key] ?? '')]))
      inputs.push({ port: port.name, type: port.type, data })
      continue
    }
    const text = given[port.name] ?? ''
    const bytes = new TextEncoder().encode(text)
    const named = { ...uploadNameOf(port.type, text), artifact_type: port.type }
    attachments.push({ ...named, content: base64(bytes) })
    inputs.push({ port: port.name, type: port.type, artifact: { ...named, sha256: await digest(bytes), size: bytes.length } })
  }
  return { inputs, attachments }
}

/** The values of a question as text, one per line. Files are shown as files. */
export function inputLines(inputs: readonly TaskInput[]): string[] {
  return inputs.flatMap(({ data }) =>
    typeof data === 'object' && data !== null && !Array.isArray(data)
      ? Object.entries(data).map(([name, value]) => `${words(name)}: ${valueWords(value)}`)
      : data === undefined
        ? []
        : [valueWords(data)],
  )
}

const valueWords = (value: unknown): string =>
  Array.isArray(value) ? value.map(valueWords).join(', ') : typeof value === 'string' ? value : JSON.stringify(value)

/** Missing or unreadable values, by field. Empty if the form is complete. */
export function inputFaultsOf(
  fields: readonly InputField[],
  given: Readonly<Record<string, string>>,
  t: Translate<'calls.askForm'>,
): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const field of fields) {
    const text = (given[field.key] ?? '').trim()
    if (text === '' && !field.isOptional) faults[field.key] = t('agentNeedsThis')
    if (text !== '' && field.kind === 'integer' && !/^-?\d+(\.\d+)?$/.test(text)) faults[field.key] = t('numberInDigits')
  }
  return faults
}

function readValue(field: InputField, text: string): Json {
  if (field.kind === 'integer') return Number(text.trim())
  if (field.kind === 'list')
    return text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
  return text.trim()
}

function words(name: string): string {
  const spaced = name.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(binary)
}
