/** `text.summary`: the sentences of a text that say most, unchanged. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { stemWord } from '../../stem-word.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { contentTest, frequentContentWords, type TextLanguage, textLanguageOf } from './content-words.ts'
import { findKeyPhrases } from './keywords-tool.ts'
import { readSummaryRequest } from './read-summary-request.ts'
import { listSentences, listWords } from './segment-text.ts'
import { readTextGoal, readTextRequest, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_summary'
const minSentences = 4
const maxSentences = 10
const maxKeywords = 30
const skill: ToolSkill = {
  id: 'text.summary',
  name: 'Summarise a text by its main sentences',
  description: 'Quotes the most important sentences of a text, unchanged and in their order. It writes no new sentences.',
  inputs: textPorts(type, 'The text.', {
    sentences: { type: 'integer', minimum: 1, maximum: maxSentences, description: 'How many; by the length of the text, if left out.' },
    keywords: { type: 'integer', minimum: 1, maximum: maxKeywords, description: 'How many keywords are added; none, if left out.' },
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

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  const requested = request && readSummaryRequest(request.raw)
  if (!request || !requested) return undefined
  const { sentences, keywords } = requested
  if (request.text !== undefined && listSentences(request.text).length < minSentences)
    return {
      confidence: 0.7,
      question: `The text has fewer than ${minSentences} sentences, so it is its own summary. Which longer text is meant?`,
    }
  const size = sentences === undefined || sentences < 1 ? {} : { sentences: Math.min(maxSentences, sentences) }
  const options = { ...size, ...(keywords > 0 && { keywords: Math.min(maxKeywords, keywords) }) }
  const more = keywords > 0 ? ' I add its keywords.' : ''
  return readTextGoal(request, options, `I choose the most important sentences of the text and quote them unchanged.${more}`)
}

/**
 * The score of each sentence: the frequency of its words in the text, divided by the square root of its length. So a long sentence does not
 * win by length alone. The first sentence often names the subject, so it counts a quarter more.
 */
export function scoreSentences(sentences: readonly string[], language: TextLanguage = 'en'): number[] {
  const stem = language === 'en' ? stemWord : (word: string) => word.toLowerCase()
  const stems = sentences.map((sentence) => listWords(sentence).filter(contentTest(language)).map(stem))
  const counts = new Map<string, number>()
  for (const stem of stems.flat()) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return stems.map((words, index) => {
    const sum = [...new Set(words)].reduce((total, stem) => total + Math.log1p((counts.get(stem) ?? 1) - 1), 0)
    return (sum / Math.sqrt(Math.max(4, words.length))) * (index === 0 ? 1.25 : 1)
  })
}

const keywordsOf = (text: string, language: TextLanguage, count: number): string => {
  const found = language === 'en' ? findKeyPhrases(text) : frequentContentWords(text, language)
  return found
    .slice(0, count)
    .map((one) => one.text)
    .join(', ')
}

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type)
  const { sentences: asked, keywords: wanted } = requireData(work, type)
  const language = textLanguageOf(text)
  const all = listSentences(text)
  if (all.length < minSentences) return refuse(`The text has ${all.length} sentences. A summary needs at least ${minSentences}.`)
  const usual = Math.min(5, Math.max(2, Math.round(all.length / 5)))
  const count = Math.min(all.length - 1, typeof asked === 'number' && asked >= 1 ? Math.min(maxSentences, Math.floor(asked)) : usual)
  const scores = scoreSentences(all, language)
  // Headings without a mark at their end say less than sentences.
  const isSentence = (one: string | undefined) => /[.!?…]['"”’»)]?$/.test(one ?? '')
  const full = all.filter(isSentence).length > count
  const ranked = all
    .map((_, index) => index)
    .filter((index) => !full || isSentence(all[index]))
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const chosen = ranked
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((index) => all[index] ?? '')
  const keywords = typeof wanted === 'number' && wanted >= 1 ? keywordsOf(text, language, Math.min(maxKeywords, wanted)) : ''
  const quoted = chosen.map((sentence) => `> ${sentence}`).join('\n>\n')
  const summary = chosen.join(' ')
  return {
    outputs: [
      {
        name: 'summary.md',
        media_type: 'text/markdown',
        artifact_type: 'text.summary',
        text: `# Summary\n\n${quoted}\n\n${count} of ${all.length} sentences, quoted unchanged. They are those whose words occur most often in the text.\n${keywords === '' ? '' : `\n## Keywords\n\n${keywords}\n`}`,
      },
    ],
    text: `${summary.length <= 1_000 ? summary : `${chosen[0]?.slice(0, 300) ?? ''} The file has all ${count} sentences.`}${keywords === '' ? '' : `\nKeywords: ${keywords}`}`,
  }
}

export const textSummaryTool: Tool = { skill, readGoal, run }
