/** `text.keywords`: the phrases of a text that stand for its subject (RAKE). */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { stemWord } from '../../stem-word.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { frequentContentWords, isContentWord, textLanguageOf } from './content-words.ts'
import { listWords } from './segment-text.ts'
import { readTextGoal, readTextRequest, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_keywords'
const usualCount = 10
const maxCount = 50
const skill: ToolSkill = {
  id: 'text.keywords',
  name: 'Find the key phrases of a text',
  description: 'Words and phrases that occur often and together, by the method RAKE, with their number.',
  inputs: textPorts(type, 'The text.', {
    count: { type: 'integer', minimum: 1, maximum: maxCount, description: 'How many; 10 if left out.' },
  }),
  outputs: [{ name: 'keywords', type: 'text.keywords', description: 'CSV with phrase, occurrences and score.', optional: false }],
  price: '150000',
  tags: ['keywords', 'key phrases', 'topics', 'tags', 'subject terms'],
  samples: [
    {
      title: 'Three sentences',
      input: { text: 'Solar power is growing. Solar power plants need storage. Storage for solar power is expensive.', count: 1 },
      output: 'Key phrases: Solar power.',
    },
  ],
}

const pattern =
  /^(?:(?:extract|find|list|give|get|show|identify|generate|suggest|what are|pull out|i need|make)(?: me)? )?(?:the |some |a list of )?(?:top |main |most important |best )?(\d{1,2} |ten |five )?(?:most important |main |best |relevant |seo )?(?:key ?words?|key ?phrases?|key terms?|topic words)(?: (?:and|or|&) (?:key ?phrases?|key ?words?))?$/

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  const match = request?.asked.length === 1 && pattern.exec(request.asked[0] ?? '')
  if (!request || !match) return undefined
  const countWord = match[1]?.trim()
  const count = countWord === 'ten' ? 10 : countWord === 'five' ? 5 : countWord === undefined ? undefined : Number(countWord)
  const options = count === undefined || count < 1 ? {} : { count: Math.min(maxCount, count) }
  return readTextGoal(request, options, 'I list the words and phrases that occur most often together.')
}

type Phrase = { readonly text: string; readonly count: number; readonly score: number }
const maxPhraseWords = 4

/** Candidates are runs of content words; a word scores by its degree over its frequency (Rose et al. 2010). */
export function findKeyPhrases(text: string): Phrase[] {
  const runs = text
    .split(/[.,;:!?()[\]{}"“”«»\n\t/|–—]+/)
    .flatMap((clause) => splitRuns(listWords(clause)))
    .filter((run) => run.length <= maxPhraseWords)
  const [frequency, degree] = [new Map<string, number>(), new Map<string, number>()]
  for (const run of runs)
    for (const word of run.map(stemWord)) {
      frequency.set(word, (frequency.get(word) ?? 0) + 1)
      degree.set(word, (degree.get(word) ?? 0) + run.length)
    }
  const phrases = new Map<string, { text: string; count: number; score: number }>()
  for (const run of runs) {
    const stems = run.map(stemWord)
    const key = stems.join(' ')
    const known = phrases.get(key)
    if (known) known.count++
    else
      phrases.set(key, {
        text: run.join(' '),
        count: 1,
        score: stems.reduce((sum, one) => sum + (degree.get(one) ?? 0) / (frequency.get(one) ?? 1), 0),
      })
  }
  // A phrase that occurs once is worth less than one that comes back.
  return [...phrases.values()]
    .map((one) => ({ ...one, score: one.score * one.count }))
    .sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1))
}

function splitRuns(words: readonly string[]): string[][] {
  const runs: string[][] = [[]]
  for (const word of words)
    if (isContentWord(word)) runs.at(-1)?.push(word)
    else runs.push([])
  return runs.filter((run) => run.length > 0)
}

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type)
  const { count } = requireData(work, type)
  const language = textLanguageOf(text)
  // Phrases are found by English rules only.
  const found = language === 'en' ? findKeyPhrases(text) : frequentContentWords(text, language).map((one) => ({ ...one, score: one.count }))
  if (found.length === 0) return refuse('The text has no words that name a subject.')
  const chosen = found.slice(0, typeof count === 'number' && count >= 1 ? Math.min(maxCount, count) : usualCount)
  const rows = chosen.map((one) => `${one.text},${one.count},${one.score.toFixed(1)}`)
  return {
    outputs: [
      {
        name: 'keywords.csv',
        media_type: 'text/csv',
        artifact_type: 'text.keywords',
        text: `phrase,occurrences,score\n${rows.join('\n')}\n`,
      },
    ],
    text: `Key phrases: ${chosen
      .slice(0, 15)
      .map((one) => one.text)
      .join(', ')}.`,
  }
}

export const textKeywordsTool: Tool = { skill, readGoal, run }
