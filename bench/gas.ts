/**
 * The gas of every operation, compared with its target and the best published or measured figure of comparable contracts:
 *
 *   npm run bench:gas
 *
 * Ends with one line of JSON; fails where a target is missed.
 */
import { measureAll } from '../test/contracts/measure-gas.ts'
import { type GasTarget, gasTargets } from './gas-targets.ts'
import { goalGasTargets, measureGoalGas } from './goal-gas.ts'

type Outcome = GasTarget & { readonly ours: number; readonly ok: boolean }

const figures: Record<string, number> = { ...(await measureAll()), ...(await measureGoalGas()) }

const outcomes = [...gasTargets, ...goalGasTargets].map((row): Outcome => {
  const ours = figures[row.figure]
  if (ours === undefined) throw new Error(`Nothing measures "${row.figure}"`)
  return { ...row, ours, ok: row.target === undefined || ours <= row.target }
})

const number = (value: number) => value.toLocaleString('en-US')
const table = [
  ['operation', 'ours', 'target', '', 'best other', 'ours is'],
  ...outcomes.map(({ operation, ours, target, ok, rival }) => [
    operation,
    number(ours),
    target === undefined ? '–' : `≤ ${number(target)}`,
    target === undefined ? '' : ok ? 'met' : 'MISSED',
    rival ? `${number(rival.gas)} ${rival.name}` : '–',
    rival ? `${Math.round((ours / rival.gas) * 100)} %` : '–',
  ]),
]
const widths = table[0]?.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0))) ?? []
for (const cells of table) {
  console.log(
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
for (const { operation, ours, target, ok, keeps = [] } of outcomes) {
  if (ok || target === undefined) continue
  const kept = keeps.reduce((sum, { gas }) => sum + gas, 0)
  const rest = ours - kept - target
  const without = rest <= 0 ? 'meet its target' : `still be ${number(rest)} over it`
  const list = keeps.map(({ gas, what }) => `${number(gas)} for ${what}`).join(', ')
  console.log(`${operation}: ${number(ours - target)} over${list && `; it keeps ${list}; without, it would ${without}`}.`)
}
console.log('Gas of whole transactions, warm recipients. "call": the other figure is without the 21,000 and the calldata of a transaction.')

const ok = outcomes.every((outcome) => outcome.ok)
const summary = Object.fromEntries(
  outcomes.map(({ operation, ours, target, ok, rival }) => [operation, { ours, target, ok, rival: rival?.gas }]),
)
console.log(JSON.stringify({ name: 'bench:gas', ok, figures: summary }))
if (!ok) process.exitCode = 1
