import type { Skill } from '@parley/protocol'

const maxResult = 400
const placeholder = 'Replace this text with your result.'

type Results = readonly (readonly [type: string, text: string])[]

/** The required output types of a skill, each once, with a text that stands for the result: a sample if the skill has one. */
export function placeholderResults({ outputs, samples }: Pick<Skill, 'outputs' | 'samples'>): Results {
  const required = outputs.filter((port) => !port.optional)
  const types = [...new Set((required.length > 0 ? required : outputs).map(({ type }) => type))]
  const sample = types.length === 1 ? samples[0]?.output : undefined
  return types.map((type) => [type, (sample || placeholder).slice(0, maxResult).toWellFormed()])
}
