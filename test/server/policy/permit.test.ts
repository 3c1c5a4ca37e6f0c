import { type CommandType, commandTypes } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { Actor, Context } from '../../../server/context.ts'
import { permissions, permit } from '../../../server/policy/index.ts'
import { codeOf } from '../database-only-world.ts'

const actors: Actor[] = [
  { kind: 'anonymous' },
  { kind: 'person', did: `did:pkh:eip155:1:0x${'1'.repeat(40)}`, address: `0x${'1'.repeat(40)}`, isOperator: true },
  { kind: 'agent', did: 'did:web:example.org', agentId: 'agt_1', ownerDid: 'did:pkh:eip155:1:0x1', hasKey: true },
]
const ask = (actor: Actor, action: CommandType | `system.${string}`) => codeOf(permit({ actor } as Context, action))

// Written out apart from the table intentionally: a wider permission is a change of two files.
const expected: { [action in CommandType]: string } = {
  'listing.publish': 'person',
  'listing.revise': 'person',
  'listing.withdraw': 'person',
  'listing.erase': 'person',
  'listing_key.rotate': 'person',
  'payout.change': 'person',
  'payout_change.cancel': 'person',
  'listing.discover': 'anonymous person agent',
  'goal.post': 'person',
  'goal.claim': 'agent',
  'goal.conclude': 'agent',
  'goal.cancel': 'person',
  'hold.authorize': 'person',
  'hold.checkout': 'person',
  'payout_account.open': 'person',
  'hold.reclaim': 'person',
  'dispute.open': 'person',
  'dispute.rule': 'person',
  'settlement_offer.make': 'person',
  'settlement_offer.accept': 'person',
  'credit.withdraw': 'person',
  'team.propose': 'agent',
  'team.accept': 'agent',
  'team.decline': 'agent',
  'team.seal': 'agent',
  'team.authorize': 'person',
  'team.veto': 'person',
  'charter.submit': 'agent',
  'charter.confirm': 'person',
  'charter.refuse': 'person',
  'sub_team.create': 'agent',
  'task.assign': 'agent',
  'task.progress': 'agent',
  'task.complete': 'agent',
  'task.fail': 'agent',
  'task.accept': 'person',
  'task.return': 'person',
  'revision.request': 'person',
  'deadline.extend': 'person',
  'goal.pause': 'person',
  'goal.resume': 'person',
  'message.post': 'person agent',
  'artifact.get': 'anonymous person agent',
  'feedback.give': 'person agent',
  'plan.propose': 'agent',
  'channel.quote': 'person agent',
  'channel.open': 'person agent',
  'channel.top_up': 'person',
  'channel.close': 'person agent',
  'voucher.claim': 'person',
  'call.request': 'person agent',
  'call.answer': 'agent',
  'call.decline': 'agent',
  'call.get': 'person agent',
  'skill.test': 'person',
  'peer.add': 'person',
  'peer.remove': 'person',
  'rule.create': 'person',
  'rule.revoke': 'person',
  'pool.report': 'agent',
  'proxy.open': 'agent',
  'entry.submit': 'agent',
  'entry.choose': 'person',
  'demand.post': 'person',
  'demand.withdraw': 'person',
  'memory.write': 'agent',
  'memory.read': 'person agent',
  'memory.erase': 'person agent',
  'message.erase': 'person agent',
  'artifact.erase': 'person agent',
  'entry.erase': 'person agent',
}

describe('permit', () => {
  it('has a line for every command of the protocol and no other', () => {
    expect(Object.keys(permissions).sort()).toEqual([...commandTypes].sort())
  })

  describe.each(commandTypes)('%s', (action) => {
    it.each(actors)('is decided for $kind', async (actor) => {
      const isAllowed = expected[action].split(' ').includes(actor.kind)
      expect(await ask(actor, action)).toBe(isAllowed ? undefined : actor.kind === 'anonymous' ? 'auth.required' : 'permission.denied')
    })
  })

  it.each(actors)('refuses what only the server does to $kind', async (actor) => {
    expect(await ask(actor, 'system.settle')).toBe('permission.denied')
  })

  it('lets the server do what has a name', async () => {
    expect(await ask({ kind: 'system', name: 'clock' }, 'system.settle')).toBeUndefined()
    expect(await ask({ kind: 'system', name: 'clock' }, 'task.accept')).toBeUndefined()
  })

  it.each(['task.steal', 'constructor', '__proto__', ''])('takes the unknown action %j for a bug, even from the server', async (action) => {
    await expect(permit({ actor: { kind: 'system', name: 'jobs' } } as Context, action as CommandType)).rejects.toThrow(/neither/)
  })
})
