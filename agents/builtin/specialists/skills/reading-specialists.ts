/** Extracts, classifies, and answers questions from documents. Every value and answer has its evidence in the source. */
import type { Json } from '@parley/protocol'
import { z } from 'zod'
import { formatList } from '../../format-numbers-and-lists.ts'
import { modelSkillTag } from '../../model/is-model-skill.ts'
import { taskPrompts } from '../../model/prompts.ts'
import { type OutputFile, refuse } from '../../skill.ts'
import { hasQuotation } from '../has-quotation.ts'
import { numbersMissingInSources } from '../numbers-missing-in-sources.ts'
import {
  filePort,
  languageProperty,
  listFiles,
  type NamedText,
  outputPort,
  queryPort,
  readQuery,
  requireMaterialText,
  textProperty,
} from '../query-and-file-ports.ts'
import type { Specialist } from '../specialist.ts'

const tags = [modelSkillTag]
const jsonFile = (name: string, artifact_type: string, value: unknown): OutputFile => ({
  name,
  media_type: 'application/json',
  artifact_type,
  text: `${JSON.stringify(value, null, 1)}\n`,
})
const document = filePort('document', 'document.text', 'A text file.', false)

const FieldName = z.string().trim().min(1).max(60)
const ExtractionQuery = z.object({
  text: z.string().trim().min(1).max(20_000).optional(),
  fields: z
    .array(z.union([FieldName, z.object({ name: FieldName, description: z.string().max(300).default('') })]))
    .min(1)
    .max(24),
})
const fieldsProperty: { [key: string]: Json } = {
  type: 'array',
  minItems: 1,
  maxItems: 24,
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 60 }, description: { type: 'string', maxLength: 300 } },
  },
  description: 'The values to find.',
}

const Extraction = z.object({
  records: z.array(
    z.object({ values: z.array(z.object({ field: z.string(), value: z.string().nullable(), quote: z.string().nullable() })) }),
  ),
})
type Extraction = z.infer<typeof Extraction>

/** Why an extraction cannot be used: each value needs its words in the text, and its numbers in these words. */
function extractionFault({ records }: Extraction, fields: readonly string[], source: string): string | undefined {
  if (records.length === 0) return 'There is no record.'
  if (records.length > 500) return 'There are more than 500 records.'
  for (const { values } of records)
    for (const { field, value, quote } of values) {
      if (!fields.includes(field)) return `There is no field “${field}”. The fields are ${formatList(fields)}.`
      if (value === null) continue
      if (quote === null || !hasQuotation(source, quote))
        return `The quote of “${field}” does not stand in the text: “${(quote ?? '').slice(0, 100)}”.`
      const invented = numbersMissingInSources(value, [quote])
      if (invented.length > 0) return `The quote of “${field}” does not have the number ${invented[0]}.`
    }
  return undefined
}

const runExtraction: Specialist['run'] = async (work, task) => {
  const { text: given, fields: wanted } = readQuery(work, ExtractionQuery)
  const text = requireMaterialText(work, given)
  const fields = wanted.map((one) => (typeof one === 'string' ? { name: one, description: '' } : one))
  const names = fields.map(({ name }) => name)
  const { records } = await task.askValue(
    taskPrompts.extract,
    { text, fields },
    { name: 'extraction', schema: Extraction, faultOf: (answer) => extractionFault(answer, names, text) },
  )
  const rows = records.map(({ values }) =>
    Object.fromEntries(
      names.map((name) => [name, values.find(({ field }) => field === name) ?? { field: name, value: null, quote: null }]),
    ),
  )
  const plain = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, { value }]) => [name, value])))
  const evidence = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, { quote }]) => [name, quote])))
  const found = plain.flatMap((row) => Object.entries(row)).filter(([, value]) => value !== null)
  const [only] = plain
  const short =
    plain.length === 1 && only
      ? Object.entries(only)
          .map(([name, value]) => `${name}: ${value ?? 'not in the text'}`)
          .join('; ')
      : `${plain.length} records with ${found.length} values.`
  return {
    files: [jsonFile('extracted.json', 'data.extracted', { records: plain, quotes: evidence })],
    text: found.length === 0 ? 'The text has none of these values.' : short.slice(0, 600),
    author: 'model',
  }
}

