import { smallAgent } from '@parley/agents/small'
import { type Envelope, randomSeed, sha256, signerFromSeed, verifyEnvelope } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { id, problem } from '../stub-hub.ts'
import { createDevice, hello, listing, memoryStorage, price, skill_id } from './device.ts'

const first = <T>(list: readonly T[]): T | undefined => list[0]

describe('a small agent', () => {
  it('accepts a team that pays its price, signed by its key', async () => {
    await using device = await createDevice()
    const { hub, me } = device
    await device.start()
    const charter = device.charter()
    await device.join(charter)
    const command = first(hub.commands('team.accept'))
    const envelope = command?.envelope as Envelope
    expect(command).toMatchObject({ goal_id: charter.goal_id, envelope: { room_id: charter.room_id, type: 'accept' } })
    expect(await verifyEnvelope(envelope, hub.signer.did)).toBe(true)
    expect(envelope.sender_id).toBe(me.did)
  })

  it.each([
    ['pays less', { amount: '999999' }, /my price is 1000000/],
    ['asks for a skill it lacks', { skill_id: 'text.whisper' }, /no skill text.whisper/],
  ])('declines a team that %s, with the reason', async (_, more, reason) => {
    await using device = await createDevice()
    const { hub } = device
    await device.start()
    await device.invite(device.charter(more))
    const command = await hub.until(() => first(hub.commands('team.decline')))
    expect(command.reason).toMatch(reason)
    expect(await verifyEnvelope(command.envelope as Envelope, hub.signer.did)).toBe(true)
    expect(hub.commands('team.accept')).toEqual([])
  })

  it('declines a team that pays another address than its listing names', async () => {
    await using device = await createDevice()
    await device.start(undefined, { listing: { ...listing, payout: `0x${'5'.repeat(40)}` } })
    await device.invite(device.charter())
    expect((await device.hub.until(() => first(device.hub.commands('team.decline')))).reason).toMatch(/my listing names 0x555/)
  })

  it("does not answer a charter with another hash, or an invitation that is not the server's", async () => {
    await using device = await createDevice()
    const { hub } = device
    await device.start()
    await device.invite(device.charter(), { charter_hash: `0x${'0'.repeat(64)}` })
    await device.invite(device.charter(), {}, device.principal)
    await hub.until(() => hub.rooms.get(hub.inbox)?.acked === 2)
    expect(hub.of('command')).toEqual([])
  })

  it('does a task, uploads the result under its signature, and acks when the server has it', async () => {
    await using device = await createDevice()
    const { hub } = device
    await device.start()
    const room_id = await device.join()
    const task_id = await device.assign(room_id)
    const command = await hub.until(() => first(hub.commands('task.complete')))
    const file = { name: 'text-shout.txt', media_type: 'text/plain', artifact_type: 'text.shout' }
    expect(command).toMatchObject({ task_id, artifacts: [{ ...file, content: btoa('HELLO') }] })
    const envelope = command.envelope as Envelope
    expect(envelope).toMatchObject({
      task_id,
      parts: [{ artifact: { ...file, size: 5, sha256: await sha256(new TextEncoder().encode('HELLO')) } }],
    })
    expect(await verifyEnvelope(envelope, hub.signer.did)).toBe(true)
    expect(hub.commands().map(({ type }) => type)).toEqual(['team.accept', 'task.progress', 'task.complete'])
    await hub.until(() => hub.rooms.get(room_id)?.acked === 1)
  })

  it('does nothing if the server answers that the task is not its own', async () => {
    await using device = await createDevice()
    const { hub } = device
    let calls = 0
    await device.start(() => `${++calls}`)
    const room_id = await device.join()
    hub.answer = () => ({ problem: { code: 'task.not_assignee' } })
    await device.assign(room_id)
    await hub.until(() => hub.rooms.get(room_id)?.acked === 1)
    expect([calls, hub.commands('task.complete')]).toEqual([0, []])
  })

  it('skips a task that another member assigned, and a message whose signature is false', async () => {
    await using device = await createDevice()
    const { hub, principal } = device
    const codes: string[] = []
    await device.start(undefined, { on: { problem: ({ code }) => void codes.push(code) } })
    const room_id = await device.join()
    await device.assign(room_id, hello, await signerFromSeed(randomSeed()))
    await device.assign(room_id, hello, { did: principal.did, sign: async () => 'A'.repeat(86) })
    await hub.until(() => hub.rooms.get(room_id)?.acked === 2)
    expect(codes).toEqual(['session.sender_invalid', 'envelope.signature_invalid'])
    expect(hub.commands().map(({ type }) => type)).toEqual(['team.accept'])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('The sensor is broken.')
      },
      hello,
      'The sensor is broken.',
    ],
    [
      'gets a file beyond its limit',
      () => '',
      [
        {
          port: 'text',
          type: 't',
          artifact: { sha256: 'a'.repeat(64), name: 'big.csv', media_type: 'text/csv', size: 2_000_000, artifact_type: 't' },
        },
      ],
      'The file big.csv has 2000000 bytes. This agent takes at most 1048576.',
    ],
    ['returns more than a frame', () => 'x'.repeat(7_000_000), hello, /The maximum of a frame is 8388608/],
  ])('fails a task whose handler %s, with the reason', async (_, handler, inputs, reason) => {
    await using device = await createDevice()
    await device.start(handler)
    await device.assign(await device.join(), inputs)
    const command = await device.hub.until(() => first(device.hub.commands('task.fail')))
    expect(command.reason).toMatch(reason)
    expect(command).toMatchObject({ envelope: { type: 'error', parts: [{ text: command.reason }] } })
  })

  it('leaves a task of another member to it', async () => {
    await using device = await createDevice()
    const { hub, principal } = device
    await device.start()
    const room_id = await device.join()
    const task_id = id('tsk')
    const more = { type: 'sync_task_assignment', state: 'task_assignment', task_id, to: [principal.did] }
    await hub.postMessage(room_id, [{ data: { kind: 'task', task_id, step: 1, skill_id, inputs: hello } }], more, principal)
    await hub.until(() => hub.rooms.get(room_id)?.acked === 1)
    expect(hub.commands().map(({ type }) => type)).toEqual(['team.accept'])
  })

  it('does not answer a call that has ended', async () => {
    await using device = await createDevice()
    const { hub } = device
    hub.answer = () => ({ result: { call: { state: 'expired' } } })
    await device.start()
    await hub.postMessage(hub.inbox, [{ data: { kind: 'call.requested', call_id: 'cal_1', skill_id, inputs: hello } }])
    await hub.until(() => hub.rooms.get(hub.inbox)?.acked === 1)
    expect(hub.commands().map(({ type }) => type)).toEqual(['call.get'])
  })

  it('reads the files of a task, and refuses one with another hash', async () => {
    await using device = await createDevice()
    const { hub } = device
    const bytes = new TextEncoder().encode('grüß dich')
    hub.answer = ({ type }) => ({ result: type === 'artifact.get' ? { artifact: {}, content: Buffer.from(bytes).toString('base64') } : {} })
    await device.start()
    const room_id = await device.join()
    const artifact = { name: 'a.txt', media_type: 'text/plain', size: bytes.length, artifact_type: 'query.text' }
    await device.assign(room_id, [{ port: 'text', type: 'query.text', artifact: { ...artifact, sha256: await sha256(bytes) } }])
    const { artifacts } = await hub.until(() => first(hub.commands('task.complete')))
    expect(Buffer.from((artifacts as { content: string }[])[0]?.content ?? '', 'base64').toString()).toBe('GRÜSS DICH')
    await device.assign(room_id, [{ port: 'text', type: 'query.text', artifact: { ...artifact, sha256: 'b'.repeat(64) } }])
    expect((await hub.until(() => first(hub.commands('task.fail')))).reason).toMatch(/instead of bbb/)
  })

  it('does a task that is assigned again once', async () => {
    await using device = await createDevice()
    const { hub, principal, me } = device
    let calls = 0
    await device.start(() => `${++calls}`)
    const room_id = await device.join()
    const task_id = await device.assign(room_id)
    await hub.until(() => hub.commands('task.complete').length === 1)
    const more = { type: 'sync_task_assignment', state: 'task_assignment', task_id, to: [me.did] }
    await hub.postMessage(room_id, [{ data: { kind: 'task', task_id, step: 1, skill_id, inputs: hello } }], more, principal)
    await hub.until(() => hub.rooms.get(room_id)?.acked === 2)
    expect([calls, hub.commands('task.complete').length]).toEqual([1, 1])
  })

  it('does one task at a time, and keeps the lease of the next one', async () => {
    await using device = await createDevice()
    const { hub } = device
    const releases: (() => void)[] = []
    await device.start(() => new Promise((resolve) => releases.push(() => resolve('done'))), { heartbeatMs: 10 })
    const room_id = await device.join()
    const tasks = [await device.assign(room_id), await device.assign(room_id)]
    const renewals = (task_id: string | undefined) => hub.commands('task.progress').filter((command) => command.task_id === task_id).length
    await hub.until(() => tasks.every((task_id) => renewals(task_id) >= 3))
    expect(releases).toHaveLength(1)
    releases[0]?.()
    await hub.until(() => releases.length === 2)
    releases[1]?.()
    await hub.until(() => hub.commands('task.complete').length === 2)
    expect(hub.commands('task.complete').map(({ task_id }) => task_id)).toEqual(tasks)
    // The leases of completed tasks are not renewed.
    const before = tasks.map(renewals)
    const third = await device.assign(room_id)
    await hub.until(() => renewals(third) >= 4)
    expect(tasks.map(renewals)).toEqual(before)
  })

  it('does not send the result of a task that it has lost', async () => {
    await using device = await createDevice()
    const { hub } = device
    let isLost = false
    let seen: { aborted: boolean } | undefined
    let release = () => {}
    hub.answer = () => (isLost ? { problem: { code: 'task.lease_expired' } } : { result: {} })
    await device.start(
      ({ signal }) => {
        seen = signal
        return new Promise((resolve) => {
          release = () => resolve('late')
        })
      },
      { heartbeatMs: 5 },
    )
    const room_id = await device.join()
    await device.assign(room_id)
    await hub.until(() => seen)
    isLost = true
    await expect.poll(() => seen?.aborted).toBe(true)
    release()
    await hub.until(() => hub.rooms.get(room_id)?.acked === 1)
    expect(hub.commands('task.complete')).toEqual([])
  })

  it('answers direct calls, and declines those that it cannot answer', async () => {
    await using device = await createDevice()
    const { hub } = device
    hub.answer = ({ type, sha256: hash }) => ({ result: type === 'call.get' && hash === undefined ? { call: { state: 'requested' } } : {} })
    await device.start()
    const call = (call_id: string, skill: string) => ({
      kind: 'call.requested',
      call_id,
      channel_id: 'c',
      skill_id: skill,
      inputs: hello,
      outputs: ['text.shout'],
      price,
      lease_until: '',
    })
    await hub.postMessage(hub.inbox, [{ data: call('cal_1', skill_id) as never }])
    await hub.postMessage(hub.inbox, [{ data: call('cal_2', 'text.other') as never }])
    expect(await hub.until(() => first(hub.commands('call.answer')))).toMatchObject({
      call_id: 'cal_1',
      artifacts: [{ content: btoa('HELLO') }],
    })
    expect(await hub.until(() => first(hub.commands('call.decline')))).toMatchObject({
      call_id: 'cal_2',
      reason: 'This agent has no skill text.other.',
    })
  })

  it('reports progress and payouts', async () => {
    await using device = await createDevice()
    const { hub } = device
    const amounts: string[] = []
    await device.start(
      async ({ progress }) => {
        await progress('Half.', 50)
        return 'x'
      },
      { on: { payout: ({ amount }) => void amounts.push(amount) } },
    )
    await device.assign(await device.join())
    const report = await hub.until(() => hub.commands('task.progress').find(({ text }) => text === 'Half.'))
    expect(report).toMatchObject({
      done: 50,
      envelope: { type: 'task_progress', parts: [{ text: 'Half.' }, { data: { kind: 'progress', done: 50 } }] },
    })
    await hub.postMessage(hub.inbox, [{ data: { kind: 'payout', goal_id: id('gol'), amount: '7', tx: '0x1' } }])
    await expect.poll(() => amounts).toEqual(['7'])
  })
})

