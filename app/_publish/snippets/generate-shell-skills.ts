import type { Skill } from '@parley/protocol'
import { placeholderResults } from './placeholder-results.ts'
import { skillCodeComment } from './skill-code-comment.ts'

/** The definitions of `file` and `work` in the jq program of the shell script, which stands in single quotes. */
export function generateShellSkills(skills: readonly Skill[]): string {
  const cases = skills.flatMap((skill, index) => {
    const files = placeholderResults(skill).map(([type, text]) => `file(${JSON.stringify(type)}; ${JSON.stringify(text)})`)
    return [
      `      # ${skillCodeComment(skill)}`,
      `      ${index === 0 ? 'if' : 'elif'} .skill_id == ${JSON.stringify(skill.id)} then [${files.join(', ')}]`,
    ]
  })
  return [
    'def file(type; text): { name: (type | gsub("[.]"; "-") + ".txt"), media_type: "text/plain", artifact_type: type, content: (text | @base64) };',
    '    def work:',
    ...cases,
    '      else empty end;',
  ]
    .join('\n')
    .replaceAll("'", "'\\''")
}
