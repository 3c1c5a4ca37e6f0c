/** Writes, summarises and translates. The model writes the text, and checks compare it with its source. */
import { eld } from 'eld/small'
import { z } from 'zod'
import { formatList } from '../../format-numbers-and-lists.ts'
import { modelSkillTag } from '../../model/is-model-skill.ts'
import { taskPrompts } from '../../model/prompts.ts'
import type { OutputFile } from '../../skill.ts'
import { digitRunsIn, numbersMissingInSources } from '../numbers-missing-in-sources.ts'
import {
  filePort,
  languageProperty,
  listFiles,
  outputPort,
  queryPort,
  readQuery,
  requireMaterialText,
  textProperty,
} from '../query-and-file-ports.ts'
import type { Specialist } from '../specialist.ts'

/** A short answer stands in the message as well. */
const maxInline = 600
const tags = [modelSkillTag]

const textFile = (name: string, artifact_type: string, text: string): OutputFile => ({
  name,
  media_type: 'text/markdown',
  artifact_type,
  text: `${text}\n`,
})
const inline = (text: string, otherwise: string): string => (text.length <= maxInline ? text : otherwise)

const optionalText = z.string().trim().min(1).max(20_000).optional()
const optionalLanguage = z.string().trim().min(2).max(40).optional()
const document = filePort('document', 'document.text', 'A text file.', false)

const WritingQuery = z.object({ request: z.string().trim().min(3).max(8_000), language: optionalLanguage })

export const draftSpecialist: Specialist = {
  skill: {
    id: 'writing.draft',
    name: 'Write a text',
    description: 'Letters, articles, descriptions, poems, slogans and other texts in any language, from a description and your material.',
    inputs: [
      queryPort(
        'query.writing',
        'What to write.',
        {
          request: { type: 'string', minLength: 3, maxLength: 8_000, description: 'What to write, for whom and how long.' },
          language: languageProperty,
        },
        ['request'],
      ),
      filePort('material', 'document.text', 'A text file with facts to use.', true),
    ],
    outputs: [outputPort('text', 'text.written', 'The text, as Markdown.')],
    tags: [...tags, 'write', 'draft', 'letter', 'e-mail', 'article', 'essay', 'blog post', 'poem', 'slogan'],
    samples: [
      {
        title: 'A slogan',
        input: { request: 'A slogan for a bakery that opens at 5 in the morning' },
        output: 'Fresh bread before the sun.',
      },
    ],
  },
  budgetFactor: 1,
  async run(work, task) {
    const { request, language = null } = readQuery(work, WritingQuery)
    const material = listFiles(work, ['document.text'])
    const text = await task.askText(taskPrompts.write, { request, language, material })
    const invented = numbersMissingInSources(text, [request, ...material.map((one) => one.text)])
    const note =
      invented.length === 0
        ? ''
        : ` Check the numbers ${formatList(invented.slice(0, 8))}: neither your request nor your material has them.`
    return {
      files: [textFile('text.md', 'text.written', text)],
      text: `${inline(text, 'The text is in the file.')}${note}`,
      author: 'model',
    }
  },
}

const SummaryQuery = z.object({
  text: optionalText,
  focus: z.string().max(400).optional(),
  language: optionalLanguage,
  max_words: z.number().int().min(10).max(2_000).default(200),
})
const summaryProperties = {
  focus: { type: 'string', maxLength: 400, description: 'What matters most.' },
  language: languageProperty,
  max_words: { type: 'integer', minimum: 10, maximum: 2_000, default: 200 },
} as const

const runSummary: Specialist['run'] = async (work, task) => {
  const { text: given, focus = null, language = null, max_words } = readQuery(work, SummaryQuery)
  const source = requireMaterialText(work, given)
  const summary = await task.askText(taskPrompts.summarise, { text: source, focus, language, max_words }, (text) => {
    const invented = numbersMissingInSources(text, [source])
    if (invented.length > 0)
      return `The text does not have the numbers ${formatList(invented.slice(0, 8))}. Use its numbers, as it writes them.`
    const count = text.split(/\s+/).length
    return count > max_words * 1.5 + 20 ? `The summary has ${count} words; at most ${max_words} are wanted.` : undefined
  })
  return {
    files: [textFile('summary.md', 'text.summarised', summary)],
    text: inline(summary, 'The summary is in the file.'),
    author: 'model',
  }
}

