import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { root } from '../../../server/embedded/processes/run-script.ts'
import type { Fault } from '../edge/oracles.ts'
import type { Attack } from './index.ts'
import type { Pattern, Suspect } from './regex-analysis-worker.ts'
import { fault } from './request-helpers.ts'

/** The built-in agents read at most a goal's 4,000 characters, in processes of their own that serve nobody else meanwhile. */
const folders = ['server', 'app', 'protocol/src', 'agents/src', 'agents/client'].filter((folder) => existsSync(path.join(root, folder)))
/** What reads only the operator's own files and settings. */
const offline = /^server\/(embedded\/|env\.ts$)/

/** Super-linear and harmless, because of a bound on what it reads. By the pattern, so that a changed one is looked at again. */
const bounded: { readonly [source: string]: string } = {
  '%.*$': 'one address of a header, which is at most 16 KiB; 16 KiB of % take 1 ms',
  '\\ufeff?\\s*(?:<\\?xml\\s[^>]*\\?>)?\\s*': 'it is sticky and every part may be missing, so that it never goes back',
  '\\B(?=(\\d{3})+$)': 'a formatted amount of at most 19 digits',
  '^ {0,3}(```|~~~)[^\\n]*\\n[\\s\\S]*?(\\n {0,3}\\1|$)': 'the text of a goal, at most 4,000 characters: 2 ms',
  '0+$': 'the fraction of an amount, at most 18 digits',
  '(\\d+) ms': 'the reason of a closed WebSocket, at most 123 bytes',
  '=+$': 'the base64 of 64 bytes',
  '@([^\\s>]+)>?\\s*$': "the operator's own sender address, a setting",
  'def work: [\\s\\S]*?\\}\\];': 'an example program of this repository',
  '[.\\s]+$': 'the name of a skill, at most 80 characters',
  '[\\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,4}\\.[a-z]{2,24}\\b':
    'every repetition has a bound: 65,536 characters take 13 ms',
}

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* sources(at)
    else if (/\.(ts|tsx|mjs)$/.test(entry.name)) yield at
  }
}

/** Where an expression may begin, and a literal in it. */
const literals = /(?<=(?:[=(,:[!&|?{};>]|return|case)\s*)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g
const constructed = /new RegExp\(\s*'((?:\\.|[^'\\\n])+)'(?:,\s*'([a-z]*)')?\s*\)/g
const isPattern = ({ source, flags }: Pattern) => {
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    return false
  }
}

/** Every literal of the product's own source, once. */
export function patternsOf(product = root): Pattern[] {
  const all = folders.flatMap((folder) => [...sources(path.join(product, folder))])
  const found = all.flatMap((at) => {
    const file = path.relative(product, at)
    if (offline.test(file)) return []
    const text = readFileSync(at, 'utf8').replace(/^[ \t]*(?:\/\/|\*|\/\*).*$/gm, '')
    const made = [...text.matchAll(constructed)].map(
      ([, source = '', flags = '']): Pattern => ({ source: source.replaceAll('\\\\', '\\'), flags, file }),
    )
    return [...[...text.matchAll(literals)].map(([, source = '', flags = '']): Pattern => ({ source, flags, file })), ...made]
  })
  return [...new Map(found.filter(isPattern).map((one) => [`${one.source}/${one.flags}`, one])).values()]
}

/** What was found linear before, by pattern and analyser: an analysis takes half a minute of a core. */
const knownFile = path.join(root, '.parley/stamps/linear-patterns.json')
const analyser = readFileSync(path.join(root, 'node_modules/recheck/package.json'), 'utf8')
const keyOf = ({ source, flags }: Pattern) => createHash('sha256').update(`${analyser}\n${source}\n${flags}`).digest('hex')

function readKnown(): Set<string> {
  try {
    return new Set(JSON.parse(readFileSync(knownFile, 'utf8')) as string[])
  } catch {
    return new Set()
  }
}

function writeKnown(keys: readonly string[]): void {
  mkdirSync(path.dirname(knownFile), { recursive: true })
  writeFileSync(knownFile, JSON.stringify(keys))
}

/** No pattern takes more than linear time for what a stranger writes, but for those that `bounded` names. */
async function analyse(): Promise<Fault[]> {
  const known = readKnown()
  const workerData = patternsOf().filter((one) => !Object.hasOwn(bounded, one.source) && !known.has(keyOf(one)))
  const suspects: Suspect[] = []
  await new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL('./regex-analysis-worker.ts', import.meta.url), { workerData })
    worker.on('message', (suspect: Suspect) => suspects.push(suspect))
    worker.on('error', reject)
    worker.on('exit', () => resolve())
  })
  const vulnerable = new Set(suspects.map(keyOf))
  writeKnown([...known, ...workerData.map(keyOf).filter((key) => !vulnerable.has(key))])
  return suspects.map(({ source, flags, file, why }) => fault('linear patterns', file, `/${source}/${flags} is ${why}`))
}

export const patterns: Attack = { name: 'patterns', waits: true, run: analyse }
