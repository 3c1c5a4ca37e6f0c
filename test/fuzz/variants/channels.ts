/** Channels besides the scene's: one that an agent opened, and one that is only closed. */
import { voucherTypedData } from '@parley/protocol'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { dispatchCommand } from '../../../server/commands/index.ts'
import { getTopUpTerms } from '../../../server/settlement/index.ts'
import { command, newCallId, newSalt, type ScenePerson } from '../ground/cast.ts'
import { openChannel } from '../ground/goals.ts'
import { agentContext } from '../ground/scene.ts'
import type { Value } from '../inputs/json-text.ts'
import type { Place } from '../operations/operations.ts'

export type SceneChannel = { readonly id: string; readonly key: PrivateKeyAccount }

/** The outsider's channel to the helper, which its owner's wallet pays. */
export async function openAgentChannel({ installation, scene }: Place): Promise<SceneChannel> {
  const { world } = installation
  const ctx = agentContext(world, scene, 'outsider')
  if (!ctx) throw new Error('the outsider is no agent')
  const key = privateKeyToAccount(generatePrivateKey())
  const authorizer = key.address.toLowerCase()
  const terms = { agent_id: scene.agents.helper.agentId, deposit: '20000000', authorizer, salt: newSalt() }
  type Quote = { channel_id: string; config: { salt: string }; valid_before: number; typed_data: unknown }
  const quote = (await dispatchCommand(ctx, { type: 'channel.quote', ...terms } as never)) as Quote
  const signature = await sign(scene.people.stranger, quote.typed_data)
  const opening = { ...terms, salt: quote.config.salt, valid_before: quote.valid_before, signature }
  await command(installation.hub.url, scene.agents.outsider, { type: 'channel.open', ...opening })
  const { db } = world.system
  await world.until('the channel', async () => (await db.channel.findUnique({ where: { id: quote.channel_id } }))?.state === 'open', 30_000)
  return { id: quote.channel_id, key }
}

const sign = ({ account }: ScenePerson, typedData: unknown) =>
  account.signTypedData(typedData as Parameters<typeof account.signTypedData>[0])

/** Another channel of the client to the helper. */
export const openSpareChannel = ({ installation, scene }: Place): Promise<SceneChannel> =>
  openChannel(installation.world, scene.people.client, scene.agents.helper)

/** A question in this channel. Its voucher is for all that was answered before, and this call. */
export async function askIn({ installation }: Place, { id, key }: SceneChannel): Promise<Value> {
  const { world } = installation
  const { chainId, channels } = world.world.market
  const answered = await world.system.db.call.count({ where: { channelId: id, state: 'answered' } })
  const max = BigInt(answered + 1) * 1_000_000n
  const voucher = { channelId: id as `0x${string}`, maxClaimableAmount: max }
  return {
    ...{ call_id: newCallId(), channel_id: id, skill_id: 'text.first', attachments: [] },
    inputs: [{ port: 'in_0', type: 'text.plain', data: { text: 'hello' } }],
    max_claimable_amount: max.toString(),
    signature: await key.signTypedData(voucherTypedData({ chainId, channels: channels ?? '0x' }, voucher)),
  }
}

/** More money for this channel, signed by its payer. */
export async function topUpIn({ scene }: Place, { id }: SceneChannel, by: 'client' | 'stranger'): Promise<Value> {
  const payer = scene.people[by]
  const asked = { channel_id: id, amount: '1000000', salt: newSalt() }
  const { typedData, validBefore } = await getTopUpTerms(payer.ctx, asked)
  return { ...asked, valid_before: validBefore, signature: await sign(payer, typedData) }
}

/** The call that waits in this channel, asked by the outsider. */
export async function waitingIn(place: Place, channel: SceneChannel): Promise<string> {
  const { installation, scene } = place
  const where = { channelId: channel.id, state: 'requested' as const, leaseUntil: { gt: new Date() } }
  const known = await installation.world.system.db.call.findFirst({ where })
  if (known) return known.id
  const asked = (await askIn(place, channel)) as object
  return (await command<{ call_id: string }>(installation.hub.url, scene.agents.outsider, { type: 'call.request', ...asked })).call_id
}
