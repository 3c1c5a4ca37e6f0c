import { describe, expect, it } from 'vitest'
import { loadAgentsRefusedByClient, saveAgentsRefusedByClient } from '../../../../agents/builtin/planner/agents-refused-by-client.ts'
import type { AgentSession } from '../../../../agents/src/index.ts'
import { builtinListing, builtinMarket, didOf, goalOffer, listing } from '../market.ts'
import { simulateRoom } from '../simulated-room.ts'

type Sent = { type: string; key?: string; about?: string; note?: unknown }
/** A server's memory of one agent, as far as the principal asks it. */
function memory(isAway = false) {
  const notes = new Map<string, unknown>()
  const sent: Sent[] = []
  const send = async (command: Sent) => {
    if (isAway) throw new Error('The server is away.')
    sent.push(command)
    if (command.type === 'memory.write') notes.set(String(command.key), command.note)
    const note = notes.get(String(command.key))
    return { notes: note === undefined ? [] : [{ note }] }
  }
  return { session: { send } as unknown as Pick<AgentSession, 'send'>, sent }
}
const client = goalOffer().client_id

describe("the principal's memory", () => {
  it('knows whom a client has refused in the next goal, and of that client alone', async () => {
    const { session, sent } = memory()
    expect([...(await loadAgentsRefusedByClient(session, client))]).toEqual([])
    await saveAgentsRefusedByClient(session, client, { before: new Set(), refused: [undefined, didOf('a'), didOf('a')] })
    await saveAgentsRefusedByClient(session, client, { before: await loadAgentsRefusedByClient(session, client), refused: [didOf('b')] })
    expect([...(await loadAgentsRefusedByClient(session, client))]).toEqual([didOf('a'), didOf('b')])
    expect([...(await loadAgentsRefusedByClient(session, client.replace(/2$/, '3')))]).toEqual([])
    expect(sent.filter((one) => one.type === 'memory.write').every((one) => one.about === client)).toBe(true)
  })

  it('writes nothing where no one was refused, keeps so many, and plans without it where it can not be asked', async () => {
    const { session, sent } = memory()
    await saveAgentsRefusedByClient(session, client, { before: new Set([didOf('a')]), refused: [didOf('a'), undefined] })
    expect(sent).toEqual([])
    const many = Array.from({ length: 30 }, (_, n) => didOf(`agent ${n}`))
    await saveAgentsRefusedByClient(session, client, { before: new Set(), refused: many })
    expect([...(await loadAgentsRefusedByClient(session, client))]).toEqual(many.slice(-20))
    expect([...(await loadAgentsRefusedByClient(memory(true).session, client))]).toEqual([])
  })

  it('leaves out whom the client refused, and reports it', async () => {
    const spare = listing(
      'spare',
      builtinListing('plotter').skills.map((skill) => ({ ...skill, price: '900000' })),
    )
    const fixture = simulateRoom({
      offer: goalOffer(),
      market: () => [...builtinMarket(), spare],
      avoided: new Set([didOf('house-plotter')]),
    })
    await fixture.run()
    expect(fixture.room.charter?.steps.map((step) => step.sender_id)).not.toContain(didOf('house-plotter'))
    const texts = fixture.posted.flatMap((one) => one.parts.flatMap((part) => part.text ?? [])).join(' ')
    expect(texts).toContain('I leave out house-plotter: you refused that agent in an earlier goal.')
    expect(fixture.room.concluded).toBe('delivered')
  })
})
