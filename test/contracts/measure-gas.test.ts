/**
 * What each call of plans and channels costs, against the committed figures of gas-figures.json:
 * growth fails, and so does a stale gain. `UPDATE_GAS=1 npx vitest run test/contracts/measure-gas.test.ts` writes the file again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { gasTargets } from '../../bench/gas-targets.ts'
import { measureAll } from './measure-gas.ts'

const file = path.join(import.meta.dirname, 'gas-figures.json')

it('costs what the snapshot says', { timeout: 900_000 }, async () => {
  const figures = await measureAll()
  if (process.env.UPDATE_GAS === '1') writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`)
  expect(figures).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})

it('has a figure for every row of the bench', () => {
  const known = Object.keys(JSON.parse(readFileSync(file, 'utf8')))
  expect(gasTargets.map(({ figure }) => figure).filter((figure) => !known.includes(figure))).toEqual([])
})
