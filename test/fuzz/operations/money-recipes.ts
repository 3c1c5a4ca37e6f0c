/** Valid inputs that carry a wallet's signature, or that need a payment: made again each time, because most are valid only once. */
import { charterAuthorizationTypedData, charterVetoTypedData, voucherTypedData } from '@parley/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { dispatchCommand } from '../../../server/commands/index.ts'
import { issueNonce, siweStatement } from '../../../server/identity/index.ts'
import { getDisputeTypedData, getFundingTerms, getSettlementOfferTypedData, getTopUpTerms } from '../../../server/settlement/index.ts'
import { getTeam } from '../../../server/teams/index.ts'
import { planOf } from '../../support/goal-fixture.ts'
import { newCallId, newSalt, openSession, type Role, type ScenePerson } from '../ground/cast.ts'
import { openChannel as openAnother, postUnfunded } from '../ground/goals.ts'
import { agentContext, type Scene } from '../ground/scene.ts'
import type { Value } from '../inputs/json-text.ts'
import type { Place, Recipe } from './operations.ts'

const sign = ({ account }: ScenePerson, typedData: unknown) =>
  account.signTypedData(typedData as Parameters<typeof account.signTypedData>[0])

/** A goal without money, for whatever can be done to one only once. */
const freshGoal = async ({ scene }: Place, rail: 'escrow' | 'stripe') => (await postUnfunded(scene.people.client, rail)).id

const authorize: Recipe = async (place) => {
  const { client } = place.scene.people
  const goal_id = await freshGoal(place, 'escrow')
  const { typedData } = await getFundingTerms(client.ctx, goal_id)
  return { goal_id, signature: await sign(client, typedData) }
}

const cancel: Recipe = async (place) => ({ goal_id: await freshGoal(place, 'escrow'), reason: 'It is not needed.' })

const payByCard: Recipe = async (place) => ({ goal_id: await freshGoal(place, 'stripe') })

type Quote = { readonly config: { readonly salt: string }; readonly valid_before: number; readonly typed_data: unknown }

/** Agents open channels with their owners' money. */
function payerFor({ people }: Scene, role: Role): ScenePerson {
  if (role === 'helper' || role === 'lead' || role === 'worker') return people.publisher
  return role === 'outsider' || role === 'planner' || role === 'stranger' ? people.stranger : people.client
}

const openChannel: Recipe = async ({ installation, scene }, role) => {
  const owner = payerFor(scene, role)
  const terms = { agent_id: scene.agents.outsider.agentId, deposit: '20000000', authorizer: scene.voucherKey.address.toLowerCase() }
  const agent = agentContext(installation.world, scene, role)
  const asked = { type: 'channel.quote', ...terms, salt: newSalt() } as const
  const quote = (agent ? await dispatchCommand(agent, asked as never) : await owner.send(asked)) as Quote
  return { ...terms, salt: quote.config.salt, valid_before: quote.valid_before, signature: await sign(owner, quote.typed_data) }
}

const topUp: Recipe = async (place) => {
  const { client } = place.scene.people
  const asked = { channel_id: (await channelOf(place)).id, amount: '1000000', salt: newSalt() }
  const { typedData, validBefore } = await getTopUpTerms(client.ctx, asked)
  return { ...asked, valid_before: validBefore, signature: await sign(client, typedData) }
}

const quote: Recipe = ({ scene }) => ({
  agent_id: scene.agents.helper.agentId,
  deposit: '20000000',
  authorizer: scene.voucherKey.address.toLowerCase(),
  salt: newSalt(),
})

type OpenChannel = { readonly id: string; readonly key: PrivateKeyAccount }
const further = new Map<number, Promise<OpenChannel>>()

/** The scene's channel, or a further one where that one takes no calls any more. */
export async function channelOf({ installation, scene }: Place): Promise<OpenChannel> {
  const { world } = installation
  const isOpen = async (id: string) => (await world.system.db.channel.findUnique({ where: { id } }))?.state === 'open'
  if (scene.channelId !== null && (await isOpen(scene.channelId))) return { id: scene.channelId, key: scene.voucherKey }
  const known = await further.get(scene.number)?.catch(() => null)
  if (known && (await isOpen(known.id))) return known
  const made = openAnother(world, scene.people.client, scene.agents.helper)
  further.set(scene.number, made)
  return made
}

/** The voucher is for all that was answered before, and this call. */
const askAgent: Recipe = async (place) => {
  const { world } = place.installation
  const { chainId, channels } = world.world.market
  const { id, key } = await channelOf(place)
  const answered = await world.system.db.call.count({ where: { channelId: id, state: 'answered' } })
  const max = BigInt(answered + 1) * 1_000_000n
  const voucher = { channelId: id as `0x${string}`, maxClaimableAmount: max }
  return {
    call_id: newCallId(),
    channel_id: id,
    skill_id: 'text.first',
    inputs: [{ port: 'in_0', type: 'text.plain', data: { text: 'hello' } }],
    attachments: [],
    max_claimable_amount: max.toString(),
    signature: await key.signTypedData(voucherTypedData({ chainId, channels: channels ?? '0x' }, voucher)),
  }
}

