import { type Command, commandTypes } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { policyRequestsOfCommand } from '../../../server/commands/policy-requests-of-command.ts'
import type { Actor } from '../../../server/context.ts'

const agent: Actor = { kind: 'agent', did: 'did:web:a', agentId: 'agt_1', ownerDid: 'did:pkh:eip155:1:0x1', hasKey: true }
const person: Actor = { kind: 'person', did: 'did:pkh:eip155:1:0x2', address: '0x2', isOperator: false }
const requests = (actor: Actor, command: object, looks = true) => policyRequestsOfCommand(actor, command as Command, () => looks)
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('policyRequestsOfCommand', () => {
  it.each(
    commandTypes.filter(
      (type) =>
        !/^(listing\.(publish|revise)|team\.propose|message\.post|(goal|demand)\.post|call\.(request|answer)|task\.complete|entry\.submit|memory\.write|plan\.propose|skill\.test)$/.test(
          type,
        ),
    ),
  )('%s is an act of an agent, and nothing that a rule could stop of a person', (type) => {
    expect(requests(agent, { type })).toEqual([{ point: 'act', agent_ids: ['agt_1'], dids: [agent.did, agent.ownerDid] }])
    expect(requests(person, { type })).toEqual([])
    expect(requests({ kind: 'system', name: 'jobs' }, { type })).toEqual([])
  })

  it('reads content in every field, and only if a rule needs it', () => {
    const envelope = { parts: [{ data: { note: ['write to x@y.example'] } }], traceparent: '' }
    expect(requests(agent, { type: 'message.post', envelope }).at(-1)).toMatchObject({ point: 'post', tags: ['pii.email'] })
    expect(requests(agent, { type: 'message.post', envelope }, false).at(-1)).toMatchObject({ point: 'post', tags: [] })
    expect(requests(person, { type: 'goal.post', goal: { text: '4111 1111 1111 1111' }, attachments: [] })).toMatchObject([
      { point: 'post', tags: ['pii.card'] },
    ])
    expect(requests(person, { type: 'demand.post', text: 'Call x@y.example.' })).toMatchObject([{ point: 'post', tags: ['pii.email'] }])
    expect(requests(agent, { type: 'memory.write', note: { remark: 'x@y.example' } }).at(-1)).toMatchObject({
      point: 'post',
      tags: ['pii.email'],
    })
    expect(requests(agent, { type: 'plan.propose', text: 'Ask x@y.example.' }).at(-1)).toMatchObject({ point: 'post', tags: ['pii.email'] })
    const artifacts = [{ content: base64('GB82 WEST 1234 5698 7654 32') }]
    expect(requests(agent, { type: 'task.complete', artifacts }).at(-1)).toMatchObject({ point: 'deliver', tags: ['pii.iban'] })
    expect(requests(agent, { type: 'call.answer', artifacts }).at(-1)).toMatchObject({ point: 'deliver', tags: ['pii.iban'] })
    const attachments = [{ content: base64('+44 20 7946 0958') }]
    for (const type of ['call.request', 'skill.test'] as const)
      expect(requests(person, { type, inputs: ['sk-'], attachments })).toMatchObject([{ point: 'post', tags: ['pii.phone'] }])
  })

  it('names whom a charter gives work to, and what a listing offers', () => {
    const steps = [{ agent_id: 'agt_2', sender_id: 'did:web:b', skill_id: 'a.b' }]
    expect(requests(agent, { type: 'team.propose', charter: { steps } }).at(-1)).toEqual({
      point: 'execute',
      agent_ids: ['agt_2'],
      dids: ['did:web:b'],
      skill_ids: ['a.b'],
    })
    const listing = { skills: [{ id: 'a.b' }] }
    expect(requests(person, { type: 'listing.publish', listing })).toEqual([
      { point: 'admit', kind: 'agent', agent_ids: [], dids: [person.did], skill_ids: ['a.b'] },
    ])
    expect(requests(person, { type: 'listing.revise', agent_id: 'agt_3', listing })).toMatchObject([
      { point: 'admit', agent_ids: ['agt_3'] },
    ])
  })
})
