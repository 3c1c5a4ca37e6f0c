import { type ArtifactRef, Charter, type DeliveredEnvelope, type Listing } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { emptyPlannerKnowledge } from '../../../../../agents/builtin/planner/decisions/planner-knowledge.ts'
import { builtinListing, builtinMarket, goalOffer, listing, skill } from '../../market.ts'
import { type RoomScript, simulateRoom } from '../../simulated-room.ts'

const rival = (handle: string, of: 'plotter' | 'writer' | 'data', price?: string): Listing =>
  listing(
    handle,
    builtinListing(of).skills.map((skill) => ({ ...skill, price: price ?? String(BigInt(skill.price) + 1n) })),
  )

async function room(script: Partial<RoomScript> = {}) {
  const fixture = simulateRoom({ offer: goalOffer(), market: builtinMarket, ...script })
  await fixture.run()
  const texts = fixture.posted.flatMap((one) => one.parts.flatMap((part) => part.text ?? [])).join('\n')
  return {
    fixture,
    texts,
    acts: fixture.posted.map((one) => one.type),
    outcome: fixture.room.concluded,
    of: (type: string) => fixture.posted.filter((one) => one.type === type),
  }
}

const versionsIn = (proposals: readonly DeliveredEnvelope[]) =>
  proposals.map((one) => Charter.safeParse(one.parts[0]?.data?.charter).data?.version)

