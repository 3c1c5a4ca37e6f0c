/** Researches a question on the web. Each statement of the report cites a page by its exact words, which are compared with the page. */
import { z } from 'zod'
import { formatList } from '../../format-numbers-and-lists.ts'
import { modelSkillTag } from '../../model/is-model-skill.ts'
import { taskPrompts } from '../../model/prompts.ts'
import type { ModelTask } from '../../model/task/model-task.ts'
import { bytesWithin } from '../../model/task/token-meter.ts'
import { refuse } from '../../skill.ts'
import { hasQuotation } from '../has-quotation.ts'
import { numbersMissingInSources } from '../numbers-missing-in-sources.ts'
import { languageProperty, outputPort, queryPort, readQuery } from '../query-and-file-ports.ts'
import type { PageReader, PageText } from '../research/page-reader.ts'
import type { Specialist } from '../specialist.ts'

const maxPages = 5
/** Share of the input budget that pages may fill. The rest is for a corrected answer. */
const pageShare = 0.3

const ResearchQuery = z.object({
  question: z.string().trim().min(5).max(2_000),
  sites: z.array(z.string().max(500)).max(maxPages).default([]),
  language: z.string().trim().min(2).max(40).optional(),
})
const Searches = z.object({ queries: z.array(z.string().min(2).max(200)).min(1).max(3) })
const Report = z.object({
  found: z.boolean(),
  missing: z.string().max(2_000).nullable(),
  statements: z
    .array(
      z.object({
        text: z.string().min(1).max(1_500),
        quotes: z
          .array(z.object({ page: z.number().int(), quote: z.string() }))
          .min(1)
          .max(6),
      }),
    )
    .max(40),
})
type Report = z.infer<typeof Report>

function reportFault({ found, statements }: Report, pages: readonly PageText[]): string | undefined {
  if (found !== statements.length > 0) return found ? 'There is no statement.' : 'Without an answer there are no statements.'
  for (const { text, quotes } of statements) {
    const wrong = quotes.find(({ page, quote }) => !hasQuotation(pages[page - 1]?.text ?? '', quote))
    if (wrong) return `Page ${wrong.page} does not have these words: “${wrong.quote.slice(0, 100)}”.`
    const invented = numbersMissingInSources(
      text,
      quotes.map(({ quote }) => quote),
    )
    if (invented.length > 0) return `The quotes of “${text.slice(0, 60)}” do not have the numbers ${formatList(invented.slice(0, 5))}.`
    if (/https?:\/\//.test(text)) return 'A statement has no address. The sources are listed below the report.'
  }
  return undefined
}

/** Pages that the client names, and pages that the search finds. */
async function findPages(query: z.infer<typeof ResearchQuery>, reader: PageReader, task: ModelTask): Promise<PageText[]> {
  const named = [
    ...query.sites,
    ...[...query.question.matchAll(/https?:\/\/[^\s"“”«»<>]+/g)].map(([url]) => url.replace(/(?<![.,:;!?)])[.,:;!?)]+$/, '')),
  ]
  const addresses = [...new Set(named)].slice(0, maxPages)
  if (addresses.length === 0) {
    const { queries } = await task.askValue(
      taskPrompts.researchSearch,
      { question: query.question },
      { name: 'searches', schema: Searches },
    )
    const found = await Promise.all(queries.map((one) => reader.search(one, task.signal)))
    // The best of each query first.
    const longest = Math.max(0, ...found.map((list) => list.length))
    addresses.push(...new Set(Array.from({ length: longest }, (_, rank) => found.flatMap((list) => list[rank] ?? [])).flat()))
  }
  if (addresses.length === 0) return refuse('The search found no page. Name pages by their addresses.')
  const pages: PageText[] = []
  const reasons: string[] = []
  for (const address of addresses.slice(0, maxPages + 3)) {
    if (pages.length >= maxPages) break
    const page = await reader.read(address, task.signal)
    if ('refused' in page) reasons.push(page.refused)
    else pages.push(page)
  }
  return pages.length > 0 ? pages : refuse(`No page could be read. ${reasons.slice(0, 3).join(' ')}`)
}

function writeReport(question: string, { statements }: Report, pages: readonly PageText[]): string {
  const cited = [...new Set(statements.flatMap(({ quotes }) => quotes.map(({ page }) => page)))]
  const numberOf = (page: number): number => cited.indexOf(page) + 1
  const body = statements.map(
    ({ text, quotes }) => `${text} ${[...new Set(quotes.map(({ page }) => numberOf(page)))].map((one) => `[${one}]`).join('')}`,
  )
  const sources = cited.map((page, index) => {
    const source = pages[page - 1]
    const quotes = statements
      .flatMap((one) => one.quotes)
      .flatMap((one) => (one.page === page ? [`   - “${one.quote.replace(/\s+/g, ' ').trim()}”`] : []))
    return `${index + 1}. ${(source?.title ?? '').replace(/[[\]]/g, '')}, <${source?.url ?? ''}>, read on ${source?.readAt.slice(0, 10) ?? ''}\n${[...new Set(quotes)].join('\n')}`
  })
  return `# ${question.replace(/\s+/g, ' ').slice(0, 200)}\n\n${body.join('\n\n')}\n\n## Sources\n\n${sources.join('\n')}\n`
}

/** @param reader finds and reads pages */
export const researchSpecialist = (reader: PageReader): Specialist => ({
  skill: {
    id: 'research.report',
    name: 'Research a question on the web',
    description:
      'Finds pages, or reads the pages that you name, and reports with citations. Each citation repeats the exact words of its page.',
    inputs: [
      queryPort(
        'query.research',
        'The question.',
        {
          question: {
            type: 'string',
            minLength: 5,
            maxLength: 2_000,
            description: 'The question. Addresses in it are read instead of a search.',
          },
          sites: {
            type: 'array',
            maxItems: maxPages,
            items: { type: 'string', maxLength: 500 },
            description: 'Addresses of pages to read instead of a search.',
          },
          language: languageProperty,
        },
        ['question'],
      ),
    ],
    outputs: [outputPort('report', 'report.research', 'The report with its sources, as Markdown.')],
    tags: [modelSkillTag, 'research', 'web', 'sources', 'citations', 'fact check'],
    samples: [],
  },
  budgetFactor: 3,
  async run(work, task) {
    const query = readQuery(work, ResearchQuery)
    const read = await findPages(query, reader, task)
    const size = Math.floor((bytesWithin(task.budget.input) * pageShare) / read.length)
    const pages = read.map((page) => ({ ...page, text: page.text.slice(0, size) }))
    const report = await task.askValue(
      taskPrompts.researchReport,
      {
        question: query.question,
        language: query.language ?? null,
        pages: pages.map(({ url, title, text }, index) => ({ page: index + 1, url, title, text })),
      },
      { name: 'report', schema: Report, faultOf: (one) => reportFault(one, pages) },
    )
    if (!report.found) refuse(`The pages do not answer the question: ${(report.missing ?? 'nothing in them is about it').slice(0, 500)}`)
    const text = writeReport(query.question, report, pages)
    const short = report.statements.map((one) => one.text).join(' ')
    return {
      files: [{ name: 'report.md', media_type: 'text/markdown', artifact_type: 'report.research', text }],
      text: short.length <= 600 ? short : `The report has ${report.statements.length} statements with citations.`,
      author: 'model',
    }
  },
})
