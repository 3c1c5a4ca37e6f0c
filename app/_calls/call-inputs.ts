import type { ArtifactUpload, Json, Skill, SkillPort, TaskInput } from '@parley/protocol'
import type { Translate } from '../_messages/translate-types.ts'
import { encodeBase64 } from '../_quote/files/encode-base64.ts'
import { type FormValue, isBlankValue, readFormValue, writtenText } from './form/form-value.ts'
import { type FormNode, fieldLabel, schemaToFormNode } from './form/schema-to-form-node.ts'
import { type FormFaults, validateFormValue } from './form/validate-form-value.ts'
import { typedTextFileInfo } from './typed-text-file-info.ts'

/** One field of a form: a whole port, or one property of a value with a schema. */
export type InputField = {
  readonly key: string
  readonly port: SkillPort
  /** Null: the whole port. */
  readonly property: string | null
  readonly node: FormNode
}
/** What is written, by the key of its field. */
export type GivenInputs = Readonly<Record<string, FormValue>>

/** The form fields for a skill's inputs, in their order. A port with a schema has one field per property. */
export function inputFieldsOf({ inputs }: Pick<Skill, 'inputs'>): InputField[] {
  return inputs.flatMap((port) => {
    const { name, schema, description, type, optional } = port
    const isValue = schema !== undefined && (schema.type === undefined || schema.type === 'object')
    if (!isValue) return [fileField(port)]
    const node = schemaToFormNode(schema, { root: schema, name, isRequired: !optional, depth: 0 })
    if (node.kind === 'group') return node.fields.map(([property, field]) => ({ key: `${name}.${property}`, port, property, node: field }))
    // Without known properties the whole value is one field.
    return [{ key: name, port, property: null, node: { ...node, kind: 'json', label: fieldLabel(name), hint: description || type } }]
  })
}

/** A port without a schema takes a file, written as a text. */
function fileField(port: SkillPort): InputField {
  const { name, type, description, optional } = port
  const hint = description ? `${description} (${type})` : type
  const common = { label: fieldLabel(name), hint, isRequired: !optional, fallback: '' }
  const node: FormNode = { ...common, kind: 'text', format: null, isLong: true, minLength: 0, maxLength: Number.POSITIVE_INFINITY }
  return { key: name, port, property: null, node }
}

/** Whether the person must fill in the field: an optional input needs its fields only once one of them is written. */
export function isFieldRequired({ port, node }: InputField, fields: readonly InputField[], given: GivenInputs): boolean {
  return node.isRequired && (!port.optional || ownFields(fields, port).some((one) => !isBlankValue(one.node, given[one.key])))
}

const ownFields = (fields: readonly InputField[], port: SkillPort) => fields.filter((field) => field.port === port)

/**
 * The values of the fields as inputs of a call: a value for a port with a schema, a file for any other port. `digest`
 * computes the hash of a file.
 */
export async function readInputs(
  fields: readonly InputField[],
  given: GivenInputs,
  digest: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>,
): Promise<{ inputs: TaskInput[]; attachments: ArtifactUpload[] }> {
  const inputs: TaskInput[] = []
  const attachments: ArtifactUpload[] = []
  for (const port of new Set(fields.map((field) => field.port))) {
    const own = ownFields(fields, port)
    if (own.every(({ key, node }) => isBlankValue(node, given[key])) && (port.optional || own.every(({ property }) => property === null)))
      continue
    const [first] = own
    if (first?.property !== null || first.node.kind === 'json') {
      inputs.push({ port: port.name, type: port.type, data: readData(own, given) })
      continue
    }
    const text = writtenText(given[port.name])
    const bytes = new TextEncoder().encode(text)
    const named = { ...typedTextFileInfo(port.type, text), artifact_type: port.type }
    attachments.push({ ...named, content: encodeBase64(bytes) })
    inputs.push({ port: port.name, type: port.type, artifact: { ...named, sha256: await digest(bytes), size: bytes.length } })
  }
  return { inputs, attachments }
}

function readData(own: readonly InputField[], given: GivenInputs): { [name: string]: Json } {
  const [whole] = own
  if (whole?.property === null) return readFormValue(whole.node, given[whole.key]) as { [name: string]: Json }
  const read = own.map(({ key, property, node }) => [property ?? '', readFormValue(node, given[key])] as const)
  return Object.fromEntries(read.filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

/** The values of a question as text, one per line. Files are shown as files. */
export function inputLines(inputs: readonly TaskInput[]): string[] {
  return inputs.flatMap(({ data }) =>
    typeof data === 'object' && data !== null && !Array.isArray(data)
      ? Object.entries(data).map(([name, value]) => `${fieldLabel(name)}: ${valueWords(value)}`)
      : data === undefined
        ? []
        : [valueWords(data)],
  )
}

const valueWords = (value: unknown): string =>
  Array.isArray(value) ? value.map(valueWords).join(', ') : typeof value === 'string' ? value : JSON.stringify(value)

/** Missing or unreadable values, by the path of their field. Empty if the form is complete. */
export function inputFaultsOf(fields: readonly InputField[], given: GivenInputs, t: Translate<'calls.callForm'>): FormFaults {
  const all = fields.map((field): FormFaults => {
    const { key, node } = field
    const faults = validateFormValue({ ...node, isRequired: isFieldRequired(field, fields, given) }, given[key], key, t)
    return node.kind === 'json' && field.property === null && Object.keys(faults).length === 0 && !isGroupText(given[key])
      ? { [key]: t('writeJsonObject') }
      : faults
  })
  return Object.assign({}, ...all)
}

/** A whole value is an object. */
function isGroupText(value: FormValue | undefined): boolean {
  const text = writtenText(value).trim()
  if (text === '') return true
  const read: unknown = JSON.parse(text)
  return typeof read === 'object' && read !== null && !Array.isArray(read)
}
