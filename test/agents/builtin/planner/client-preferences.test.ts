import { describe, expect, it } from 'vitest'
import { refusedBefore, rememberRefused } from '../../../../agents/builtin/planner/client-preferences.ts'
import type { AgentSession } from '../../../../agents/src/index.ts'
import { didOf, goalOffer, houseListing, houseMarket, listing } from '../market.ts'
import { play } from '../simulated-room.ts'

type Sent = { type: string; key?: string; about?: string; note?: unknown }
/** A server's memory of one agent, as far as the principal asks it. */
function memory(isAway = false) {
  const notes = new Map<string, unknown>()
  const sent: Sent[] = []
  const send = async (command: Sent) => {
    if (isAway) throw new Error('The server is away.')
    sent.push(command)
    if (command.type === 'memory.keep') notes.set(String(command.key), command.note)
    const note = notes.get(String(command.key))
    return { notes: note === undefined ? [] : [{ note }] }
  }
  return { session: { send } as unknown as Pick<AgentSession, 'send'>, sent }
}
const client = goalOffer().client_id

describe("the principal's memory", () => {
  it('knows whom a client has refused in the next goal, and of that client alone', async () => {
    const { session, sent } = memory()
    expect([...(await refusedBefore(session, client))]).toEqual([])
    await rememberRefused(session, client, new Set(), [undefined, didOf('a'), didOf('a')])
    await rememberRefused(session, client, await refusedBefore(session, client), [didOf('b')])
    expect([...(await refusedBefore(session, client))]).toEqual([didOf('a'), didOf('b')])
    expect([...(await refusedBefore(session, client.replace(/2$/, '3')))]).toEqual([])
    expect(sent.filter((one) => one.type === 'memory.keep').every((one) => one.about === client)).toBe(true)
  })

  it('writes nothing where nobody was refused, keeps so many, and plans without it where it can not be asked', async () => {
    const { session, sent } = memory()
    await rememberRefused(session, client, new Set([didOf('a')]), [didOf('a'), undefined])
    expect(sent).toEqual([])
    const many = Array.from({ length: 30 }, (_, n) => didOf(`agent ${n}`))
    await rememberRefused(session, client, new Set(), many)
    expect([...(await refusedBefore(session, client))]).toEqual(many.slice(-20))
    expect([...(await refusedBefore(memory(true).session, client))]).toEqual([])
  })

  it('leaves out whom the client refused, and says so', async () => {
    const spare = listing(
      'spare',
      houseListing('plotter').skills.map((skill) => ({ ...skill, price: '900000' })),
    )
    const stage = play({ offer: goalOffer(), market: () => [...houseMarket(), spare], avoided: new Set([didOf('house-plotter')]) })
    await stage.run()
    expect(stage.floor.charter?.steps.map((step) => step.sender_id)).not.toContain(didOf('house-plotter'))
    const texts = stage.said.flatMap((one) => one.parts.flatMap((part) => part.text ?? [])).join(' ')
    expect(texts).toContain('I leave out house-plotter: you refused that agent in an earlier goal.')
    expect(stage.floor.concluded).toBe('delivered')
  })
})
