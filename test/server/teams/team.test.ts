import { teamStates, teamTransitions } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../server/errors.ts'
import { advanceTeam, membersOf, type Team } from '../../../server/teams/team.ts'

const member = { agentId: 'agt_1', did: 'did:key:a', answer: 'invited' as const, reason: null, envelopeId: null }
const team = (changes: Partial<Team> = {}): Team => ({
  goalId: 'gol_1',
  roomId: 'rom_1',
  state: 'forming',
  version: 1,
  charter: { steps: [] } as never,
  charterHash: '0xaa',
  principalId: 'did:key:lead',
  members: [member],
  sealedAt: null,
  recordedAt: null,
  agreed: false,
  inForce: null,
  rowVersion: 1,
  ...changes,
})
const at = new Date('2026-01-01T00:00:00Z')

describe('advanceTeam', () => {
  it('refuses an answer to another charter', () => {
    expect(() => advanceTeam(team(), { type: 'team.accept', agentId: 'agt_1', charterHash: '0xbb', envelopeId: 'e' })).toThrow(
      /not the newest/,
    )
  })
  it('refuses an answer from an agent that was not invited', () => {
    expect(() => advanceTeam(team(), { type: 'team.accept', agentId: 'agt_2', charterHash: '0xaa', envelopeId: 'e' })).toThrow(DomainError)
  })
  it('seals only when everyone has accepted', () => {
    expect(() => advanceTeam(team(), { type: 'team.seal', at })).toThrow(/acceptance of 1 of its members/)
    const agreed = advanceTeam(team(), { type: 'team.accept', agentId: 'agt_1', charterHash: '0xaa', envelopeId: 'e' })
    expect(advanceTeam(agreed, { type: 'team.seal', at })).toMatchObject({ state: 'sealed', sealedAt: at, recordedAt: null })
  })
  it('records the sealed version once, and no other', () => {
    const sealed = team({ state: 'sealed' })
    expect(advanceTeam(sealed, { type: 'team.record', version: 2, agreed: true, at })).toBe(sealed)
    const recorded = advanceTeam(sealed, { type: 'team.record', version: 1, agreed: true, at })
    expect(recorded).toMatchObject({ recordedAt: at, agreed: true })
    expect(advanceTeam(recorded, { type: 'team.record', version: 1, agreed: true, at: new Date() })).toBe(recorded)
  })
  it('goes back to the charter in force from the version that is in progress, and from no other', () => {
    const inForce = { version: 1, charter: { steps: [1] } as never, charterHash: '0x01', agreed: true, sealedAt: at, recordedAt: at }
    const sealed = team({ state: 'sealed', version: 2, inForce })
    expect(advanceTeam(sealed, { type: 'team.revert', version: 2 })).toMatchObject({ ...inForce, inForce: null, state: 'sealed' })
    const others = [
      team({ state: 'sealed', version: 3, inForce }),
      team({ state: 'forming', version: 2, inForce }),
      team({ state: 'sealed', version: 2, inForce: null }),
      team({ state: 'sealed', version: 2, recordedAt: at }),
    ]
    for (const other of others) expect(advanceTeam(other, { type: 'team.revert', version: 2 })).toBe(other)
  })
  it.each(teamStates)('is over permanently once disbanded, from %s', (state) => {
    const disband = () => advanceTeam(team({ state }), { type: 'team.disband' })
    if (state === 'disbanded') expect(disband).toThrow(DomainError)
    else expect(disband()).toMatchObject({ state: 'disbanded' })
    const over = team({ state: 'disbanded' })
    expect(advanceTeam(over, { type: 'team.record', version: 1, agreed: true, at })).toBe(over)
  })
  it.each(teamStates.filter((state) => !(teamTransitions[state] as readonly string[]).includes('sealed')))(
    'refuses to seal a team that is %s',
    (state) => {
      expect(() => advanceTeam(team({ state, members: [] }), { type: 'team.seal', at })).toThrow(DomainError)
    },
  )
})

describe('membersOf', () => {
  it('names each agent once and leaves the principal out', () => {
    const steps = [
      { agent_id: 'agt_1', sender_id: 'did:key:a' },
      { agent_id: 'agt_1', sender_id: 'did:key:a' },
      { agent_id: 'agt_0', sender_id: 'did:key:lead' },
    ]
    expect(membersOf({ principal_id: 'did:key:lead', steps } as never)).toEqual([{ agentId: 'agt_1', did: 'did:key:a' }])
  })
})
