import type { Charter, Listing } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { builtinListing, builtinMarket, goalOffer, listing } from '../../market.ts'
import { type RoomScript, simulateRoom } from '../../simulated-room.ts'

const offer = goalOffer({ planner: 'copilot' })
const rival = (handle: string, of: 'plotter' | 'writer'): Listing =>
  listing(
    handle,
    builtinListing(of).skills.map((skill) => ({ ...skill, price: String(BigInt(skill.price) + 10_000n) })),
  )
const all = (charter: Charter) => ({ confirms: charter.steps.map((step) => step.step) })
const stepOf = (charter: Charter, skill: string) => charter.steps.find((step) => step.skill_id === skill)?.step ?? 0

async function room(script: Partial<RoomScript>) {
  const fixture = simulateRoom({ offer, market: builtinMarket, ...script })
  await fixture.run()
  const of = (type: string) => fixture.posted.filter((one) => one.type === type)
  const assigned = fixture.posted.filter((one) => one.type.endsWith('_task_assignment')).length
  const texts = fixture.posted.flatMap((one) => one.parts.flatMap((part) => part.text ?? [])).join('\n')
  return { fixture, of, assigned, texts, outcome: fixture.room.concluded }
}

describe('a principal whose client is asked', () => {
  it('waits out silence: no one is invited, and at the deadline the goal ends', async () => {
    const { fixture, of, assigned, outcome } = await room({})
    expect(fixture.submissions).toHaveLength(1)
    expect([of('propose').length, assigned, outcome]).toEqual([0, 0, 'failed'])
  })

  it('works through a charter that was confirmed with all of its steps', async () => {
    const { fixture, of, outcome } = await room({ word: all })
    expect(outcome).toBe('delivered')
    expect(fixture.submissions).toHaveLength(1)
    expect(of('propose')).toHaveLength(1)
  })

  it('asks again before each step that was not confirmed with the charter, and no other', async () => {
    const asked: number[][] = []
    const { outcome, fixture } = await room({
      word: (charter, _, waiting) => {
        asked.push([...waiting])
        return waiting.length > 0 ? { confirms: waiting } : { confirms: [stepOf(charter, 'figures.lookup')] }
      },
    })
    expect(outcome).toBe('delivered')
    const [charter] = fixture.submissions
    const own = charter?.steps.at(-1)?.step ?? 0
    const named = asked.flat()
    expect(named).not.toContain(stepOf(charter as Charter, 'figures.lookup'))
    expect(named).not.toContain(own)
    expect([...named].sort()).toEqual([...new Set(named)].sort())
    expect(named).toHaveLength(own - 2)
  })

  it('hands out what was confirmed while another step waits', async () => {
    const { of, texts, outcome } = await room({
      word: (charter, _, waiting) =>
        waiting.length > 0
          ? undefined
          : { confirms: charter.steps.map((one) => one.step).filter((one) => one !== stepOf(charter, 'chart.draw_text')) },
    })
    expect(outcome).toBe('failed')
    expect(of('task_result').flatMap((one) => one.parts.flatMap((part) => part.artifact?.artifact_type ?? []))).toEqual([
      'table.series',
      'analysis.trend',
    ])
    expect(texts).toMatch(/Ready, and waiting for the client's word: step \d, Draw a chart in text \(house-plotter, 0\.30 USDC\)/)
  })

  it('proposes another agent for a step that was refused, and never the refused one again', async () => {
    const { fixture, of, outcome } = await room({
      market: () => [...builtinMarket(), rival('spare', 'plotter')],
      word: (charter, nth) =>
        nth === 1 ? { refuses: 'I do not like its charts.', step: stepOf(charter, 'chart.draw_text') } : all(charter),
    })
    expect(outcome).toBe('delivered')
    const hands = fixture.submissions.map((charter) => charter.steps.find((step) => step.skill_id === 'chart.draw_text')?.agent_id)
    expect(hands).toEqual([builtinListing('plotter').agent_id, listing('spare', []).agent_id])
    expect(of('propose')).toHaveLength(1)
  })

  it('revises a step that is refused in the middle of the work, and keeps what is done', async () => {
    const { fixture, outcome } = await room({
      market: () => [...builtinMarket(), rival('spare', 'writer')],
      word: (charter, nth, waiting) => {
        const report = stepOf(charter, 'report.write')
        if (nth === 1 && waiting.includes(report)) return { refuses: 'Too dear for what it is.', step: report }
        return { confirms: charter.steps.map((one) => one.step).filter((one) => nth > 1 || one !== report) }
      },
    })
    expect(outcome).toBe('delivered')
    const [first, second] = fixture.submissions
    expect([first?.version, second?.version]).toEqual([1, 2])
    const changed = second?.steps.filter((step, index) => step.agent_id !== first?.steps[index]?.agent_id).map((step) => step.skill_id)
    expect(changed).toEqual(['report.write'])
    expect(fixture.posted.filter((one) => one.type === 'task_result')).toHaveLength(6)
  })

  it('says so where it has nothing but what was refused, and goes by the words of the answer', async () => {
    const { fixture, texts, outcome } = await room({
      reply: 'Then draw an SVG chart as well.',
      word: (charter) =>
        charter.steps.some((step) => step.skill_id === 'chart.draw_svg') ? all(charter) : { refuses: 'It lacks something.' },
    })
    expect(texts).toContain('I have no other charter than the one that was refused.')
    expect(fixture.submissions).toHaveLength(2)
    expect(outcome).toBe('delivered')
  })

  it('hires no one whom a refusal names', async () => {
    const { fixture } = await room({
      market: () => [...builtinMarket(), rival('spare', 'plotter')],
      word: (charter, nth) => (nth === 1 ? { refuses: 'Please without house-plotter.' } : all(charter)),
    })
    expect(fixture.submissions[1]?.steps.map((step) => step.agent_id)).not.toContain(builtinListing('plotter').agent_id)
  })

  it('puts the charter of a replacement before the client too', async () => {
    const { fixture, outcome } = await room({
      market: () => [...builtinMarket(), rival('spare', 'plotter')],
      answers: { 'house-plotter': 'declines' },
      word: all,
    })
    expect(fixture.submissions.map((charter) => charter.version)).toEqual([1, 2])
    expect(outcome).toBe('delivered')
  })

  it('continues after a restart with what the room says, without asking twice', async () => {
    const { fixture } = await room({ word: all })
    for (const moment of fixture.moments) expect(fixture.again(moment)).toEqual(moment.decision)
  })
})
