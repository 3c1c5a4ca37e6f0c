import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Limit } from './find-throughput-limit.ts'
import type { SimulationFigures } from './simulate.ts'

/** The result of the last full run of `npm run sim:scale -- --write`; docs/capacity.md shows it. */
export type Scale = {
  readonly seed: number
  readonly seconds: number
  readonly meshes: readonly SimulationFigures[]
  readonly limit: Limit
}

const file = path.join(import.meta.dirname, 'figures.json')

export function readScaleFigures(): Scale {
  return JSON.parse(readFileSync(file, 'utf8')) as Scale
}

export function writeScaleFigures(scale: Scale): void {
  writeFileSync(file, `${JSON.stringify(scale, null, 2)}\n`)
}
