import { describe, expect, it } from 'vitest'
import { hubsOf, plotLines, sumOverHubs } from '@/app/admin/load/hub-load-view.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const nothing = { messages: 0, writes: 0, writeSeconds: 0, deliveries: 0, connections: 3, queued: 0, behind: 0, unsentBytes: 0, slow: 0 }
const word = (hub: string, seconds: number, figures: Partial<typeof nothing> = {}) => ({
  hub,
  name: `host:${hub}`,
  at: new Date(start + seconds * 1_000),
  figures: { ...nothing, ...figures },
})
const at = (seconds: number) => new Date(start + seconds * 1_000)

describe('hubsOf', () => {
  it('shows the interval between two reports of a hub', () => {
    const [hub] = hubsOf(
      [
        word('1', 0, { messages: 10, writes: 5, writeSeconds: 1 }),
        word('1', 5, { messages: 110, writes: 15, writeSeconds: 1.05, deliveries: 800, queued: 2, behind: 1 }),
      ],
      at(6),
    )
    expect(hub).toMatchObject({ name: 'host:1', connections: 3, silentFor: 1, isSilent: false })
    expect(hub?.points).toEqual([
      { at: start + 5_000, messages: 20, deliveries: 160, perWrite: 10, writeMs: expect.closeTo(5), queued: 2, behind: 1 },
    ])
  })

  it('reveals nothing of writes where none was made, nor of a hub that has spoken once', () => {
    const [idle, young] = hubsOf([word('1', 0), word('2', 4), word('1', 5)], at(6))
    expect(idle?.points).toMatchObject([{ messages: 0, perWrite: null, writeMs: null }])
    expect(young?.points).toEqual([])
  })

  it('shows who fell silent, and counts it for nothing', () => {
    const loads = [
      word('2', 0),
      word('1', 0),
      word('2', 5, { messages: 50 }),
      word('1', 5, { messages: 500 }),
      word('1', 60, { messages: 1_600 }),
    ]
    const hubs = hubsOf(loads, at(61))
    expect(hubs.map(({ hub, isSilent, silentFor }) => [hub, isSilent, silentFor])).toEqual([
      ['1', false, 1],
      ['2', true, 56],
    ])
    expect(sumOverHubs(hubs)).toEqual({ hubs: 1, silent: 1, connections: 3, messages: 20, deliveries: 0, queued: 0, behind: 0 })
  })
})

it('draws what is there, and leaves gaps where nothing is', () => {
  const box = { from: 0, to: 100, max: 10, width: 200, height: 50 }
  const points = [
    { at: -10, value: 1 },
    { at: 0, value: 0 },
    { at: 50, value: 10 },
    { at: 60, value: null },
    { at: 100, value: 5 },
  ]
  expect(plotLines(points, box)).toEqual(['0.0,50.0 100.0,0.0', '200.0,25.0'])
  expect(plotLines([{ at: 10, value: 0 }], { ...box, max: 0 })).toEqual(['20.0,50.0'])
})
