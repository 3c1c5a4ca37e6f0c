import { apiScopes, type CommandType } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../server/context.ts'
import { permissions, requireScope } from '../../../server/policy/index.ts'

const person = (scopes?: (typeof apiScopes)[number][]): Actor => ({
  ...{ kind: 'person', did: 'did:pkh:eip155:31337:0xab', address: '0xab', isOperator: false },
  ...(scopes && { scopes }),
})
const isAllowed = (actor: Actor, command: CommandType): boolean => {
  try {
    requireScope(actor, command)
    return true
  } catch {
    return false
  }
}
const commands = Object.keys(permissions) as CommandType[]
const allowedBy = (...scopes: (typeof apiScopes)[number][]) => commands.filter((command) => isAllowed(person(scopes), command))

describe('requireScope', () => {
  it('lets a token without a scope change nothing', () => {
    expect(allowedBy().sort()).toEqual(['artifact.get', 'call.get', 'channel.quote', 'listing.discover', 'memory.read'])
  })

  it('gives each scope commands of its own', () => {
    expect(allowedBy('goals')).toContain('goal.post')
    expect(allowedBy('goals')).not.toContain('call.request')
    expect(allowedBy('goals')).not.toContain('payout.change')
    expect(allowedBy('calls')).not.toContain('task.accept')
    expect(allowedBy('listings')).not.toContain('goal.cancel')
    for (const scope of apiScopes) expect(allowedBy(scope).length).toBeGreaterThan(allowedBy().length)
  })

  it('gives no token the commands of operators and agents', () => {
    const all = allowedBy(...apiScopes)
    for (const command of ['dispute.rule', 'peer.add', 'rule.create', 'task.complete', 'goal.conclude'] as const)
      expect(all).not.toContain(command)
  })

  it('leaves every command that people may send to some scope, except those of operators', () => {
    const people = commands.filter((command) => (permissions[command] as readonly string[]).includes('person'))
    const operators = ['dispute.rule', 'peer.add', 'peer.remove', 'rule.create', 'rule.revoke']
    expect(people.filter((command) => !allowedBy(...apiScopes).includes(command)).sort()).toEqual(operators)
  })

  it('does not concern a login in a browser, an agent or the server', () => {
    const agent: Actor = { kind: 'agent', did: 'did:web:a', agentId: 'agt_1', ownerDid: 'did:pkh:eip155:31337:0xab', hasKey: false }
    for (const actor of [person(), agent, { kind: 'anonymous' } as const, { kind: 'system', name: 'jobs' } as const])
      expect(commands.every((command) => isAllowed(actor, command))).toBe(true)
  })
})
