/**
 * `npm run train:embedder`: trains the weights of the local embedder from public texts and writes them.
 * The model card states where the sources are from: server/search/meaning/weights/README.md.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { writeTermVectors } from '../../server/search/meaning/term-vectors.ts'
import { readDebianPackages } from '../market-search/corpora/debian.ts'
import { sentencePairs, synopsisPairs } from './pairs/debian-pairs.ts'
import { readClinc, readPublicApis, readTldr } from './pairs/request-pairs.ts'
import { readWordNet } from './pairs/wordnet.ts'
import { createEncoder, type PairSource, type TrainingSettings, toTermVectors, trainEncoder } from './train-encoder.ts'

const { values } = parseArgs({
  options: {
    /** The folder with `Packages` and `Translation-en`. */
    debian: { type: 'string' },
    /** The folder with `data.noun`, `data.verb`, `data.adj` and `data.adv`. */
    wordnet: { type: 'string' },
    /** The folder `pages` of tldr-pages. */
    tldr: { type: 'string' },
    /** The file `data_full.json` of CLINC150. */
    clinc: { type: 'string' },
    /** The file README.md of public-apis. */
    apis: { type: 'string' },
    out: { type: 'string', default: path.join('server', 'search', 'meaning', 'weights', 'terms-1.bin') },
  },
})
const settings: TrainingSettings = {
  ...{ dimensions: 256, maxTerms: 28_000, buckets: 8_000, epochs: 10, batch: 512, temperature: 0.05, rate: 0.03 },
  ...{ dropout: 0.05, omission: 0.35 },
}
const model = 'parley-terms-1'

function requireSource(name: 'debian' | 'wordnet' | 'tldr' | 'clinc' | 'apis'): string {
  const source = values[name]
  if (source !== undefined) return source
  console.error(`Name the source: --${name} PATH. The sources are listed in server/search/meaning/weights/README.md.`)
  process.exit(1)
}

async function readSources(): Promise<{ sources: PairSource[]; texts: string[] }> {
  const [debian, wordnet, tldr, clinc, apis] = (['debian', 'wordnet', 'tldr', 'clinc', 'apis'] as const).map(requireSource) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const packages = await readDebianPackages(debian)
  const synopses = synopsisPairs(packages)
  const [concepts, uses, intents, interfaces] = await Promise.all([
    readWordNet(wordnet),
    readTldr(tldr),
    readClinc(clinc),
    readPublicApis(apis),
  ])
  const sources: PairSource[] = [
    { name: 'synopsis', share: 1, pairs: () => synopses },
    { name: 'sentence', share: 1, pairs: (epoch) => sentencePairs(packages, epoch) },
    { name: 'wordnet', share: 0.4, pairs: () => concepts },
    { name: 'tldr', share: 0.3, pairs: () => uses },
    { name: 'clinc', share: 0.3, pairs: intents },
    { name: 'apis', share: 1, pairs: () => interfaces },
  ]
  // Both sides of a concept are one text, so that WordNet does not choose the terms alone.
  const texts = [
    ...[synopses, uses, interfaces, intents(0)].flat().flatMap(({ left, right }) => [left, right]),
    ...concepts.map(({ left, right }) => `${left} ${right}`),
  ]
  return { sources, texts }
}

const begun = performance.now()
const { sources, texts } = await readSources()
for (const { name, share, pairs } of sources) console.log(`  ${name}: ${pairs(0).length} pairs, ${share * 100} % in each epoch`)
const encoder = createEncoder(texts, settings)
trainEncoder(encoder, sources, (line) => console.log(`  ${line}`))
await writeFile(values.out, writeTermVectors(toTermVectors(encoder, model)))
const bytes = await readFile(values.out)
const figures = {
  ...{ terms: encoder.terms.length, bytes: bytes.length, seconds: Math.round((performance.now() - begun) / 1_000) },
  sha256: createHash('sha256').update(bytes).digest('hex'),
}
console.log(JSON.stringify({ name: 'train:embedder', ok: true, figures }))
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
