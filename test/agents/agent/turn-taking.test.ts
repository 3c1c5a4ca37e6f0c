import { type AgentSession, connect, type Turn, type TurnMessage, takeTurns } from '@parley/agents'
import { type Envelope, type EnvelopeDraft, randomSeed, type Signer, signEnvelope, signerFromSeed, turnLeaseMs } from '@parley/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { charterOf } from '../charters.ts'
import { createStubHub, id, type StubHub, uuid } from '../stub-hub.ts'

let me: Signer
let lead: Signer
let third: Signer
beforeEach(async () => {
  ;[me, lead, third] = (await Promise.all([1, 2, 3].map(() => signerFromSeed(randomSeed())))) as [Signer, Signer, Signer]
})

/** A room with a charter: `lead` leads, this agent and a third one are its members. */
async function fixture(hub: StubHub) {
  const room_id = id('rom')
  const members = [me, third].map(({ did }) => ({ did, skill_id: 'text.shout', mode: 'async' as const }))
  const charter = charterOf({ principal: lead.did, room_id, members })
  const post = (by: Signer, more: Partial<EnvelopeDraft> = {}, text = 'Well.') => hub.postMessage(room_id, [{ text }], more, by)
  const charterPart = { data: { kind: 'charter', charter: charter as never, charter_hash: '0x' } }
  await hub.postMessage(room_id, [charterPart], { type: 'propose' }, lead)
  const assign = (step: number, mode: 'sync' | 'async', task_id = id('tsk')) => {
    const data = { kind: 'task', task_id, step, skill_id: 'text.shout', inputs: [] }
    const to = [members[step - 1]?.did ?? '']
    return hub.postMessage(room_id, [{ data }], { type: `${mode}_task_assignment`, mode, task_id, to }, lead).then(() => task_id)
  }
  return { room_id, say: post, assign }
}

/** Puts a message into the room as if it had been posted `ms` ago. */
async function backdated(hub: StubHub, room_id: string, by: Signer, ms: number, more: Partial<EnvelopeDraft>): Promise<void> {
  const draft = { id: uuid(), room_id, sender_id: by.did, state: 'discussion', type: 'discussion', parts: [{ text: 'Then.' }], ...more }
  const messages = hub.rooms.get(room_id)?.messages ?? []
  const received_at = new Date(Date.now() - ms).toISOString()
  const delivered = { ...(await signEnvelope(by, draft)), seq: messages.length + 1, received_at }
  messages.push(delivered)
  hub.write({ type: 'deliver', envelope: delivered })
}

function listen(
  session: AgentSession,
  words: (turn: Turn) => TurnMessage | null | Promise<TurnMessage | null> = () => ({ text: 'Here.' }),
) {
  const turns: Turn[] = []
  const waits: { count: number; resolve: () => void }[] = []
  takeTurns(session, (turn) => {
    turns.push(turn)
    for (const wait of waits) if (turns.length >= wait.count) wait.resolve()
    return words(turn)
  })
  return {
    turns,
    count: (count: number) => (turns.length >= count ? undefined : new Promise<void>((resolve) => waits.push({ count, resolve }))),
  }
}

const posts = (hub: StubHub) => hub.commands('message.post').map((command) => command.envelope as unknown as Envelope)
const textsOf = (turn: Turn | undefined) => turn?.newMessages.flatMap(({ parts }) => parts.flatMap((part) => part.text ?? []))