/** A call that waits for its answer: one at a time in each channel. */
export async function waitingCall(place: Place): Promise<string> {
  const { installation, scene } = place
  const { id: channelId } = await channelOf(place)
  const where = { channelId, state: 'requested' as const, leaseUntil: { gt: new Date() } }
  const known = await installation.world.system.db.call.findFirst({ where })
  if (known) return known.id
  const asked = (await askAgent(place, 'client')) as { [field: string]: Value }
  const { call_id } = await scene.people.client.send<{ call_id: string }>({ type: 'call.request', ...asked })
  return call_id
}

const openDispute: Recipe = async ({ scene }) => {
  const { client } = scene.people
  const asked = { goal_id: scene.goals.work.id, step: 2, evidence: 'It is too short.', artifacts: [] }
  const { typedData } = await getDisputeTypedData(client.ctx, asked)
  return { ...asked, signature: await sign(client, typedData) }
}

/** An operator's word on a dispute that the chain knows. */
const rule: Recipe = async (place) => {
  const { installation, scene } = place
  const { world } = installation
  const goalId = scene.goals.work.id
  const opened = () => world.system.db.dispute.findFirst({ where: { goalId, state: 'open' } })
  if (!(await opened())) {
    const asked = (await openDispute(place, 'client')) as { [field: string]: Value }
    await scene.people.client.send({ type: 'dispute.open', ...asked })
    await world.until('the dispute', opened, 10_000)
  }
  const dispute = await opened()
  return { dispute_id: dispute?.id ?? '', payee_bps: 5_000, reason: 'Both are right.' }
}

const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_000

const makeSettlementOffer: Recipe = async ({ scene }) => {
  const { client } = scene.people
  const asked = { goal_id: scene.goals.work.id, step: 1, payee_bps: 5_000, deadline: inAnHour() }
  const { typedData } = await getSettlementOfferTypedData(client.ctx, asked)
  return { ...asked, signature: await sign(client, typedData) }
}

const acceptSettlementOffer: Recipe = async (place) => {
  const { client, publisher } = place.scene.people
  const made = (await makeSettlementOffer(place, 'client')) as { [field: string]: Value }
  const { settlement_offer_id } = await client.send<{ settlement_offer_id: string }>({ type: 'settlement_offer.make', ...made })
  const { typedData } = await getSettlementOfferTypedData(publisher.ctx, { settlement_offer_id })
  return { settlement_offer_id, signature: await sign(publisher, typedData) }
}

const approve: Recipe = async ({ installation, scene }) => {
  const { world } = installation
  const goal_id = scene.goals.work.id
  const [plan, { charter, charterHash: hash, version }] = await Promise.all([planOf(world, goal_id), getTeam(world.system, goal_id)])
  if (!plan) throw new Error('the money of the goal lies in no escrow')
  const typedData = charterAuthorizationTypedData(charter, hash as `0x${string}`, plan)
  return { goal_id, version, signature: await sign(scene.people.client, typedData) }
}

const veto: Recipe = async ({ installation, scene }) => {
  const goal_id = scene.goals.forming.id
  const plan = await planOf(installation.world, goal_id)
  if (!plan) throw new Error('the money of the goal lies in no escrow')
  return { goal_id, version: 1, reason: 'Not these.', signature: await sign(scene.people.client, charterVetoTypedData(plan, 1)) }
}

const signIn: Recipe = async ({ installation, scene }) => {
  const { world, web } = installation
  const { account } = scene.people.stranger
  const { nonce } = await issueNonce(world.system)
  const { host, origin } = new URL(web.url)
  const times = { issuedAt: new Date(), expirationTime: new Date(Date.now() + 300_000) }
  const site = { domain: host, uri: origin, version: '1', chainId: world.chain.chainId } as const
  const message = createSiweMessage({ ...site, ...times, address: account.address, statement: siweStatement, nonce })
  return { message, signature: await account.signMessage({ message }) }
}

const revokeSession: Recipe = async ({ installation, scene }) => {
  const { client } = scene.people
  await openSession(installation.world, client)
  const { id } = await installation.world.system.db.session.findFirstOrThrow({
    where: { personId: client.did },
    orderBy: { createdAt: 'desc' },
  })
  return { id }
}

export const moneyRecipes: { readonly [name: string]: Recipe } = {
  'hold.authorize': authorize,
  'settlement.authorize': authorize,
  'settlement.getFunding': ({ scene }) => ({ goal_id: scene.goals.draft.id }),
  'goal.cancel': cancel,
  'goals.cancel': cancel,
  'hold.checkout': payByCard,
  'goals.fundByCard': payByCard,
  'channel.open': openChannel,
  'channels.open': openChannel,
  'channel.top_up': topUp,
  'channels.topUp': topUp,
  'channel.quote': quote,
  'channels.quote': quote,
  'call.request': askAgent,
  'channels.ask': askAgent,
  'dispute.open': openDispute,
  'disputes.open': openDispute,
  'settlement_offer.make': makeSettlementOffer,
  'disputes.makeSettlementOffer': makeSettlementOffer,
  'settlement_offer.accept': acceptSettlementOffer,
  'disputes.acceptSettlementOffer': acceptSettlementOffer,
  'team.authorize': approve,
  'charters.authorize': approve,
  'team.veto': veto,
  'charters.veto': veto,
  'identity.signIn': signIn,
  'identity.revokeSession': revokeSession,
  'dispute.rule': rule,
  'disputes.rule': rule,
}
