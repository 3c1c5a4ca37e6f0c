import { describe, expect, it } from 'vitest'
import { chunkAnnouncements } from '../../../../server/goals/planners/chunk-announcements.ts'

const planner = (agentId: string, ownerId: string, isOnline = true) => ({ agentId, ownerId, inboxId: `inbox ${agentId}`, isOnline })

describe('chunkAnnouncements', () => {
  it('lets owners take turns: a newcomer is in the first chunk beside 240 listings of 12 wallets', () => {
    const crowd = Array.from({ length: 240 }, (_, nth) => planner(`crowd ${nth}`, `wallet ${nth % 12}`))
    const [first = []] = chunkAnnouncements([...crowd, planner('newcomer', 'its owner')])
    expect(first.map((one) => one.agentId)).toContain('newcomer')
    expect(first.length).toBeLessThanOrEqual(50)
    const before = first.slice(
      0,
      first.findIndex((one) => one.agentId === 'newcomer'),
    )
    for (const wallet of new Set(before.map((one) => one.ownerId)))
      expect(before.filter((one) => one.ownerId === wallet).length).toBeLessThanOrEqual(2)
  })

  it('notifies each agent once, those online first', () => {
    const all = Array.from({ length: 120 }, (_, nth) => planner(`p${nth}`, `o${nth % 7}`, nth % 3 === 0))
    const announced = chunkAnnouncements(all).flat()
    expect(new Set(announced.map((one) => one.agentId)).size).toBe(120)
    expect(announced.findIndex((one) => !one.isOnline)).toBe(40)
    expect(announced.slice(40).some((one) => one.isOnline)).toBe(false)
  })

  it('has no chunks without agents', () => {
    expect(chunkAnnouncements([])).toEqual([])
  })
})
