import type { Skill } from '@parley/protocol'

/** One line about a skill for a program. Publishers write its texts, so it has no control characters and no backslashes, which could end the comment or continue it. */
export function skillCodeComment({ name, inputs }: Pick<Skill, 'name' | 'inputs'>): string {
  const taken = inputs.map((port) => `${port.name} (${port.type}${port.optional ? ', optional' : ''})`).join(', ')
  const line = `${name.replace(/(?<![.\s])[.\s]+$/, '')}. ${taken === '' ? 'It takes no inputs.' : `Inputs: ${taken}.`}`
  return line
    .replace(/[\p{C}\p{Zl}\p{Zp}\\]+/gu, ' ')
    .slice(0, 200)
    .toWellFormed()
    .trim()
}
