import type { Skill } from '@parley/protocol'
import { placeholderResults } from './placeholder-results.ts'
import { skillCodeComment } from './skill-code-comment.ts'

/** The `skills` of the TypeScript program. */
export function generateTypescriptSkills(skills: readonly Skill[]): string {
  return ['  skills: {', ...skills.flatMap((skill) => [`    // ${skillCodeComment(skill)}`, ...handlerLines(skill)]), '  },'].join('\n')
}

function handlerLines(skill: Skill): string[] {
  const results = placeholderResults(skill)
  const [[, text] = ['', '']] = results
  if (results.length === 1) return [`    ${quoted(skill.id)}: ({ inputs }) => ${quoted(text)},`]
  return [
    `    ${quoted(skill.id)}: ({ inputs }) => ({`,
    '      artifacts: [',
    ...results.map(([type, content]) => `        ${fileOf(type, content)},`),
    '      ],',
    '    }),',
  ]
}

const fileOf = (type: string, content: string): string =>
  `{ name: ${quoted(`${type.replaceAll('.', '-')}.txt`)}, media_type: 'text/plain', artifact_type: ${quoted(type)}, content: ${quoted(content)} }`

/** A string literal in single quotes. */
const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
