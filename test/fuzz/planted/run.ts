/** Plants one fault of each class in an installation of its own and sees whether the fuzzer finds it, and finds nothing without it. */
import path from 'node:path'
import { runFuzz } from '../edge/run.ts'
import type { Finding } from '../edge/state.ts'
import { type PlantedFault, plantedFaults } from './fault-catalogue.ts'

export type Planted = {
  readonly fault: string
  readonly find: string
  readonly before: readonly Finding[]
  readonly found: readonly Finding[]
}

type Way = { readonly seed: number; readonly tell: (line: string) => void }

const minutes = 3
const preload = path.join(import.meta.dirname, 'inject-fault.ts')

/** `only`: some of them, divided by commas. What is found without the fault is not counted as finding it. */
export async function findPlanted(seed: number, tell: (line: string) => void, only?: string): Promise<Planted[]> {
  const names = (Object.keys(plantedFaults) as PlantedFault[]).filter((name) => only === undefined || only.split(',').includes(name))
  const finds = [...new Set(names.map((name) => plantedFaults[name].find))]
  const way = { seed, tell }
  const usual = await search(way, finds.join('|'), '')
  const known = new Set(usual.map(keyOf))
  const results: Planted[] = []
  for (const name of names) {
    const { find } = plantedFaults[name]
    const found = (await search(way, find, name, known)).filter((one) => !known.has(keyOf(one)))
    tell(`${found.length > 0 ? 'found' : 'MISSED'}: ${name}${found[0] ? ` by "${found[0].oracle}"` : ''}`)
    results.push({ fault: name, find, before: usual, found })
  }
  return results
}

const keyOf = ({ oracle, subject }: Finding) => `${oracle} ${subject}`

/** `known`: what is found without the fault too. */
async function search({ seed, tell }: Way, find: string, fault: string, known?: ReadonlySet<string>): Promise<readonly Finding[]> {
  const fitting = new RegExp(`^(${find})`)
  const env = { PLANTED_FAULT: fault }
  const { findings } = await runFuzz({
    seed,
    minutes: fault ? minutes : 1,
    fitting,
    env,
    preload,
    tell: (line) => tell(`  ${line}`),
    ...(known && { endsWith: (one) => !known.has(keyOf(one)) }),
  })
  return findings
}