describe('resuming', () => {
  it('continues a task over a lost connection: it is done once, and its answer arrives once', async () => {
    await using device = await createDevice()
    const { hub } = device
    let calls = 0
    let release = () => {}
    await device.start(() => {
      calls++
      return new Promise((resolve) => {
        release = () => resolve('done')
      })
    })
    const room_id = await device.join()
    await device.assign(room_id)
    await hub.until(() => calls === 1)
    hub.socket?.terminate()
    // The connection is down. The message that comes now, and the assignment, which is not acknowledged, are delivered after it.
    await hub.until(() => hub.connections === 2)
    release()
    await hub.until(() => hub.commands('task.complete').length === 1)
    const second = await device.assign(room_id)
    await hub.until(() => calls === 2)
    release()
    await hub.until(() => hub.commands('task.complete').length === 2)
    expect(hub.commands('task.complete')[1]?.task_id).toBe(second)
    await hub.until(() => hub.rooms.get(room_id)?.acked === 2)
    expect(calls).toBe(2)
  })

  it('sends a command whose answer was lost again, unchanged', async () => {
    await using device = await createDevice()
    const { hub } = device
    await device.start()
    const room_id = await device.join()
    hub.answer = ({ type }) => (type === 'task.complete' ? 'silence' : { result: {} })
    await device.assign(room_id)
    await hub.until(() => hub.commands('task.complete').length === 1)
    hub.answer = () => ({ result: {} })
    hub.socket?.terminate()
    await hub.until(() => hub.rooms.get(room_id)?.acked === 1)
    const [one, other, ...more] = hub.of('command').filter(({ command }) => command.type === 'task.complete')
    expect(other).toEqual(one)
    expect(more).toEqual([])
  })

  it('asks for a message that did not arrive, and handles none out of order', async () => {
    await using device = await createDevice()
    const { hub } = device
    const done: string[] = []
    await device.start(({ id: task_id }) => `${done.push(task_id)}`)
    const room_id = await device.join()
    hub.passes = ({ seq }) => seq !== 2
    const tasks = [await device.assign(room_id), await device.assign(room_id), await device.assign(room_id)]
    await hub.until(() => hub.rooms.get(room_id)?.acked === 3)
    expect(done).toEqual(tasks)
    expect(hub.of('subscribe')).toMatchObject([{ room_id, after: 1 }])
  })

  it('keeps its key and its terms over a restart, and needs no token then', async () => {
    await using device = await createDevice()
    const { hub, me, storage } = device
    let begun = 0
    const before = await device.start(() => {
      begun++
      return new Promise(() => {})
    })
    const room_id = await device.join()
    await device.assign(room_id)
    await hub.until(() => begun === 1)
    before.close()
    expect([...storage.items.keys()].sort()).toEqual(['parley.tiny.agent', 'parley.tiny.seed', 'parley.tiny.server', 'parley.tiny.teams'])
    await device.start()
    await hub.until(() => hub.rooms.get(room_id)?.acked === 1)
    expect(hub.commands('task.complete')).toHaveLength(1)
    expect(hub.of('hello').map(({ did, token }) => [did, token])).toEqual([
      [me.did, 'parley_1'],
      [me.did, undefined],
    ])
  })

  it('fails a task whose terms its storage has lost', async () => {
    await using device = await createDevice()
    const { hub, storage } = device
    await device.start()
    const room_id = await device.join()
    storage.removeItem('parley.tiny.teams')
    await device.assign(room_id)
    expect((await hub.until(() => first(hub.commands('task.fail')))).reason).toBe('This device has lost the terms of the team.')
  })

  it('forgets the terms of a goal that has ended', async () => {
    await using device = await createDevice()
    const { hub, storage } = device
    await device.start()
    const charter = device.charter()
    await device.join(charter)
    expect(storage.items.get('parley.tiny.teams')).toContain(charter.goal_id)
    await hub.postMessage(hub.inbox, [{ data: { kind: 'goal.closed', goal_id: charter.goal_id, outcome: 'paid' } }])
    await expect.poll(() => storage.items.get('parley.tiny.teams')).toBe('{}')
  })

  it('does not connect to another server than before', async () => {
    await using device = await createDevice()
    await using other = await createDevice()
    ;(await device.start()).close()
    await expect(device.start(undefined, { url: other.hub.url })).rejects.toMatchObject({ code: 'session.server_changed' })
  })

  it('ends when a newer connection has its key', async () => {
    await using device = await createDevice()
    const ends: string[] = []
    const agent = await device.start(undefined, { on: { end: ({ code }) => void ends.push(code) } })
    device.hub.write({ type: 'fenced' })
    await expect.poll(() => ends).toEqual(['session.fenced'])
    await expect(agent.send({ type: 'listing.discover' })).rejects.toMatchObject({ code: 'session.fenced' })
    expect(device.hub.connections).toBe(1)
  })
})

