/**
 * `npm run bench:gateway`: a gateway's pool of 10,000 resources. It measures the recall: the share of planted resources that are among the
 * first results of a query. It also compares the time of a query with a linear scan of all resources. It uses no network, and measures
 * processor time.
 */
import { createPoolIndex, tokenize } from '../agents/builtin/resource-gateway/pool/pool-index.ts'
import { planted, questions } from './gateway-pool-search/resource-corpus.ts'

const size = 10_000
const rounds = 5
const targets = { precision: 0.9, recall: 0.9, share: 0.25, p95Ms: 25 }
const round = (value: number, digits = 3) => Number(value.toFixed(digits))

const resources = planted(size)
const begun = performance.now()
const index = createPoolIndex()
for (const resource of resources) index.put(resource)
const buildMs = performance.now() - begun

let hits = 0
let asked = 0
let firsts = 0
let fitting = 0
for (const { query, fits } of questions) {
  const wanted = resources.filter(({ id }) => fits(id)).length
  const found = index.find({ ...query, limit: 10 }, () => true)
  const good = found.filter(({ resource }) => fits(resource.id)).length
  hits += good
  asked += Math.min(10, Math.max(found.length, 1))
  fitting += Math.min(10, wanted)
  firsts += found[0] && fits(found[0].resource.id) ? 1 : 0
  console.log(`  ${JSON.stringify(query)}: ${good} of the first ${found.length} fit, of ${wanted} there are`)
}

/** Without an index: every resource's words are counted for every question. Split beforehand, which flatters it. */
const split = resources.map((resource) => ({ resource, words: new Set(tokenize(JSON.stringify(resource.card))) }))
function scan(text: string): number {
  const terms = [...new Set(tokenize(text))]
  const ranked = split.map(({ resource, words }) => ({ id: resource.id, rank: terms.filter((term) => words.has(term)).length }))
  return ranked
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, 10).length
}

const times: number[] = []
let indexMs = 0
let scanMs = 0
// In turns, so that other load slows both.
for (let n = 0; n < rounds; n++)
  for (const { query } of questions) {
    const before = performance.now()
    index.find({ ...query, limit: 10 }, () => true)
    const between = performance.now()
    scan(String(query.text))
    const after = performance.now()
    // The first round warms up.
    if (n === 0) continue
    times.push(between - before)
    indexMs += between - before
    scanMs += after - between
  }
times.sort((a, b) => a - b)
const at = (share: number) => round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
const figures = {
  resources: size,
  questions: questions.length,
  precision_at_10: round(hits / asked),
  recall_at_10: round(hits / fitting),
  first_fits: round(firsts / questions.length),
  p50_ms: at(0.5),
  p95_ms: at(0.95),
  share_of_scan: round(indexMs / scanMs),
  build_ms: round(buildMs, 0),
}
const ok =
  figures.precision_at_10 >= targets.precision &&
  figures.recall_at_10 >= targets.recall &&
  figures.share_of_scan <= targets.share &&
  figures.p95_ms <= targets.p95Ms
console.log(JSON.stringify({ name: 'bench:gateway', ok, figures }))
process.exitCode = ok ? 0 : 1
