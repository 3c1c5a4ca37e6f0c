/** `text.language`: the language of a text. */
import { eld } from 'eld/small'
import { refuse, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { isOnly, readTextGoal, readTextRequest, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_language'
const skill: ToolSkill = {
  id: 'text.language',
  name: 'Tell the language of a text',
  description: 'The most probable of 60 languages, with its ISO 639-1 code, from at least three words.',
  inputs: textPorts(type, 'The text.'),
  outputs: [{ name: 'language', type: 'text.language', description: 'Name, code and score, as JSON.', optional: false }],
  price: '100000',
  tags: ['language', 'detect language', 'identify language'],
  samples: [{ title: 'German', input: { text: 'Guten Morgen, wie geht es dir heute?' }, output: 'The text is in German (de).' }],
}

const pattern =
  /^(?:(?:in )?(?:what|which) language(?:'s| is| was)?(?: (?:written|in|is|this|it|that|the text|used|spoken))*|(?:detect|identify|determine|tell|recogni[sz]e|find(?: out)?|guess|name|say)(?: me)? (?:the |what |which )?language(?: (?:is|is in|is written in|used|in))*|language(?: detection)?|what(?:'s| is) the language(?: used)?)$/

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  return request && isOnly(request, pattern) ? readTextGoal(request, {}, 'I tell the language of the text.') : undefined
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type).slice(0, 20_000)
  const found = eld.detect(text)
  if (!found.language) return refuse('The text is too short to recognise its language. Give a longer one.')
  const name = names.of(found.language) ?? found.language
  const isSure = found.isReliable()
  const scores = found.getScores()
  const json = { language: name, code: found.language, is_reliable: isSure, score: scores[found.language] ?? 0 }
  return {
    outputs: [
      { name: 'language.json', media_type: 'application/json', artifact_type: 'text.language', text: `${JSON.stringify(json, null, 2)}\n` },
    ],
    text: `The text is ${isSure ? '' : 'probably '}in ${name} (${found.language}).${isSure ? '' : ' It is short, so this is not certain.'}`,
  }
}

export const textLanguageTool: Tool = { skill, readGoal, run }
