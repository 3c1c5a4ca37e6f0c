/** `text.summary`: the sentences of a text that say most, unchanged. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { stemWord } from '../../stem-word.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { isContentWord, listSentences, listWords } from './list-sentences.ts'
import { readTextGoal, readTextRequest, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_summary'
const minSentences = 4
const maxSentences = 10
const skill: ToolSkill = {
  id: 'text.summary',
  name: 'Summarise a text by its main sentences',
  description: 'Quotes the most important sentences of a text, unchanged and in their order. It writes no new sentences.',
  inputs: textPorts(type, 'The text.', {
    sentences: { type: 'integer', minimum: 1, maximum: maxSentences, description: 'How many; by the length of the text, if left out.' },
  }),
  outputs: [{ name: 'summary', type: 'text.summary', description: 'The chosen sentences, as Markdown.', optional: false }],
  price: '200000',
  tags: ['summary', 'summarize', 'summarise', 'tldr', 'key sentences', 'main points', 'shorten'],
  samples: [
    {
      title: 'Two sentences of six',
      input: {
        text: 'Alpha is a company. It makes tea and coffee. The tea is green. Many people buy the tea of Alpha. The company has ten shops. All shops sell tea.',
        sentences: 2,
      },
      output: 'Many people buy the tea of Alpha. All shops sell tea.',
    },
  ],
}

const counts: { readonly [word: string]: number } = {
  one: 1,
  a: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
}
const length =
  '(?:in|into|to|as|with|using) (?:at most |max(?:imum)? |about |only |just |no more than )?(\\d{1,2}|one|a|two|three|four|five|six|seven|eight|nine|ten) (?:short |key |main |single )?(?:sentences?|bullet points?|bullets|points?|lines?)(?: or less| max)?'
const patterns = [
  new RegExp(`^(?:summari[sz]e|sum up|boil down|condense|shorten|tl;?dr)(?: ${length})?(?: please)?$`),
  new RegExp(
    `^(?:(?:write|give|make|create|produce|provide|show|generate|get|i need|i want|need)(?: me)? )?(?:a |the |an )?(?:(\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)[- ](?:sentence|point|line) )?(?:short |brief |quick |concise |extractive )*(?:summary|tl;?dr|synopsis|abstract|key points|main points|key sentences|main sentences|gist|main ideas?|key takeaways)(?: ${length})?$`,
  ),
  /^(?:what are|what is|find|extract|list) the (?:(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) )?(?:key points|main points|key sentences|main sentences|most important (?:sentences|points)|gist|main ideas?|key takeaways)$/,
]

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  if (request?.asked.length !== 1) return undefined
  const [sentence = ''] = request.asked
  const match = patterns.map((pattern) => pattern.exec(sentence)).find((one) => one !== null)
  if (!match) return undefined
  const said = match.slice(1).find((one) => one !== undefined)
  const sentences = said === undefined ? undefined : (counts[said] ?? Number(said))
  if (request.text !== undefined && listSentences(request.text).length < minSentences)
    return {
      confidence: 0.7,
      question: `The text has fewer than ${minSentences} sentences, so it is its own summary. Which longer text is meant?`,
    }
  const size = sentences === undefined || sentences < 1 ? {} : { sentences: Math.min(maxSentences, sentences) }
  return readTextGoal(request, size, 'I choose the most important sentences of the text and quote them unchanged.')
}

/**
 * Scores each sentence by how often its words occur in the text, with the square root of its length as a divisor, so that a long
 * sentence does not win by length alone. The first sentence of the text, which often names the subject, counts a quarter more.
 */
export function scoreSentences(sentences: readonly string[]): number[] {
  const stems = sentences.map((sentence) => listWords(sentence).filter(isContentWord).map(stemWord))
  const counts = new Map<string, number>()
  for (const stem of stems.flat()) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return stems.map((words, index) => {
    const sum = [...new Set(words)].reduce((total, stem) => total + Math.log1p((counts.get(stem) ?? 1) - 1), 0)
    return (sum / Math.sqrt(Math.max(4, words.length))) * (index === 0 ? 1.25 : 1)
  })
}

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type)
  const { sentences: asked } = requireData(work, type)
  const all = listSentences(text)
  if (all.length < minSentences) return refuse(`The text has ${all.length} sentences. A summary needs at least ${minSentences}.`)
  const usual = Math.min(5, Math.max(2, Math.round(all.length / 5)))
  const count = Math.min(all.length - 1, typeof asked === 'number' && asked >= 1 ? Math.min(maxSentences, Math.floor(asked)) : usual)
  const scores = scoreSentences(all)
  const ranked = all.map((_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const chosen = ranked
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((index) => all[index] ?? '')
  const quoted = chosen.map((sentence) => `> ${sentence}`).join('\n>\n')
  const summary = chosen.join(' ')
  return {
    outputs: [
      {
        name: 'summary.md',
        media_type: 'text/markdown',
        artifact_type: 'text.summary',
        text: `# Summary\n\n${quoted}\n\n${count} of ${all.length} sentences, quoted unchanged. They are those whose words occur most often in the text.\n`,
      },
    ],
    text: summary.length <= 700 ? summary : `${chosen[0]?.slice(0, 300) ?? ''} The file has all ${count} sentences.`,
  }
}

export const textSummaryTool: Tool = { skill, readGoal, run }
