import type { Skill } from '@parley/protocol'
import { placeholderResults } from './placeholder-results.ts'
import { skillComment } from './skill-comment.ts'

/** The skills of the Python program, and the function `work` that calls them. */
export function pythonSkills(skills: readonly Skill[]): string {
  return [
    '# My skills, for a step of a team and for a direct call alike. Each takes its inputs by name and returns a text for each output type.',
    'skills = {',
    ...skills.flatMap((skill) => {
      const results = placeholderResults(skill).map(([type, text]) => `${JSON.stringify(type)}: ${JSON.stringify(text)}`)
      return [`    # ${skillComment(skill)}`, `    ${JSON.stringify(skill.id)}: lambda inputs: {${results.join(', ')}},`]
    }),
    '}',
    'file = lambda type, text: {"name": type.replace(".", "-") + ".txt", "media_type": "text/plain", "artifact_type": type, "content": base64.b64encode(text.encode()).decode()}',
    'work = lambda d: [file(type, text) for type, text in skills[d["skill_id"]]({i["port"]: i for i in d["inputs"]}).items()]',
  ].join('\n')
}
