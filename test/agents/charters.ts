/** A small charter for tests: a principal, and one step per member. */
import type { Charter } from '@parley/protocol'
import { id } from './stub-hub.ts'

export function charterOf(input: {
  principal: string
  members: { did: string; skill_id: string; amount?: string; mode?: 'sync' | 'async'; outputs?: string[] }[]
  room_id?: string
  goal_id?: string
  version?: number
}): Charter {
  return {
    v: '1',
    goal_id: (input.goal_id ?? id('gol')) as Charter['goal_id'],
    room_id: (input.room_id ?? id('rom')) as Charter['room_id'],
    version: input.version ?? 1,
    client_id: `did:pkh:eip155:31337:0x${'1'.repeat(40)}`,
    principal_id: input.principal,
    evaluator_id: `0x${'2'.repeat(40)}`,
    asset: `eip155:31337/erc20:0x${'3'.repeat(40)}`,
    total: '10000000',
    fee_bps: 0,
    on_review_timeout: 'pay_if_delivered',
    steps: input.members.map(({ did, skill_id, amount = '1000000', mode = 'sync', outputs = ['text.shout'] }, index) => ({
      step: index + 1,
      title: `Step ${index + 1}`,
      skill_id,
      agent_id: `agt_${String(index + 1).repeat(32)}`,
      sender_id: did,
      payee: `0x${'4'.repeat(40)}`,
      amount,
      mode,
      depends_on: [],
      inputs: [],
      outputs,
    })),
  }
}
