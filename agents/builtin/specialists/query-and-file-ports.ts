/** The ports and the reading of inputs that specialists have in common. */
import type { Json } from '@parley/protocol'
import type { z } from 'zod'
import { refuse, requireData, type SkillRequest } from '../skill.ts'
import type { SpecialistPort } from './specialist.ts'

type Properties = { readonly [name: string]: { [key: string]: Json } }

/** The port of a query. Its schema lists the properties; `required` names those that must be there. */
export const queryPort = (type: string, description: string, properties: Properties, required: readonly string[]): SpecialistPort => ({
  name: 'query',
  type,
  description,
  optional: false,
  schema: { type: 'object', required: [...required], properties },
})

export const filePort = (name: string, type: string, description: string, optional: boolean): SpecialistPort => ({
  name,
  type,
  description,
  optional,
})
export const outputPort = (name: string, type: string, description: string): SpecialistPort => filePort(name, type, description, false)

export const textProperty = { type: 'string', minLength: 1, maxLength: 20_000, description: 'The text.' } as const
export const languageProperty = { type: 'string', maxLength: 40, description: 'Language of the answer, by its English name.' } as const

/** The value of the query, by a schema. @throws {SkillRefused} that states what is wrong */
export function readQuery<T>(work: SkillRequest, schema: z.ZodType<T>): T {
  const type = work.inputs.find((input) => input.type.startsWith('query.'))?.type ?? 'query'
  const read = schema.safeParse(requireData(work, type))
  if (read.success) return read.data
  return refuse(
    `The query is wrong: ${read.error.issues
      .map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`)
      .join('; ')
      .slice(0, 500)}.`,
  )
}

export type NamedText = { readonly name: string; readonly text: string }

/** The attached files of these types that have a text. */
export const listFiles = (work: SkillRequest, types: readonly string[]): NamedText[] =>
  work.inputs.flatMap(({ type, text, artifact, port }) =>
    types.includes(type) && text !== undefined ? [{ name: artifact?.name ?? port, text }] : [],
  )

/** The text of the query, or else of the file. @throws {SkillRefused} if there is none */
export function requireMaterialText(work: SkillRequest, text: string | undefined): string {
  const found = text ?? listFiles(work, ['document.text'])[0]?.text
  return found !== undefined && found.trim() !== ''
    ? found
    : refuse('There is no text to work on. Put it into the query, or attach it as a text file.')
}