const summarySample = {
  title: 'A notice',
  input: { text: 'The office is closed on Monday because the heating is repaired.', max_words: 10 },
  output: 'Office closed on Monday for heating repairs.',
}

export const summarySpecialist: Specialist = {
  skill: {
    id: 'writing.summary',
    name: 'Summarise a text in new words',
    description: 'A summary in its own words, in any language. Numbers that the text does not have are refused.',
    inputs: [
      queryPort('query.model_summary', 'The text, and how to summarise it.', { text: textProperty, ...summaryProperties }, ['text']),
    ],
    outputs: [outputPort('summary', 'text.summarised', 'The summary, as Markdown.')],
    tags: [...tags, 'abstract', 'abstractive summary', 'summarise', 'tl;dr'],
    samples: [summarySample],
  },
  budgetFactor: 1,
  run: runSummary,
}

const fileSummarySpecialist: Specialist = {
  skill: {
    ...summarySpecialist.skill,
    id: 'writing.file_summary',
    name: 'Summarise a file in new words',
    inputs: [queryPort('query.file_summary', 'How to summarise.', summaryProperties, []), document],
    samples: [],
  },
  budgetFactor: 1,
  run: runSummary,
}

const TranslationQuery = z.object({
  text: optionalText,
  target_language: z.string().trim().min(2).max(40),
  note: z.string().max(400).optional(),
})
const translationProperties = {
  target_language: { type: 'string', maxLength: 40, description: 'Language to translate to, by its English name.' },
  note: { type: 'string', maxLength: 400, description: 'Wishes about style and terms.' },
} as const

/** Shorter texts are detected too badly. */
const minDetected = 60

/** ISO 639-1 code of a language by its English name, or the code itself. */
function codeOfLanguage(language: string): string | undefined {
  const wanted = language.toLowerCase()
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  return Object.values(eld.info().Languages).find((code) => code === wanted || names.of(code)?.toLowerCase() === wanted)
}

/** Why a translation is none; undefined if nothing shows that. */
function translationFault(source: string, translated: string, language: string): string | undefined {
  if (translated.length > source.length * 5 + 400) return 'The answer is much longer than the text. Return the translation only.'
  const code = codeOfLanguage(language)
  if (code === undefined || translated.length < minDetected) return undefined
  const found = eld.detect(translated)
  return found.isReliable() && found.language !== code ? `The answer is not in ${language}.` : undefined
}

const runTranslation: Specialist['run'] = async (work, task) => {
  const { text: given, target_language, note = null } = readQuery(work, TranslationQuery)
  const source = requireMaterialText(work, given)
  const text = await task.askText(taskPrompts.translate, { text: source, target_language, note }, (one) =>
    translationFault(source, one, target_language),
  )
  const kept = digitRunsIn(text)
  const lost = [...digitRunsIn(source)].filter((run) => !kept.has(run))
  const remark =
    lost.length === 0 ? '' : ` Check the numbers ${formatList(lost.slice(0, 8))} of the original: the translation writes them otherwise.`
  return {
    files: [textFile('translation.md', 'text.translated', text)],
    text: `${inline(text, 'The translation is in the file.')}${remark}`,
    author: 'model',
  }
}

export const translationSpecialist: Specialist = {
  skill: {
    id: 'writing.translation',
    name: 'Translate a text',
    description: 'A translation between any two languages that the model knows. The target language is checked for longer texts.',
    inputs: [
      queryPort('query.translation', 'The text and the target language.', { text: textProperty, ...translationProperties }, [
        'text',
        'target_language',
      ]),
    ],
    outputs: [outputPort('translation', 'text.translated', 'The translation.')],
    tags: [...tags, 'translate', 'translation', 'translator'],
    samples: [{ title: 'A greeting', input: { text: 'Good morning', target_language: 'German' }, output: 'Guten Morgen' }],
  },
  budgetFactor: 1,
  run: runTranslation,
}

const fileTranslationSpecialist: Specialist = {
  skill: {
    ...translationSpecialist.skill,
    id: 'writing.file_translation',
    name: 'Translate a file',
    inputs: [queryPort('query.file_translation', 'The target language.', translationProperties, ['target_language']), document],
    samples: [],
  },
  budgetFactor: 1,
  run: runTranslation,
}

export const writingSpecialists: readonly Specialist[] = [
  draftSpecialist,
  summarySpecialist,
  fileSummarySpecialist,
  translationSpecialist,
  fileTranslationSpecialist,
]