describe('bad input', () => {
  const options = { url: 'http://127.0.0.1:9', listing, skills: { [skill_id]: () => '' }, storage: memoryStorage() }

  it.each([
    ['a seed that is none', { seed: '12' }, 'session.seed_invalid'],
    ['an address without a scheme', { url: '127.0.0.1:4000' }, 'session.address_invalid'],
    ['an address with a path', { url: 'http://127.0.0.1:4000/v2' }, 'session.address_invalid'],
    ['a hub that is not there', {}, 'session.hub_unreachable'],
  ])('%s gets a clear error', async (_, more, code) => {
    await expect(smallAgent({ ...options, ...more })).rejects.toMatchObject({ name: 'ProblemError', code })
  })

  it('no storage gets a clear error', async () => {
    const { storage: _, ...without } = options
    await expect(smallAgent(without)).rejects.toMatchObject({ code: 'session.storage_missing' })
  })

  it('a skill without a handler gets a clear error', async () => {
    await expect(smallAgent({ ...options, skills: {} })).rejects.toThrow('This agent has no skill text.shout.')
  })

  it('a refused key gets the reason of the server, and keeps its token', async () => {
    await using device = await createDevice()
    device.hub.refusals.push(problem('listing.key_bound'))
    await expect(device.start()).rejects.toMatchObject({ code: 'listing.key_bound', message: 'The hub says listing.key_bound.' })
    expect(device.storage.items.get('parley.tiny.token')).toBe('parley_1')
  })

  it('a malformed frame is ignored', async () => {
    await using device = await createDevice()
    const { hub } = device
    await device.start()
    for (const frame of [
      { type: 'deliver' },
      { type: 'deliver', envelope: 1 },
      { type: 'joined' },
      { type: 'later' },
      { type: 'problem', id: null },
      { type: 'result' },
      { type: 'constructor' },
    ])
      hub.write(frame)
    hub.socket?.send('{')
    hub.socket?.send('null')
    await device.join()
  })
})
