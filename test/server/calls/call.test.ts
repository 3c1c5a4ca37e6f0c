import { describe, expect, it } from 'vitest'
import { advanceCall, type Call } from '../../../server/calls/call.ts'
import { callAnswerFault, callFilesFault, callInputFault } from '../../../server/calls/call-faults.ts'
import { textUpload } from '../../support/goal-fixture.ts'

const now = new Date(1_000)
const call: Call = {
  id: 'cal_1',
  channelId: '0x1',
  agentId: 'agt_1',
  clientId: 'did:pkh:1',
  callerId: null,
  skillId: 'text.shout',
  price: 5n,
  digest: 'd',
  inputs: [],
  attachments: [],
  leaseUntil: new Date(2_000),
  requestedAt: now,
  state: 'requested',
}
const answer = { type: 'call.answer', by: 'agt_1', at: now, artifacts: [], text: '' } as const
const decline = { type: 'call.decline', by: 'agt_1', at: now, reason: 'No.' } as const
const expire = { type: 'call.expire', at: new Date(2_000) } as const

describe('advanceCall', () => {
  it('ends once: no answer follows a decline, an answer or the end of the lease', () => {
    for (const first of [answer, decline, expire]) {
      const ended = advanceCall(call, first)
      expect(ended.state).not.toBe('requested')
      for (const then of [answer, decline, expire]) expect(() => advanceCall(ended, then)).toThrow(/is not possible/)
    }
  })

  it('takes the answer up to the end of the lease, not at it, and expires not before', () => {
    expect(advanceCall(call, { ...answer, at: new Date(1_999) }).state).toBe('answered')
    expect(() => advanceCall(call, { ...answer, at: new Date(2_000) })).toThrow(/expired/)
    expect(advanceCall(call, { ...expire, at: new Date(1_999) })).toBe(call)
  })

  it('accepts an answer only from the agent that was called', () => {
    for (const event of [answer, decline]) expect(() => advanceCall(call, { ...event, by: 'agt_2' })).toThrow(/another agent/)
  })
})

const port = (name: string, type: string, optional = false) => ({ name, type, description: '', optional })
const skill = {
  id: 'text.shout',
  name: 'Shout',
  description: '',
  price: '5',
  tags: [],
  samples: [],
  inputs: [port('text', 'text.plain'), port('extra', 'table.series', true)],
  outputs: [port('text', 'text.plain'), port('chart', 'chart.svg', true)],
}

describe('callInputFault', () => {
  it('asks for every needed port once, of its type, as a value or a file that came along', () => {
    const text = { port: 'text', type: 'text.plain', data: { text: 'x' } }
    expect(callInputFault(skill, [text], [])).toBeNull()
    const file = { sha256: 'a'.repeat(64), name: 'a.txt', media_type: 'text/plain', size: 1, artifact_type: 'text.plain' }
    expect(callInputFault(skill, [{ port: 'text', type: 'text.plain', artifact: file }], [file])).toBeNull()
    expect(callInputFault(skill, [{ port: 'text', type: 'text.plain', artifact: file }], [])).toMatch(/not among/)
    expect(callInputFault(skill, [{ ...text, artifact: file }], [file])).toMatch(/either/)
    expect(callInputFault(skill, [], [])).toMatch(/missing/)
    expect(callInputFault(skill, [text, { ...text, port: 'more' }], [])).toMatch(/no input/)
  })
})

describe('callAnswerFault', () => {
  it('asks for what the skill promises; of a skill that is gone for anything at all', () => {
    expect(callAnswerFault(skill, [textUpload('X')])).toBeNull()
    expect(callAnswerFault(skill, [textUpload('X', 'chart.svg')])).toMatch(/text.plain/)
    expect(callAnswerFault(undefined, [])).toMatch(/at least one/)
  })
})

describe('callFilesFault', () => {
  it('bounds what travels with one call', () => {
    const big = { ...textUpload('x'), content: 'A'.repeat(2_796_204) }
    expect(callFilesFault([big, big])).toBeNull()
    expect(callFilesFault([big, big, big])).toMatch(/maximum/)
  })
})