const extractionSpecialist: Specialist = {
  skill: {
    id: 'reading.extraction',
    name: 'Extract fields from a text',
    description: 'Finds named values, such as parties, dates and amounts of a contract. Each value has its quotation from the text.',
    inputs: [queryPort('query.extraction', 'The text and the fields.', { text: textProperty, fields: fieldsProperty }, ['text', 'fields'])],
    outputs: [outputPort('records', 'data.extracted', 'The records with a quotation for each value, as JSON.')],
    tags: [...tags, 'extract fields', 'structured data', 'invoice', 'contract'],
    samples: [
      {
        title: 'An order',
        input: { text: 'Ann ordered 3 lamps.', fields: [{ name: 'customer' }, { name: 'quantity' }] },
        output: '{"records":[{"customer":"Ann","quantity":"3"}]}',
      },
    ],
  },
  budgetFactor: 1,
  run: runExtraction,
}

const fileExtractionSpecialist: Specialist = {
  skill: {
    ...extractionSpecialist.skill,
    id: 'reading.file_extraction',
    name: 'Extract fields from a file',
    inputs: [queryPort('query.file_extraction', 'The fields.', { fields: fieldsProperty }, ['fields']), document],
    samples: [],
  },
  budgetFactor: 1,
  run: runExtraction,
}

const maxItems = 200
const Label = z.string().trim().min(1).max(80)
const ClassificationQuery = z.object({
  items: z.array(z.string().trim().min(1).max(2_000)).min(1).max(maxItems).optional(),
  labels: z.array(Label).min(2).max(40),
  rule: z.string().max(1_000).optional(),
})
const classificationProperties: { [name: string]: { [key: string]: Json } } = {
  labels: { type: 'array', minItems: 2, maxItems: 40, items: { type: 'string', maxLength: 80 }, description: 'The allowed labels.' },
  rule: { type: 'string', maxLength: 1_000, description: 'How to decide.' },
}
const Classification = z.object({ items: z.array(z.object({ item: z.number().int(), label: z.string().nullable(), reason: z.string() })) })

function classificationFault({ items }: z.infer<typeof Classification>, count: number, labels: readonly string[]): string | undefined {
  if (items.length !== count || items.some(({ item }, index) => item !== index + 1))
    return `Each of the ${count} items is returned once, in order, with its number.`
  const foreign = items.find(({ label }) => label !== null && !labels.includes(label))
  return foreign && `“${foreign.label?.slice(0, 80)}” is none of the labels.`
}

