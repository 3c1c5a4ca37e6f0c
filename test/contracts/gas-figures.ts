/**
 * What the calls cost, measured: gas of the whole transaction, 21,000 and calldata included. Everything that is paid
 * holds the token beforehand, and what is written was written before unless the name says "first"; a first payment to
 * anybody costs 17,100 more. The same figures each time: keys, salts and amounts are fixed.
 */
import type { ChannelConfig } from '@parley/protocol'
import { numberToHex } from 'viem'
import { actors, hash, payee, usdc } from './actors.ts'
import { farOff } from './chain.ts'
import { createEpochWorld } from './epoch-payouts/world.ts'
import { createChannelWorld, payer, receiver } from './voucher-channels/world.ts'

export type Figures = Record<string, number>

const channelsOfABatch = 10

export async function measureChannels(): Promise<Figures> {
  await using world = await createChannelWorld()
  for (const who of [world.channels, receiver.address]) await world.mint(who, 1n)
  let salt = 1000n
  const config = () => {
    salt += 1n
    return world.config({ salt: numberToHex(salt, { size: 32 }) })
  }
  const figures: Figures = {}

  figures.openChannel = (await world.call(payer, 'open', [config(), usdc(10)])).gas
  const signed = config()
  const opening = await world.authorizeOpening(signed, usdc(10))
  figures.openChannelWithAuthorization = (
    await world.call(actors.relayer, 'openWithAuthorization', [signed, usdc(10), 0n, farOff, opening])
  ).gas
  figures.topUp = (await world.call(payer, 'topUp', [signed, usdc(1)])).gas
  const more = await world.authorizeTopUp(signed, usdc(1), hash(1))
  figures.topUpWithAuthorization = (
    await world.call(actors.relayer, 'topUpWithAuthorization', [signed, usdc(1), hash(1), 0n, farOff, more])
  ).gas

  const configs: ChannelConfig[] = []
  for (let i = 0; i < channelsOfABatch; i++) {
    const one = config()
    await world.call(payer, 'open', [one, usdc(10)])
    configs.push(one)
  }
  const claims = (total: bigint) => Promise.all(configs.map((one) => world.claimOf(one, total)))
  const each = (gas: number) => Math.ceil(gas / channelsOfABatch)
  figures['claimMany 10, each, first'] = each((await world.call(receiver, 'claimMany', world.batchOf(await claims(usdc(1))))).gas)
  figures['claimMany 10, each'] = each((await world.call(receiver, 'claimMany', world.batchOf(await claims(usdc(2))))).gas)
  const batch = await claims(usdc(3))
  const signature = await world.signBatch(batch, receiver)
  figures['claimManyWithSignature 10, each'] = each(
    (await world.call(actors.relayer, 'claimManyWithSignature', [...world.batchOf(batch), signature])).gas,
  )
  figures.withdrawChannelCredit = (await world.call(receiver, 'withdrawCredit', [world.token, receiver.address])).gas
  const [one, two, three] = configs as [(typeof configs)[number], (typeof configs)[number], (typeof configs)[number]]
  figures.claimVoucher = (await world.call(receiver, 'claim', [await world.claimOf(one, usdc(4))])).gas
  figures.closeChannel = (await world.call(receiver, 'close', [one, usdc(5), await world.sign(one, usdc(5))])).gas
  const both = [await world.signClose(two, usdc(4), payer), await world.signClose(two, usdc(4), receiver)] as const
  figures.closeWithSignatures = (await world.call(actors.relayer, 'closeWithSignatures', [two, usdc(4), Number(farOff), ...both])).gas
  figures.requestClose = (await world.call(payer, 'requestClose', [three])).gas
  await world.timeIs((await world.now()) + three.withdrawDelay)
  figures.withdrawChannel = (await world.call(actors.stranger, 'withdraw', [three])).gas
  return figures
}

const leaves = 4096
const agents = 5
export const stepsOfAnEpoch = 1000

export async function measureEpochs(): Promise<Figures> {
  await using world = await createEpochWorld()
  const figures: Figures = {}
  const treeOf = (count: number, epoch: bigint) =>
    world.tree(...Array.from({ length: count }, (_, i) => [payee(i), (1000n + BigInt(i)) * epoch] as const))
  for (let i = 0; i < agents; i++) await world.mint(payee(i), 1n)

  // Epochs one and two fill every slot; the third one costs what all later ones do.
  for (const epoch of [1n, 2n, 3n]) {
    const tree = treeOf(leaves, epoch)
    const committed = await world.commit(tree)
    figures.commitEpoch = committed.gas
    await world.pass()
    const { gas } = await world.claim(committed.slot, tree, payee(0), 1000n * epoch)
    if (epoch === 1n) figures['claimEpoch 4096 leaves, first'] = gas
    figures['claimEpoch 4096 leaves'] = gas
  }

  const five = (epoch: bigint) => {
    const tree = treeOf(agents, epoch)
    const claims = Array.from({ length: agents }, (_, i) => {
      const account = payee(i)
      return { account, cumulative: (1000n + BigInt(i)) * epoch, proof: tree.proofOf(account) }
    })
    return { tree, claims }
  }
  // A contract of its own, as five agents of one client would have.
  await using small = await createEpochWorld()
  for (let i = 0; i < agents; i++) await small.mint(payee(i), 1n)
  for (const epoch of [1n, 2n, 3n, 4n]) {
    const { tree, claims } = five(epoch)
    const { gas: commit, slot: at } = await small.commit(tree)
    await small.pass()
    const together = epoch % 2n === 0n
    let paid = 0
    if (together) paid = (await small.call(actors.relayer, 'claimMany', [at, claims])).gas
    else
      for (const { account, cumulative, proof } of claims)
        paid += (await small.call(actors.relayer, 'claim', [at, account, cumulative, proof])).gas
    figures[together ? 'epoch of 1,000 steps to 5, per step, claimed together' : 'epoch of 1,000 steps to 5, per step'] = Math.ceil(
      (commit + paid) / stepsOfAnEpoch,
    )
  }

  const last = treeOf(leaves, 4n)
  await world.commit(last)
  const before = treeOf(leaves, 3n)
  figures['demand 4096 leaves'] = (await world.call(actors.stranger, 'demand', [payee(0), 3000n, before.proofOf(payee(0))])).gas
  figures['answer 4096 leaves'] = (await world.call(actors.evaluator, 'answer', [payee(0), 4000n, last.proofOf(payee(0))])).gas
  return figures
}
