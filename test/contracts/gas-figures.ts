/**
 * What the calls cost, measured: gas of the whole transaction, 21,000 and calldata included. Everything that is paid
 * holds the token beforehand, and what is written was written before unless the name says "first"; a first payment to
 * anybody costs 17,100 more. The same figures each time: keys, salts and amounts are fixed.
 */
import type { ChannelConfig } from '@parley/protocol'
import { type Abi, maxUint256, numberToHex, zeroAddress } from 'viem'
import { type PlanTerms, permit2Address, testUsdcAbi } from '../../contracts/abi/index.ts'
import { actors, hash, payee, usdc } from './actors.ts'
import { farOff } from './chain.ts'
import { createEpochWorld } from './epoch-payouts/world.ts'
import { budget, createJobs, deliverable, reason } from './job-escrow-8183/jobs.ts'
import { deployPermit2 } from './permit2/permit2.ts'
import { createChannelWorld, payer, receiver } from './voucher-channels/world.ts'
import { type Charter, createWorld, hiredFor, settlementOf, unsealed } from './world.ts'

export type Figures = Record<string, number>

/** Each contract on a chain of its own, so that none of them changes what another one costs. */
export async function measureAll(): Promise<Figures> {
  return { ...(await measurePlans()), ...(await measureJobs()), ...(await measureChannels()), ...(await measureEpochs()) }
}

const plansOfABatch = 50

async function measurePlans(): Promise<Figures> {
  await using world = await createWorld()
  const { client, evaluator, relayer, feeTo, alice, bob, carol, stranger } = actors
  for (const who of [world.escrow, feeTo.address, ...Array.from({ length: 64 }, (_, i) => payee(i))])
    await world.write(relayer, world.token, testUsdcAbi as Abi, 'mint', [who, 1n])

  const time = Number(farOff)
  let salt = 1_000_000n
  const termsOf = (changes: Partial<PlanTerms> = {}) => {
    salt += 1n
    return world.terms({ workBy: time, reviewBy: time, expiry: time, salt, total: usdc(10), ...changes })
  }
  /** So many steps in a row to so many payees. */
  const team = (count: number, payees = count): Charter => ({
    version: 1,
    steps: Array.from({ length: count }, (_, i) => ({ payee: payee(Math.floor((i * payees) / count)), amount: usdc(0.1) })),
    royalties: [],
    charterHash: hash(0xc4),
  })
  /** Terms that carry their charter, which is in force as version 0. */
  const hire = async (charter: Charter) => ({ hired: { ...charter, version: 0 }, terms: await termsOf(hiredFor(charter)) })
  const all = (charter: Charter) => settlementOf((1n << BigInt(charter.steps.length)) - 1n)
  const gasOf = async (call: Promise<{ gas: bigint }>) => Number((await call).gas)
  const figures: Figures = {}

  const measureHire = async (name: string, charter: Charter) => {
    const count = charter.steps.length
    const { hired, terms } = await hire(charter)
    const fund = await gasOf(world.fund(terms))
    const settle = await gasOf(world.settle(terms, hired, all(hired)))
    figures[`${name}: fund`] = fund
    figures[`${name}: settle`] = settle
    figures[`${name}: all, per step`] = Math.ceil((fund + settle) / count)

    // As above, the evaluator calling itself, with no signature to bring and check.
    const other = await hire(charter)
    const again = await gasOf(world.fund(other.terms))
    const called = await gasOf(world.call(evaluator, 'settle', [await world.settlement(other.terms, other.hired, all(hired), '0x')]))
    figures[`${name}, settled by the evaluator's call: settle`] = called
    figures[`${name}, settled by the evaluator's call: all, per step`] = Math.ceil((again + called) / count)
    return settle
  }
  const counts = [1, 5, 10, 50]
  const settles: Figures = {}
  for (const count of counts) settles[count] = await measureHire(`direct hire of ${count}`, team(count))
  figures['direct hire: one more payee'] = Math.ceil(((settles[50] ?? 0) - (settles[5] ?? 0)) / 45)
  await measureHire('direct hire, 10 steps to 3 payees', team(10, 3))
  await measureHire('direct hire, 50 steps to 5 payees', team(50, 5))

  figures.fund = await gasOf(world.fund(await termsOf()))
  const authorized = async (terms: PlanTerms) =>
    gasOf(world.fundWithAuthorization(terms, 0n, farOff, await world.signFunding(terms, farOff)))
  figures.fundWithAuthorization = await authorized(await termsOf())
  const gasless = await hire(team(1))
  figures['direct hire of 1, gasless: fund'] = await authorized(gasless.terms)
  figures['direct hire of 1, gasless: settle'] = await gasOf(world.settle(gasless.terms, gasless.hired, all(gasless.hired)))
  figures['direct hire of 1, gasless: all'] = figures['direct hire of 1, gasless: fund'] + figures['direct hire of 1, gasless: settle']

  const each = (gas: number) => Math.ceil(gas / plansOfABatch)
  const batch = []
  for (let i = 0; i < plansOfABatch; i++) batch.push(await hire({ ...team(1), steps: [{ payee: payee(i), amount: usdc(0.1) }] }))
  const opened = await gasOf(world.call(client, 'fundMany', [batch.map(({ terms }) => terms)]))
  const settlements = await Promise.all(batch.map(({ terms, hired }) => world.settlement(terms, hired, all(hired))))
  const settled = await world.call(relayer, 'settleMany', [settlements])
  // A settlement that fails leaves the others be, and would make the batch look cheap.
  const paid = settled.events.filter(({ name }) => name === 'Paid').length
  if (paid !== plansOfABatch) throw new Error(`settleMany paid ${paid} of ${plansOfABatch}`)
  figures['fundMany 50, each'] = each(opened)
  figures['settleMany 50, each'] = each(Number(settled.gas))
  figures['fundMany + settleMany 50, each'] = each(opened + Number(settled.gas))

  const measureTeam = async (charter: Charter, changes: Partial<PlanTerms> = {}, close = false) => {
    const terms = await termsOf(changes)
    const fund = await gasOf(world.fund(terms))
    const seal = await gasOf(world.seal(terms, charter))
    const settle = await gasOf(world.settle(terms, charter, { ...all(charter), close }))
    return { fund, seal, settle }
  }
  for (const count of counts) {
    const { fund, seal, settle } = await measureTeam(team(count))
    figures[`seal ${count}`] = seal
    figures[`settle ${count}`] = settle
    figures[`fund + settle, per step of ${count}`] = Math.ceil((fund + settle) / count)
    figures[`fund + seal + settle, per step of ${count}`] = Math.ceil((fund + seal + settle) / count)
  }
  figures['settle 5, with fee'] = (await measureTeam(team(5), { feeBps: 250 })).settle
  figures['settle 5, close'] = (await measureTeam(team(5), {}, true)).settle
  figures['settle 10, one payee'] = (await measureTeam(team(10, 1))).settle

  const members = [alice, bob, carol, stranger, feeTo]
  const agreed = { ...team(5), steps: members.map(({ address }) => ({ payee: address, amount: usdc(0.1) })) }
  const joint = await termsOf()
  await world.fund(joint)
  const words = await Promise.all(
    members.map(async (by) => ({ signer: by.address, signature: await world.signCharter(joint, agreed, by) })),
  )
  figures['seal 5, agreed'] = await gasOf(world.seal(joint, agreed, undefined, words))

  const voided = await termsOf()
  await world.fund(voided)
  figures.void = await gasOf(world.settle(voided, unsealed, settlementOf(0n, true)))
  const expired = await termsOf()
  await world.fund(expired)
  await deployPermit2(world.connection.provider)
  await world.write(client, world.token, testUsdcAbi as Abi, 'approve', [permit2Address, maxUint256])
  const permitted = async (terms: PlanTerms, nonce: bigint) =>
    gasOf(world.call(relayer, 'fundWithPermit2', [terms, nonce, farOff, await world.signPermit2(terms, nonce, farOff)]))
  figures['fundWithPermit2, first of 256'] = await permitted(await termsOf(), 0n)
  figures.fundWithPermit2 = await permitted(await termsOf(), 1n)
  // Last: the time of all other terms is over then.
  await world.timeIs(time)
  figures.refund = await gasOf(world.refund(expired))
  return figures
}