describe('decide', () => {
  it('takes the goal of the guide from offer to answer', async () => {
    const { acts, outcome, fixture, texts } = await room()
    expect(outcome).toBe('delivered')
    expect(acts.filter((act) => act === 'async_task_assignment')).toHaveLength(2)
    expect(acts.filter((act) => act === 'sync_task_assignment')).toHaveLength(4)
    expect(texts).toContain('Together 3.70 USDC of 9.756097 USDC')
    const answer = [...fixture.files.values()].find((text) => text.startsWith('# Answer'))
    for (const file of ['figures.json', 'chart.txt', 'trend.json', 'report.md', 'verdict.json']) expect(answer).toContain(file)
    expect(answer).toContain('| Covers every year from 2014 to 2020 | met |')
  })

  it('does the same again from any beginning of the room', async () => {
    for (const script of [
      {},
      { answers: { 'house-plotter': 'expires' as const }, market: () => [...builtinMarket(), rival('spare', 'plotter')] },
    ]) {
      const { fixture } = await room(script)
      expect(fixture.moments.length).toBeGreaterThan(15)
      for (const moment of fixture.moments) expect(fixture.again(moment)).toEqual(moment.decision)
    }
  })

  it('says and does nothing twice when it forgets all but the room', async () => {
    const { fixture } = await room()
    for (const moment of fixture.moments) {
      const { actions } = fixture.again({ ...moment, knowledge: emptyPlannerKnowledge })
      const posted = actions.filter((action) => !['look', 'plan', 'fetch'].includes(action.do)).map((action) => action.key)
      const done = new Set(fixture.moments.filter((one) => one.head < moment.head).map((one) => one.decision.actions[0]?.key))
      expect(posted.filter((key) => done.has(key))).toEqual([])
    }
  })

  it('proposes again under the next number what the rail has refused, and gives up at the second time', async () => {
    const once = await room({ refusedSeals: [1] })
    expect([once.outcome, versionsIn(once.of('propose'))]).toEqual(['delivered', [1, 2]])
    const always = await room({ refusedSeals: [1, 2, 3] })
    expect([always.outcome, versionsIn(always.of('propose'))]).toEqual(['failed', [1, 2]])
    expect(always.texts).toContain('My charters are not recorded: Not so.')
    for (const moment of once.fixture.moments) expect(once.fixture.again(moment)).toEqual(moment.decision)
  })

  it('continues under the charter in force where the one for a stand-in is refused, and tries once more', async () => {
    const script = {
      answers: { 'house-plotter': 'expires' as const },
      market: () => [...builtinMarket(), rival('spare', 'plotter')],
    }
    const { of, outcome } = await room({ ...script, refusedSeals: [2] })
    expect(outcome).toBe('delivered')
    expect(versionsIn(of('propose'))).toEqual([1, 2, 3])
    // What was done meanwhile is not done again.
    expect(of('task_result')).toHaveLength(6)
  })

  it('assigns nothing before the charter is on chain', async () => {
    const { fixture } = await room()
    const recorded = fixture.posted.findIndex((one) => one.parts[0]?.data?.kind === 'charter.recorded')
    expect(fixture.posted.findIndex((one) => /_assignment$/.test(one.type))).toBeGreaterThan(recorded)
  })

  it.each(['declines', 'silent'] as const)('asks the next best where an agent %s', async (how) => {
    const { outcome, of, texts } = await room({
      answers: { 'house-plotter': how },
      market: () => [...builtinMarket(), rival('spare', 'plotter')],
    })
    expect(outcome).toBe('delivered')
    expect(of('propose')).toHaveLength(2)
    expect(texts).toMatch(/house-plotter (declined: “Not today\.”|did not answer)/)
  })

  it.each(['expires', 'fails'] as const)('hands the step to another where an agent %s, and keeps what is done', async (how) => {
    const { outcome, of, fixture } = await room({
      answers: { 'house-writer': how },
      market: () => [...builtinMarket(), rival('spare', 'writer')],
    })
    expect(outcome).toBe('delivered')
    const versions = of('propose').map((one) => one.parts[0]?.data?.charter as { steps: { sender_id: string; title: string }[] })
    expect(versions[1]?.steps.slice(0, 3)).toEqual(versions[0]?.steps.slice(0, 3))
    expect(versions[1]?.steps[3]?.sender_id).not.toBe(versions[0]?.steps[3]?.sender_id)
    expect(fixture.room.attempts.filter((attempt) => attempt.step === 1)).toHaveLength(1)
  })

  it('takes another way to the same where no one else has the skill, and keeps what is done', async () => {
    const csv = 'Year;Revenue\n2014;86.8\n2015;93.6\n2016;91.2\n2017;96.6\n2018;110.4\n2019;125.8\n2020;143.0\n'
    const fetcher = listing('fetcher', [skill('figures.fetch', ['query.figures'], ['table.csv'], 500_000)])
    const reader = listing(
      'reader',
      builtinListing('data').skills.filter((one) => one.id === 'figures.import'),
    )
    const { outcome, of, texts, fixture } = await room({
      answers: {
        'house-data': 'fails',
        fetcher: () => [{ name: 'figures.csv', media_type: 'text/csv', artifact_type: 'table.csv', text: csv }],
      },
      market: () => [...builtinMarket(), fetcher, reader],
    })
    expect(texts).toContain('the same result by other steps: figures.fetch (step 1), then figures.import (step 2), then ')
    expect(outcome).toBe('delivered')
    expect(of('propose')).toHaveLength(2)
    for (const moment of fixture.moments) expect(fixture.again(moment)).toEqual(moment.decision)
  })

  it('ends without a result where no one else can do what failed, and gives the reason', async () => {
    const { outcome, texts } = await room({ answers: { 'house-data': 'fails' } })
    expect(outcome).toBe('failed')
    expect(texts).toMatch(/I have no figures of that\. No other agent online can take it/)
  })

  it('gives an agent that fell silent another chance, but not for ever', async () => {
    const { outcome, fixture } = await room({ answers: { 'house-writer': 'expires' } })
    expect(outcome).toBe('failed')
    expect(fixture.room.problems).toHaveLength(3)
    const assigned = fixture.moments.flatMap((one) => one.decision.actions).filter((action) => action.do === 'assign')
    const first = assigned.find((action) => action.reworks !== undefined)
    expect(assigned.find((action) => action.task_id === first?.reworks)?.step).toBe(first?.step)
    expect(new Set(fixture.room.attempts.map((attempt) => attempt.task_id)).size).toBe(fixture.room.attempts.length)
  })

  it('waits for agents that are not there, takes them when they come, and gives up before the deadline', async () => {
    let looks = 0
    const late = () => (++looks > 3 ? builtinMarket() : builtinMarket().filter((one) => one.handle !== 'house-writer'))
    const { outcome, texts } = await room({ market: late })
    expect(outcome).toBe('delivered')
    expect(texts.match(/No agent online can make a report/g)).toHaveLength(1)
    const offer = goalOffer({ deadline: '2026-01-01T00:02:00.000Z' })
    expect(await room({ offer, market: () => [] })).toMatchObject({ outcome: 'failed', texts: expect.stringMatching(/deadline has come/) })
  })

  it('has what no one here can do sought elsewhere before it asks or waits, once, and hires what came', async () => {
    const yell = listing('proxy-yell', [skill('text.yell', ['query.text'], ['text.loud'], 100_000)])
    const brought: Listing[] = []
    const needs: unknown[] = []
    const seek = (need: object) => {
      needs.push(need)
      brought.push(yell)
    }
    const offer = goalOffer({ text: 'Yell this text: "late"', criteria: [] })
    const { fixture } = await room({
      ...{ offer, seek, market: () => [...builtinMarket(), ...brought] },
      answers: { 'proxy-yell': () => [{ name: 'l.txt', media_type: 'text/plain', artifact_type: 'text.loud', text: 'LATE' }] },
    })
    expect(fixture.room).toMatchObject({ concluded: 'delivered', asked: 0 })
    expect(needs).toEqual([{ outputs: [], text: 'Yell this text:', max_price: expect.any(String) }])
    const undelivered = await room({
      offer: goalOffer({ text: 'Mumble this text: "late"', criteria: [] }),
      seek: () => undefined,
    })
    expect(undelivered.texts).toMatch(/No agent online can do this/)
  })

  it('asks once about a goal that no one here can do, and ends with a refund if the answer does not help', async () => {
    const offer = goalOffer({ text: 'Mumble this text: "late"', criteria: [] })
    const silent = await room({ offer })
    expect([silent.fixture.room.asked, silent.texts]).toEqual([1, expect.stringMatching(/deadline has come/)])
    const answered = await room({ offer, reply: 'Then hum it, please' })
    expect(answered).toMatchObject({ outcome: 'failed', texts: expect.stringMatching(/whole budget is refunded/) })
    expect(answered.fixture.room.asked).toBe(1)
  })

  it('ends at once with a refund if the goal is in a language that it does not read', async () => {
    const offer = goalOffer({ text: 'Vorrei conoscere il fatturato annuo di Microsoft dal 2014 al 2020', criteria: [] })
    expect(await room({ offer })).toMatchObject({ outcome: 'failed', texts: expect.stringMatching(/The goal is in Italian/) })
  })

  it('has the type sought that is missing on the way, and what a step was to make where its agent fell out', async () => {
    const needs: string[][] = []
    const brought: Listing[] = []
    const seek = ({ outputs }: { outputs: readonly string[] }) => {
      needs.push([...outputs])
      if (outputs.includes('analysis.trend')) brought.push(listing('proxy-trend', builtinListing('analyst').skills))
      if (outputs.includes('report.markdown')) brought.push(listing('proxy-writer', builtinListing('writer').skills))
    }
    const market = () => [...builtinMarket().filter((one) => one.handle !== 'house-analyst'), ...brought]
    const { outcome, texts } = await room({ seek, market, answers: { 'house-writer': 'fails' } })
    expect(needs).toEqual([['analysis.trend'], ['report.markdown']])
    expect(outcome).toBe('delivered')
    expect(texts).toMatch(/I lost step \d \(house-writer\): .* I ask proxy-writer instead\./)
  })

  it('asks the client, and waits for the answer', async () => {
    const offer = goalOffer({ text: 'A trend report on the annual revenue, please.', criteria: [] })
    expect(await room({ offer, reply: 'Apple' })).toMatchObject({ outcome: 'delivered' })
    const unanswered = await room({ offer })
    expect(unanswered.outcome).toBe('failed')
    expect(unanswered.texts.match(/Which company/g)).toHaveLength(1)
  })

  it('fails where the review does not pass and nothing can be changed', async () => {
    const { outcome, of, texts } = await room({ offer: goalOffer({ criteria: [{ text: 'At least 20 data points' }] }) })
    expect(outcome).toBe('failed')
    expect(of('propose')).toHaveLength(1)
    expect(texts).toMatch(/can't be met.*The data has 7 points/)
  })

  it('has a faulty report written once more by another agent, and reviewed again', async () => {
    const spoilt = {
      'house-writer': (outputs: { text: string }[]) =>
        outputs.map((one) => ({ ...one, text: one.text.replace('143,015', '134,015') })) as never,
    }
    const { outcome, of, texts } = await room({ answers: spoilt, market: () => [...builtinMarket(), rival('spare', 'writer')] })
    expect(texts).toMatch(/review did not pass.*134,015/)
    expect(outcome).toBe('delivered')
    const [, second] = of('propose').map((one) => one.parts[0]?.data?.charter as { steps: { title: string }[] })
    const steps = second?.steps.map((step) => step.title) ?? []
    expect(steps.slice(-3)).toEqual(['Write a report (again)', 'Review against the criteria (again)', 'Coordinate and aggregate'])
    expect((await room({ answers: spoilt })).outcome).toBe('failed')
  })

  it('leaves what the client returns as it is: that word is final', async () => {
    const { fixture } = await room()
    const report = fixture.room.attempts.find((attempt) =>
      attempt.artifacts.some((one: ArtifactRef) => one.artifact_type === 'report.markdown'),
    )
    const { attempts } = fixture.room
    fixture.notifyServer({ kind: 'task.returned', task_ids: [report?.task_id ?? ''], reason: 'Too dry.' })
    await fixture.run()
    expect(fixture.room).toMatchObject({ conclusions: 1, attempts })
  })

  it('has the same agents do again what the client wants changed, and concludes again', async () => {
    const { fixture } = await room()
    const { attempts } = fixture.room
    const report = attempts.find((attempt) => attempt.artifacts.some((one: ArtifactRef) => one.artifact_type === 'report.markdown'))
    const steps = [
      report?.step ?? 0,
      ...(fixture.room.charter?.steps.flatMap((one) => (one.depends_on.includes(report?.step ?? 0) ? one.step : [])) ?? []),
    ]
    const task_ids = attempts.filter((one) => steps.includes(one.step)).map((one) => one.task_id)
    fixture.notifyServer({ kind: 'revision.requested', task_ids, steps, round: 1, rounds: 2, reason: 'Name the weakest year, too.' })
    expect(fixture.room.concluded).toBeNull()
    await fixture.run()
    expect(fixture.room).toMatchObject({ conclusions: 2, concluded: 'delivered' })
    const again = fixture.room.attempts.slice(attempts.length)
    expect(again.map((one) => one.step)).toEqual(steps)
    expect(again.map((one) => one.agent)).toEqual(steps.map((step) => attempts.find((one) => one.step === step)?.agent))
    const assigned = fixture.moments.flatMap(({ decision }) => decision.actions).filter((one) => one.do === 'assign')
    expect(assigned.at(-1)?.task_desc).toMatch(/Changes requested: Name the weakest year, too\./)
  })

  it('gives changes up that their agent can not make, so that the former delivery counts', async () => {
    const answers: NonNullable<RoomScript['answers']> = {}
    const { fixture, of } = await room({ answers, market: () => [...builtinMarket(), rival('spare', 'writer')] })
    const report = fixture.room.attempts.find((attempt) =>
      attempt.artifacts.some((one: ArtifactRef) => one.artifact_type === 'report.markdown'),
    )
    const [task_ids, steps] = [[report?.task_id], [report?.step]]
    fixture.notifyServer({ kind: 'revision.requested', task_ids, steps, round: 1, rounds: 2, reason: 'Shorter.' } as never)
    Object.assign(answers, { 'house-writer': 'fails' })
    await fixture.run()
    expect(fixture.room.concluded).toBe('failed')
    expect(of('propose')).toHaveLength(1)
    expect(fixture.posted.at(-1)?.parts[0]?.text).toMatch(/The changes can't be made: .* What was delivered before is in review again\./)
  })

  it('refuses a budget that its own price uses up', async () => {
    expect(await room({ offer: goalOffer({ payable: '900000', total: '922500' }) })).toMatchObject({
      outcome: 'failed',
      texts: expect.stringMatching(/my own price is 1\.00 USDC/),
    })
  })

  it('is silent once the goal is settled', async () => {
    const { fixture } = await room()
    fixture.notifyServer({ kind: 'hold.captured' })
    expect(fixture.again({ head: fixture.posted.length, knowledge: emptyPlannerKnowledge, now: 0, decision: { actions: [] } })).toEqual({
      actions: [],
    })
  })
})
