import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { figure } from '../../bench/capacity/bar-plot.ts'
import { capacityOf, type Scenario, scenarios } from '../../bench/capacity/capacity-model.ts'
import { insertCapacityParts, renderCapacityPage } from '../../bench/capacity/render-capacity-page.ts'
import { readCosts } from '../../bench/hub/measured-hub-costs.ts'
import { readScaleFigures } from '../../sim/scale/scale-figures-store.ts'

const docs = path.join(import.meta.dirname, '../../docs')
const costs = readCosts()

describe('capacityOf', () => {
  it('comes to the digits of the article’s traffic by its inputs, in petabytes where it says exabytes', () => {
    const found = scenarios.map((scenario) => Number(capacityOf(scenario, costs).text.toPrecision(3)))
    expect(found).toEqual([0.456, 22.8, 456])
  })

  it('is what a hand comes to', () => {
    const round = {
      ...costs,
      hub_us: { write: 1, message: 100, delivery: 10, kilobyte: 0.001, signature: 80, hello: 1_000 },
      postgres_us: { write: 1, message: 60, kilobyte: 0.001, hello: 1, read: 1 },
    }
    const village: Scenario = { year: 1, users: 864_000, exchangesPerDay: 500, articleExabytes: '' }
    // 10,000 messages a second, thrice that in the busiest hour: × 200 µs = 6 cores, at 60 % of each 10; × 60 µs = 1.8, 3.
    expect(capacityOf(village, round)).toMatchObject({
      mean: 10_000,
      peak: 30_000,
      hubsForTalk: 11,
      databaseCores: 4,
      hubsForConnections: 26,
    })
  })

  it('needs more of everything where more is said, and states what is full first', () => {
    const [first, second, third] = scenarios.map((scenario) => capacityOf(scenario, costs))
    for (const name of ['wire', 'hubs', 'databaseCores', 'disk', 'sending'] as const) {
      expect(second?.[name]).toBeGreaterThan(first?.[name] ?? 0)
      expect(third?.[name]).toBeGreaterThan(second?.[name] ?? 0)
    }
    expect(first?.first).toBe('connections')
    const talkative = scenarios.at(-1) as (typeof scenarios)[number]
    expect(capacityOf({ ...talkative, exchangesPerDay: talkative.exchangesPerDay * 100 }, costs).first).toBe('talk')
  })
})

describe('docs/capacity.md', () => {
  const pages = renderCapacityPage(costs, readScaleFigures())
  const page = readFileSync(path.join(docs, 'capacity.md'), 'utf8')

  it('states what the function says: after a change, `npm run capacity`', () => {
    expect(insertCapacityParts(page, pages.parts)).toBe(page)
  })

  it.each(Object.entries(pages.plots))('shows %s as it is drawn now', (file, svg) => {
    expect(readFileSync(path.join(docs, 'capacity', file), 'utf8')).toBe(svg)
    expect(page).toContain(`(capacity/${file})`)
  })
})

it.each([
  [0, '0'],
  [0.4562, '0.456'],
  [1_234.5, '1,230'],
  [2e6, '2 million'],
  [1.25e9, '1.25 billion'],
])('reads %d as %s', (value, text) => {
  expect(figure(value)).toBe(text)
})