describe('takeTurns', () => {
  it('speaks when it is asked to, once, knows what is new, and names who is next', async () => {
    await using hub = await createStubHub()
    const session = await connect({ url: hub.url, signer: me })
    const received = listen(session, () => ({ text: 'Here.', nextSpeakers: [third.did] }))
    const { say: post } = await fixture(hub)
    await post(lead, { next_speakers: [third.did] }, 'You first.')
    await post(third, { next_speakers: [me.did] }, 'No, you.')
    await hub.until(() => posts(hub).length === 1)
    await post(third, {}, 'A word between turns.')
    hub.put(posts(hub)[0] as Envelope)
    await post(third, { next_speakers: [me.did] }, 'And again.')
    await hub.until(() => posts(hub).length === 2)
    expect(received.turns.map(textsOf)).toEqual([
      ['You first.', 'No, you.'],
      ['A word between turns.', 'And again.'],
    ])
    expect(posts(hub)[0]).toMatchObject({ type: 'discussion', next_speakers: [third.did], parts: [{ text: 'Here.' }] })
    session.close()
  })

  it('gets the turn that another one let lapse, when no agent posts any more', async () => {
    await using hub = await createStubHub()
    const session = await connect({ url: hub.url, signer: me })
    const received = listen(session)
    const { room_id } = await fixture(hub)
    await backdated(hub, room_id, lead, turnLeaseMs - 150, { next_speakers: [third.did, me.did] })
    await received.count(1)
    expect(received.turns[0]?.room.turn).toMatchObject({ holder: me.did })
    session.close()
  })

  it('continues with its pause when the last task has ended', async () => {
    await using hub = await createStubHub()
    const session = await connect({ url: hub.url, signer: me })
    let task = ''
    const received = listen(session, ({ room }) =>
      room.tasks[task]?.status === 'completed' ? null : { act: 'pause', triggers: [task], text: 'I wait.' },
    )
    const { say: post, assign } = await fixture(hub)
    task = await assign(2, 'async')
    await post(lead, { next_speakers: [me.did] })
    const paused = await hub.until(() => posts(hub)[0])
    expect(paused).toMatchObject({ type: 'pause', triggers: [task] })
    hub.put(paused)
    await post(lead, { next_speakers: [me.did] }, 'No agent has the turn now.')
    await post(third, { type: 'task_result', task_id: task as `tsk_${string}` }, 'Done.')
    await received.count(2)
    expect(received.turns[1]?.room).toMatchObject({ state: 'open', turn: { holder: me.did } })
    session.close()
  })

  it('looks at the world as it gets the turn, and takes it without where that fails', async () => {
    await using hub = await createStubHub()
    const session = await connect({ url: hub.url, signer: me })
    const [seen, troubles]: [(string | undefined)[], unknown[]] = [[], []]
    const speak = ({ observation: observed }: Turn) => {
      seen.push(observed)
      return { text: observed ?? 'I see nothing.', nextSpeakers: [lead.did] }
    }
    const observe = ({ turn }: { turn: number }) => {
      if (seen.length > 0) throw new RangeError('the camera is off')
      return `the door is open at turn ${turn}`
    }
    takeTurns(session, speak, { onError: (error) => void troubles.push(error), observe })
    const { say: post } = await fixture(hub)
    await post(lead, { next_speakers: [me.did] }, 'What do you see?')
    await hub.until(() => posts(hub).length === 1)
    hub.put(posts(hub)[0] as Envelope)
    await post(lead, { next_speakers: [me.did] }, 'And now?')
    await hub.until(() => posts(hub).length === 2)
    expect(seen).toEqual([expect.stringMatching(/^the door is open at turn \d+$/), undefined])
    expect(troubles).toEqual([new RangeError('the camera is off')])
    expect(posts(hub).map(({ parts }) => parts[0]?.text)).toEqual([seen[0], 'I see nothing.'])
    session.close()
  })

  it('is not held up by a task that another room waits for', async () => {
    await using hub = await createStubHub()
    const session = await connect({ url: hub.url, signer: me })
    const working = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<string>()
    session.on('task', async (given) => {
      begun.resolve(given.room_id)
      await working.promise
    })
    const received = listen(session)
    const busy = await fixture(hub)
    await busy.assign(1, 'sync')
    expect(await begun.promise).toBe(busy.room_id)
    const other = await fixture(hub)
    await other.say(lead, { next_speakers: [me.did] })
    await received.count(1)
    expect(received.turns[0]?.room_id).toBe(other.room_id)
    await busy.say(third, {}, 'Is anybody there?')
    expect((await session.conversation(busy.room_id)).room?.state).toBe('waiting')
    working.resolve()
    session.close()
  })

  it('speaks for one turn with one id, also when it was started again', async () => {
    await using hub = await createStubHub()
    const first = await connect({ url: hub.url, signer: me })
    listen(first)
    const { say: post } = await fixture(hub)
    await post(lead, { next_speakers: [me.did] })
    await hub.until(() => posts(hub).length === 1)
    first.close()
    hub.answer = () => ({ problem: { code: 'envelope.id_reused' } })
    const second = await connect({ url: hub.url, signer: me })
    listen(second, () => ({ text: 'In other words.' }))
    await hub.until(() => posts(hub).length === 2)
    expect(posts(hub)[1]?.id).toBe(posts(hub)[0]?.id)
    second.close()
  })
})
