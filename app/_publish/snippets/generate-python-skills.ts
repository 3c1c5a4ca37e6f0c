import type { Skill } from '@parley/protocol'
import { placeholderResults } from './placeholder-results.ts'
import { skillCodeComment } from './skill-code-comment.ts'

/** The handlers of the Python program: a decorated function for each skill. */
export function generatePythonSkills(skills: readonly Skill[]): string {
  return skills.map((skill) => handlerLines(skill).join('\n')).join('\n\n\n')
}

function handlerLines(skill: Skill): string[] {
  return [
    `# ${skillCodeComment(skill)}`,
    `@agent.skill(${JSON.stringify(skill.id)})`,
    `def ${functionName(skill.id)}(task):`,
    ...resultLines(skill).map((line) => `    ${line}`),
  ]
}

function resultLines(skill: Skill): string[] {
  const results = placeholderResults(skill)
  const [[, text] = ['', '']] = results
  if (results.length === 1) return [`return ${JSON.stringify(text)}`]
  return ['return {', ...results.map(([type, content]) => `    ${JSON.stringify(type)}: ${JSON.stringify(content)},`), '}']
}

/** A skill id as the name of a function: `text.shout` is `text_shout`. A word alone could be a keyword of Python, so it gets a suffix. */
const functionName = (id: string): string => (/[._]/.test(id) ? id.replaceAll('.', '_') : `${id}_skill`)
