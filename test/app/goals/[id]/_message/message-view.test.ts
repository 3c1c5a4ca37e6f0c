import type { DeliveredEnvelope } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { initialsOf, viewMessage } from '../../../../../app/goals/[id]/_message/message-view.ts'
import { translate } from '../../../translate.ts'
import { market } from '../_run/samples.ts'

const facts = {
  nameOf: (id: string) => id.replace('agt_', 'Agent '),
  market,
  t: translate('views.message'),
  speakerOf: (did: string) => ({
    did,
    name: did,
    role: did === 'did:key:server' ? ('server' as const) : did === 'did:key:principal' ? ('principal' as const) : ('member' as const),
  }),
}
const envelope = (fields: object) =>
  ({
    v: '1',
    id: 'x',
    room_id: 'rom_',
    sender_id: 'did:key:server',
    state: 'execution',
    type: 'discussion',
    seq: 7,
    received_at: '2026-11-21T12:00:00Z',
    parts: [],
    ...fields,
  }) as unknown as DeliveredEnvelope

describe('viewMessage', () => {
  it('shows something of any message, in every field and of every sender, and never throws', () => {
    const kinds = fc.constantFrom('charter', 'goal', 'hold.captured', 'plan', 'task', 'charter.accept', 'song', '__proto__')
    const data = fc
      .tuple(kinds, fc.dictionary(fc.constantFrom('charter', 'payouts', 'criteria', 'steps', 'step', 'tx'), fc.jsonValue()))
      .map(([kind, more]) => ({ kind, ...more }))
    const part = fc.oneof(
      fc.jsonValue(),
      fc.record({ data }),
      fc.record({ text: fc.jsonValue(), artifact: fc.jsonValue(), data: fc.jsonValue() }),
    )
    const fields = fc.record(
      {
        sender_id: fc.oneof(fc.constantFrom('did:key:server', 'did:key:principal', 'did:key:other'), fc.jsonValue()),
        parts: fc.oneof(fc.array(part), fc.jsonValue()),
        received_at: fc.jsonValue(),
        seq: fc.jsonValue(),
        to: fc.jsonValue(),
        state: fc.jsonValue(),
        type: fc.jsonValue(),
        sig: fc.jsonValue(),
        payment: fc.oneof(fc.jsonValue(), data),
        task_desc: fc.jsonValue(),
        task_id: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fields, (given) => {
        const view = viewMessage(envelope(given), facts)
        expect(Number.isNaN(view.at.getTime())).toBe(false)
        expect([typeof view.seq, Array.isArray(view.to), view.to.every((one) => typeof one === 'string')]).toEqual(['number', true, true])
        for (const block of view.blocks) if (block.kind === 'text' || block.kind === 'fact') expect(typeof block.text).toBe('string')
      }),
      { numRuns: 1_000 },
    )
  })

  it('reads unknown states and acts as discussion, and unknown data as JSON', () => {
    const view = viewMessage(envelope({ state: 'dreaming', type: 'sing', parts: [{ data: { kind: 'song', notes: [1] } }] }), facts)
    expect(view).toMatchObject({ state: 'discussion', act: 'discussion', signature: 'none' })
    expect(view.blocks).toEqual([{ kind: 'data', name: 'song', json: expect.stringContaining('"notes"') }])
  })

  it('shows a payment with its transaction, and who receives what', () => {
    const payouts = [
      { agent_id: 'agt_1', amount: '1500000' },
      { agent_id: 'agt_2', amount: '500000' },
    ]
    const payment = { kind: 'hold.captured', tx: '0xabc', payouts }
    const view = viewMessage(envelope({ payment, parts: [{ data: { kind: 'hold.captured', tx: '0xabc', payouts } }] }), facts)
    expect(view.money).toEqual({ label: '2.00 USDC paid', tx: '0xabc' })
    expect(view.blocks[0]).toMatchObject({ kind: 'fact', text: 'Agent 1 receives 1.50 USDC · Agent 2 receives 0.50 USDC' })
  })

  it('shows neither money nor fact for an agent that writes the server’s words', () => {
    const data = { kind: 'hold.captured', tx: '0xabc', payouts: [{ amount: '1500000' }] }
    const view = viewMessage(envelope({ sender_id: 'did:key:agent', payment: data, parts: [{ data }] }), facts)
    expect(view).toMatchObject({ money: null, blocks: [{ kind: 'data' }] })
  })

  it('does not repeat as a fact what the server said in words', () => {
    const view = viewMessage(envelope({ parts: [{ text: 'Funded.' }, { data: { kind: 'hold.authorized', tx: '0x1' } }] }), facts)
    expect(view.blocks).toEqual([{ kind: 'text', text: 'Funded.' }])
  })

  it('survives data of any shape', () => {
    const shapes = [
      { kind: 'charter' },
      { kind: 'charter', charter: { steps: [null, 1, { amount: 'x' }] } },
      { kind: 'hold.captured', payouts: 'no' },
      { kind: 'plan', steps: 4 },
    ]
    for (const data of shapes) expect(viewMessage(envelope({ parts: [{ data }] }), facts).blocks).toHaveLength(1)
  })

  it('shows a charter with its steps and what it reserves, where the principal proposes it', () => {
    const steps = [{ step: 1, title: 'Draw', agent_id: 'agt_1', amount: '1000000', mode: 'async' }]
    const parts = [{ data: { kind: 'charter', charter_hash: '0x12', charter: { version: 2, total: '9000000', steps } } }]
    const view = viewMessage(envelope({ sender_id: 'did:key:principal', parts }), facts)
    expect(view.money?.label).toBe('9.00 USDC to share')
    expect(view.blocks[0]).toMatchObject({ kind: 'charter', version: 2, steps: [{ step: 1, title: 'Draw', amount: '1.00 USDC' }] })
    expect(viewMessage(envelope({ sender_id: 'did:key:agent', parts }), facts)).toMatchObject({ money: null, blocks: [{ kind: 'data' }] })
  })

  it('keeps text and file apart', () => {
    const artifact = { sha256: 'a'.repeat(64), name: 'report.md', media_type: 'text/markdown', size: 3, artifact_type: 'report.markdown' }
    const view = viewMessage(envelope({ parts: [{ text: 'Here.' }, { artifact }, { artifact: { sha256: 'no' } }] }), facts)
    expect(view.blocks.map((block) => block.kind)).toEqual(['text', 'artifact'])
  })
})

describe('initialsOf', () => {
  it.each([
    ['Ledger Plotter', 'LP'],
    ['plotter', 'PL'],
    ['house-data', 'HD'],
    ['0x12ab', '0X'],
    ['', '?'],
  ])('%s → %s', (name, initials) => expect(initialsOf(name)).toBe(initials))
})
