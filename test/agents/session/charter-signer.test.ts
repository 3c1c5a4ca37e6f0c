import { agent, connect, type PayoutSigner } from '@parley/agents'
import {
  type Charter,
  charterHash,
  charterTypedData,
  type Envelope,
  MemberSignature,
  randomSeed,
  type Signer,
  signerFromSeed,
} from '@parley/protocol'
import { recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, it } from 'vitest'
import { charterOf } from '../charters.ts'
import { createStubHub, id, type StubHub } from '../stub-hub.ts'

const skill_id = 'text.shout'
const account = privateKeyToAccount(generatePrivateKey())
const plan = { chain_id: 31_337, escrow: `0x${'e'.repeat(40)}`, plan_id: `0x${'9'.repeat(64)}` }
let signer: Signer
let principal: Signer
beforeEach(async () => {
  signer = await signerFromSeed(randomSeed())
  principal = await signerFromSeed(randomSeed())
})

async function marketplace(): Promise<StubHub> {
  const hub = await createStubHub()
  hub.answer = (command) =>
    command.type === 'listing.discover'
      ? { result: { listings: [{ agent_id: hub.agent_id, skills: [{ id: skill_id, price: '1' }] }], next: null } }
      : { result: {} }
  return hub
}

/** A charter with one step of the agent's, paid to `payee`. */
function charterFor(payee: string, changes: Partial<Charter> = {}): Charter {
  const charter = charterOf({ principal: principal.did, members: [{ did: signer.did, skill_id }] })
  const { plan: at = plan, ...rest } = changes
  return {
    ...charter,
    ...('plan' in changes && !changes.plan ? {} : { plan: at }),
    steps: charter.steps.map((step) => ({ ...step, payee: payee.toLowerCase() })),
    ...rest,
  }
}

/** What the agent answers to the invitation: the command, with the data of the envelope it signed. */
async function answerTo(charter: Charter, payee: PayoutSigner | undefined, more: object = {}) {
  await using hub = await marketplace()
  const session = await agent({ url: hub.url, signer, skills: { [skill_id]: () => '' }, ...(payee && { payoutSigner: payee }) })
  const { goal_id, room_id } = charter
  const data = { kind: 'team.invite', goal_id, room_id, charter, charter_hash: await charterHash(charter), ...more }
  await hub.postMessage(hub.inbox, [{ data: data as never }])
  const [command] = await hub.until(() => {
    const found = [...hub.commands('team.accept'), ...hub.commands('team.decline')]
    return found.length > 0 && found
  })
  session.close()
  const envelope = command?.envelope as unknown as Envelope
  return { command, data: envelope.parts.find((part) => part.data)?.data }
}

async function signerOf(data: { [key: string]: unknown } | undefined, charter: Charter): Promise<string> {
  const { signer: claimed, signature } = MemberSignature.parse(data?.member_signature)
  const typedData = charterTypedData(charter, await charterHash(charter), plan)
  expect((await recoverTypedDataAddress({ ...typedData, signature: signature as `0x${string}` })).toLowerCase()).toBe(claimed)
  return claimed
}

describe('an agent with the key of its payout address', () => {
  it('signs the charter for the escrow in the envelope that accepts it', async () => {
    const charter = charterFor(account.address)
    const { data } = await answerTo(charter, account)
    expect(await signerOf(data, charter)).toBe(account.address.toLowerCase())
  })

  it('signs for a payout address that has allowed it', async () => {
    const charter = charterFor(`0x${'5'.repeat(40)}`)
    const payee = { address: account.address, signsFor: `0x${'5'.repeat(40)}`, signTypedData: account.signTypedData }
    expect(await signerOf((await answerTo(charter, payee)).data, charter)).toBe(account.address.toLowerCase())
  })

  it('signs nothing that pays another party, or names no escrow', async () => {
    for (const charter of [charterFor(`0x${'5'.repeat(40)}`), charterFor(account.address, { plan: undefined })]) {
      const { command, data } = await answerTo(charter, account)
      expect(command?.type).toBe('team.accept')
      expect(data).not.toHaveProperty('member_signature')
    }
  })

  it('accepts without a key where a signature is wanted, and signs with one', async () => {
    const charter = charterFor(account.address)
    const { command, data: unsigned } = await answerTo(charter, undefined, { member_signature: 'requested' })
    expect(command?.type).toBe('team.accept')
    expect(unsigned).not.toHaveProperty('member_signature')
    const { data } = await answerTo(charter, account, { member_signature: 'requested' })
    expect(await signerOf(data, charter)).toBe(account.address.toLowerCase())
  })

  it('signs what it proposes, where it has a step of its own', async () => {
    await using hub = await createStubHub()
    const session = await connect({ url: hub.url, signer, payoutSigner: account })
    const charter = charterFor(account.address, { principal_id: signer.did as Charter['principal_id'] })
    await session.proposeTeam({ goal_id: charter.goal_id, charter })
    const envelope = hub.commands('team.propose')[0]?.envelope as unknown as Envelope
    expect(await signerOf(envelope.parts[0]?.data, charter)).toBe(account.address.toLowerCase())
    session.close()
  })
})

it('hands over the evaluator’s receipts, and only those that the server says', async () => {
  await using hub = await createStubHub()
  const session = await connect({ url: hub.url, signer })
  const seen: unknown[] = []
  session.on('receipt', (receipt) => void seen.push(receipt.task_id))
  const receipt = {
    kind: 'task.receipt',
    goal_id: id('gol'),
    room_id: id('rom'),
    task_id: id('tsk'),
    step: 1,
    plan,
    terms: { client: `0x${'1'.repeat(40)}` },
    version: 1,
    charter: `0x${'4'.repeat(64)}`,
    bits: '1',
    outputs_hash: `0x${'2'.repeat(64)}`,
    received_at: 1_792_000_000,
    signature: `0x${'3'.repeat(130)}`,
  }
  await hub.postMessage(hub.inbox, [{ data: { ...receipt, task_id: id('tsk') } }], {}, principal)
  await hub.postMessage(hub.inbox, [{ data: { ...receipt, bits: 'all' } }])
  await hub.postMessage(hub.inbox, [{ data: receipt }])
  await hub.until(() => hub.rooms.get(hub.inbox)?.acked === 3)
  expect(seen).toEqual([receipt.task_id])
  session.close()
})
