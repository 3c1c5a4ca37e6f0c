/** Public corpora of requests to tools: MetaTool, Seal-Tools and ToolLens. Each folder is a copy of the corpus's repository. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Corpus, type CorpusQuery, type CorpusText, corpusListing, sampleQueries, splitIdentifier } from './corpus.ts'

/** Single requests are many and alike, so a sample of them is asked. */
const maxSingle = 4_000

type NamedText = CorpusText & { readonly key: string }
type Asked = { readonly text: string; readonly needed: readonly string[] }

/** Queries that need a tool without a text are left out. */
function toCorpus(name: string, tools: readonly NamedText[], asked: readonly Asked[]): Corpus {
  const listings = tools.map((tool, position) => corpusListing(position, tool))
  const idOf = new Map(tools.map(({ key }, position) => [key, listings[position]?.agentId ?? '']))
  const queries = asked.flatMap(({ text, needed }): CorpusQuery[] => {
    const relevant = [...new Set(needed)].map((key) => idOf.get(key))
    return relevant.length > 0 && relevant.every((id) => id !== undefined) ? [{ text, relevant, isHard: false }] : []
  })
  return { name, listings, queries }
}

function readLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}

/** MetaTool: `dataset/plugin_des.json`, `dataset/big_tool_des.json` and the requests of `dataset/data`. */
export async function readMetaTool(folder: string): Promise<Corpus> {
  const read = (file: string) => readFile(path.join(folder, 'dataset', file), 'utf8')
  const described = {
    ...(JSON.parse(await read('plugin_des.json')) as Record<string, string>),
    ...(JSON.parse(await read('big_tool_des.json')) as Record<string, string>),
  }
  const tools = Object.entries(described).map(([key, summary]) => ({ key, name: splitIdentifier(key), summary }))
  const single = readTable(await read('data/all_clean_data.csv')).map(([text = '', tool = '']) => ({ text, needed: [tool] }))
  const multiple = JSON.parse(await read('data/multi_tool_query_golden.json')) as { query: string; tool: string[] }[]
  const one = toCorpus('metatool', tools, single)
  const several = toCorpus(
    'metatool',
    tools,
    multiple.map(({ query, tool }) => ({ text: query, needed: tool })),
  )
  return { ...one, queries: [...sampleQueries(one.queries, maxSingle), ...several.queries] }
}

/** Rows of comma-separated values, in which quotes are doubled, without the header. */
function readTable(text: string): string[][] {
  const rows: string[][] = []
  for (const [line = ''] of text.matchAll(/(?:"(?:[^"]|"")*"|[^\n"])+/g))
    rows.push(
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? ''),
    )
  return rows.slice(1)
}

type SealTool = { readonly api_name: string; readonly api_description: string; readonly field: string }
type SealQuery = { readonly query: string; readonly calling: readonly { readonly api: string }[] }

/** Seal-Tools: `Seal-Tools_Dataset/tool.jsonl` and the requests of both test files. */
export async function readSealTools(folder: string): Promise<Corpus> {
  const read = (file: string) => readFile(path.join(folder, 'Seal-Tools_Dataset', file), 'utf8')
  const tools = readLines<SealTool>(await read('tool.jsonl')).map(({ api_name, api_description, field }) => ({
    ...{ key: api_name, name: splitIdentifier(api_name), summary: api_description, tags: field.split('/') },
  }))
  const files = await Promise.all(['test_in_domain.jsonl', 'test_out_domain.jsonl'].map(read))
  const asked = files.flatMap((file) => readLines<SealQuery>(file))
  return toCorpus(
    'seal_tools',
    tools,
    asked.map(({ query, calling }) => ({ text: query, needed: calling.map(({ api }) => api) })),
  )
}

type LensText = { readonly _id: string; readonly text: string }

/** ToolLens, in the form of BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`. */
export async function readToolLens(folder: string): Promise<Corpus> {
  const read = (file: string) => readFile(path.join(folder, file), 'utf8')
  const tools = readLines<LensText>(await read('corpus.jsonl')).map(({ _id, text }) => ({ key: _id, ...lensText(text) }))
  const textOf = new Map(readLines<LensText>(await read('queries.jsonl')).map(({ _id, text }) => [_id, text]))
  const pairs = (await read('qrels/test.tsv'))
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
  const needed = Map.groupBy(
    pairs.filter(([, , score]) => Number(score) > 0),
    ([query = '']) => query,
  )
  return toCorpus(
    'toollens',
    tools,
    [...needed].map(([query, rows]) => ({ text: textOf.get(query) ?? '', needed: rows.map(([, tool = '']) => tool) })),
  )
}

/** A text such as `category_name:Food, tool_name:…, api_name:…, api_description:…, required_params: […]`. */
function lensText(text: string): CorpusText {
  const textOf = (field: string, next: string) => text.split(`${field}:`)[1]?.split(`, ${next}:`)[0]?.trim() ?? ''
  return {
    name: textOf('tool_name', 'api_name'),
    skillName: splitIdentifier(textOf('api_name', 'api_description')),
    description: textOf('api_description', 'required_params'),
    tags: [textOf('category_name', 'tool_name')],
  }
}
