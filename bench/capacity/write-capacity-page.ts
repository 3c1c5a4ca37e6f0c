// `npm run capacity`: writes the tables of docs/capacity.md and its plots from what was measured and simulated.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readScaleFigures } from '../../sim/scale/scale-figures-store.ts'
import { readCosts } from '../hub/measured-hub-costs.ts'
import { capacityOf, scenarios } from './capacity-model.ts'
import { insertCapacityParts, renderCapacityPage } from './render-capacity-page.ts'

const docs = path.join(import.meta.dirname, '../../docs')
const costs = readCosts()
const { parts, plots } = renderCapacityPage(costs, readScaleFigures())
const page = path.join(docs, 'capacity.md')
writeFileSync(page, insertCapacityParts(readFileSync(page, 'utf8'), parts))
for (const [file, svg] of Object.entries(plots)) writeFileSync(path.join(docs, 'capacity', file), svg)
const figures = Object.fromEntries(scenarios.map((scenario) => [scenario.year, capacityOf(scenario, costs)]))
console.log(JSON.stringify({ name: 'capacity', ok: true, figures }))
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