/** A job's whole life by the calls of ERC-8183, with a link as its description. */
async function measureJobs(): Promise<Figures> {
  await using jobs = await createJobs()
  const { client, alice: provider, evaluator, stranger, relayer } = actors
  for (const who of [jobs.world.escrow, provider.address])
    await jobs.world.write(relayer, jobs.token, testUsdcAbi as Abi, 'mint', [who, 1n])
  await jobs.jobIn('Completed')
  const figures: Figures = {}
  const spend = async (by: typeof client, call: string, args: readonly unknown[]) => {
    const { gas } = await jobs.call(by, call, args)
    figures[`job: ${call}`] = gas
    return gas
  }
  const link = 'https://example.org/job'
  const created = await spend(client, 'createJob', [provider.address, evaluator.address, farOff, link, zeroAddress])
  const id = await jobs.counter()
  const priced = await spend(client, 'setBudget', [id, budget, '0x'])
  const funded = await spend(client, 'fund', [id, budget, '0x'])
  const submitted = await spend(provider, 'submit', [id, deliverable, '0x'])
  const completed = await spend(evaluator, 'complete', [id, reason, '0x'])
  figures['job: five calls'] = created + priced + funded + submitted + completed
  const atOnce = await spend(client, 'createAndFund', [provider.address, evaluator.address, farOff, link, budget])
  figures['job: createAndFund, submit, complete'] = atOnce + submitted + completed
  await spend(evaluator, 'reject', [await jobs.counter(), reason, '0x'])
  const late = await jobs.jobIn('Funded')
  await jobs.world.timeIs(Number(late.expiredAt))
  await spend(stranger, 'claimRefund', [late.id])
  return figures
}

const channelsOfABatch = 10

async function measureChannels(): Promise<Figures> {
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
const stepsOfAnEpoch = 1000

async function measureEpochs(): Promise<Figures> {
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
