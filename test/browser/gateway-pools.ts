import { personDid, randomSeed, signAdmission, signerFromSeed } from '@parley/protocol'
import { gatewayListing } from '../../agents/builtin/resource-gateway/gateway-listing.ts'
import type { Context } from '../../server/context.ts'
import { activeRules, createRule, enforceRules } from '../../server/policy/index.ts'
import { openProxy, reportPool } from '../../server/resource-pools/index.ts'
import type { TestPerson, TestWorld } from '../support/world.ts'

const reasons = {
  admitted: 'It passed 46 checks.',
  drifted: 'It offers shell.run besides; describes text.translate in other words.',
  demoted: 'It did not answer within 10 s.',
  evicted: 'Its card says that the sample of figures.sum gives “42”, and it gave “41”.',
  refused: 'https://tools.example does not prove that it holds the key of the card: /.well-known/parley-resource did not sign.',
} as const
const operator = `0x${'5'.repeat(40)}`

/** A gateway with a resource in every state, a proxy of one, and rules that have stopped an agent. Returns the proxy's handle. */
export async function reportGatewayPools({ system, publish, chain }: TestWorld, owner: TestPerson): Promise<string> {
  const signer = await signerFromSeed(randomSeed())
  const { agent_id } = await publish(owner, gatewayListing(`0x${'7'.repeat(40)}`))
  const gateway: Context = { ...system, actor: { kind: 'agent', agentId: agent_id, did: signer.did, ownerDid: owner.did, hasKey: true } }
  const now = system.clock.now().getTime()
  const at = new Date(now).toISOString()
  const [skill] = gatewayListing('').skills
  const entries = await Promise.all(
    (['admitted', 'drifted', 'demoted', 'evicted', 'refused'] as const).map(async (state, index) => {
      const resource = (await signerFromSeed(randomSeed())).did
      const kind = (['tool', 'model', 'agent', 'application'] as const)[index % 4] ?? 'tool'
      const card = {
        resource,
        kind,
        name: `Sums and differences ${index + 1}`,
        summary: 'Adds up what it is given.',
        operator: index === 0 ? personDid(chain.chainId, operator) : resource,
        topics: ['figures'],
      }
      const signed = {
        v: 1,
        ...card,
        version: '1',
        skills: skill ? [skill] : [],
        fingerprint: 'f'.repeat(43),
        tested_at: at,
        checks: 46,
      } as const
      const admission = await signAdmission(signer, { ...signed, issued_at: at, expires_at: new Date(now + 3_600_000).toISOString() })
      const pool = index === 2 ? ('private' as const) : ('public' as const)
      return {
        ...{ ...card, host: 'tools.example', region: 'eu-west', skills: ['figures.sum'], pool, state, reason: reasons[state], checks: 46 },
        ...{ fingerprint: 'f'.repeat(43), tested_at: at, admission: admission as never },
      }
    }),
  )
  await reportPool(gateway, { type: 'pool.report', entries })
  const [admitted] = entries
  const proxy = await openProxy(gateway, { type: 'proxy.open', resource: admitted?.resource as `did:key:${string}` })
  const rule = {
    points: ['execute' as const],
    subject: { agent_id: agent_id as `agt_${string}` },
    reason: 'It is looked at before it is hired.',
  }
  await createRule(system, { type: 'rule.create', rule: { ...rule, effect: 'ask' } })
  await createRule(system, {
    type: 'rule.create',
    rule: { ...rule, points: ['post'], subject: { tag: 'pii.card' }, effect: 'deny', reason: 'No card numbers in rooms.' },
  })
  await enforceRules(owner.ctx, await activeRules(system), { point: 'execute', agent_ids: [agent_id] }).catch(() => undefined)
  return proxy.handle
}