const runClassification: Specialist['run'] = async (work, task) => {
  const { items: given, labels, rule = null } = readQuery(work, ClassificationQuery)
  const lines = listFiles(work, ['document.text']).flatMap(({ text }) =>
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
  const texts = given ?? lines
  if (texts.length === 0) refuse('There is nothing to classify. Give `items`, or a text file with one item on each line.')
  if (texts.length > maxItems) refuse(`The file has ${texts.length} lines. At most ${maxItems} are classified at once.`)
  const { items } = await task.askValue(
    taskPrompts.classify,
    { items: texts.map((text, index) => ({ item: index + 1, text })), labels, rule },
    { name: 'classification', schema: Classification, faultOf: (answer) => classificationFault(answer, texts.length, labels) },
  )
  const rows = items.map(({ label, reason }, index) => ({ text: texts[index], label, reason }))
  const counts = [...labels, null].flatMap((label) => {
    const count = rows.filter((row) => row.label === label).length
    return count > 0 ? [`${label ?? 'no label'}: ${count}`] : []
  })
  return {
    files: [jsonFile('classified.json', 'data.classified', rows)],
    text: rows.length === 1 ? `${rows[0]?.label ?? 'No label fits'}: ${rows[0]?.reason ?? ''}`.slice(0, 600) : `${counts.join(', ')}.`,
    author: 'model',
  }
}

const classificationSpecialist: Specialist = {
  skill: {
    id: 'reading.classification',
    name: 'Classify texts',
    description: 'Assigns one of your labels to each text, with a reason: sentiment, topic, urgency, spam.',
    inputs: [
      queryPort(
        'query.classification',
        'The texts and the labels.',
        {
          items: { type: 'array', minItems: 1, maxItems, items: { type: 'string', maxLength: 2_000 }, description: 'The texts.' },
          ...classificationProperties,
        },
        ['items', 'labels'],
      ),
    ],
    outputs: [outputPort('labels', 'data.classified', 'Each text with its label and reason, as JSON.')],
    tags: [...tags, 'classify', 'categorise', 'sentiment', 'label'],
    samples: [
      {
        title: 'A review',
        input: { items: ['It broke after a day.'], labels: ['positive', 'negative'] },
        output: '[{"label":"negative"}]',
      },
    ],
  },
  budgetFactor: 1,
  run: runClassification,
}

const fileClassificationSpecialist: Specialist = {
  skill: {
    ...classificationSpecialist.skill,
    id: 'reading.file_classification',
    name: 'Classify the lines of a file',
    inputs: [queryPort('query.file_classification', 'The labels.', classificationProperties, ['labels']), document],
    samples: [],
  },
  budgetFactor: 1,
  run: runClassification,
}

const DocumentQuery = z.object({ question: z.string().trim().min(3).max(2_000), language: z.string().trim().min(2).max(40).optional() })
const DocumentAnswer = z.object({
  found: z.boolean(),
  answer: z.string().min(1).max(8_000),
  quotes: z.array(z.object({ document: z.number().int(), quote: z.string() })).max(40),
})
type DocumentAnswer = z.infer<typeof DocumentAnswer>

function documentFault({ found, answer, quotes }: DocumentAnswer, documents: readonly NamedText[]): string | undefined {
  if (found !== quotes.length > 0) return found ? 'An answer needs quotes.' : 'Without an answer there are no quotes.'
  const wrong = quotes.find(({ document: number, quote }) => !hasQuotation(documents[number - 1]?.text ?? '', quote))
  if (wrong) return `Document ${wrong.document} does not have these words: “${wrong.quote.slice(0, 100)}”.`
  if (!found) return undefined
  const invented = numbersMissingInSources(
    answer,
    quotes.map(({ quote }) => quote),
  )
  return invented.length > 0 ? `No quote has the numbers ${formatList(invented.slice(0, 8))}.` : undefined
}

/** Answers a question from documents, or states what they lack. */
export const answerFromDocuments = async (
  query: { question: string; language?: string | undefined },
  documents: readonly NamedText[],
  task: Parameters<Specialist['run']>[1],
) => {
  const numbered = documents.map((one, index) => ({ document: index + 1, ...one }))
  const { found, answer, quotes } = await task.askValue(
    taskPrompts.answerDocument,
    { question: query.question, language: query.language ?? null, documents: numbered },
    { name: 'answer', schema: DocumentAnswer, faultOf: (one) => documentFault(one, documents) },
  )
  const evidence = quotes.map(({ document: number, quote }) => `- ${documents[number - 1]?.name ?? ''}: “${quote.replace(/\s+/g, ' ')}”`)
  return {
    found,
    answer,
    markdown: `${answer}\n\n## Evidence\n\n${evidence.length > 0 ? evidence.join('\n') : 'The documents do not answer the question.'}\n`,
  }
}

const documentAnswerSpecialist: Specialist = {
  skill: {
    id: 'reading.answer',
    name: 'Answer a question from documents',
    description: 'Answers from your text files only, with quotations as evidence. Says so if the documents do not have the answer.',
    inputs: [
      queryPort(
        'query.document_question',
        'The question.',
        { question: { type: 'string', minLength: 3, maxLength: 2_000, description: 'The question.' }, language: languageProperty },
        ['question'],
      ),
      document,
      filePort('second', 'document.text', 'A second text file.', true),
      filePort('third', 'document.text', 'A third text file.', true),
    ],
    outputs: [outputPort('answer', 'text.document_answer', 'The answer with its evidence, as Markdown.')],
    tags: [...tags, 'question', 'document', 'answer', 'find in text'],
    samples: [],
  },
  budgetFactor: 1,
  async run(work, task) {
    const query = readQuery(work, DocumentQuery)
    const documents = listFiles(work, ['document.text'])
    if (documents.length === 0) refuse('There is no document. Attach one as a text file.')
    const { found, answer, markdown } = await answerFromDocuments(query, documents, task)
    if (!found) refuse(`The documents do not answer the question: ${answer.slice(0, 500)}`)
    return {
      files: [{ name: 'answer.md', media_type: 'text/markdown', artifact_type: 'text.document_answer', text: markdown }],
      text: answer.length <= 600 ? answer : 'The answer is in the file.',
      author: 'model',
    }
  },
}

export const readingSpecialists: readonly Specialist[] = [
  extractionSpecialist,
  fileExtractionSpecialist,
  classificationSpecialist,
  fileClassificationSpecialist,
  documentAnswerSpecialist,
]
