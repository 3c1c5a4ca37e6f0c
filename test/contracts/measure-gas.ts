/**
 * What the calls cost, measured: gas of the whole transaction, 21,000 and calldata included. Every payee already holds the token, and every
 * written slot is nonzero before, unless the name says "first". A first payment to an account costs 17,100 more. The same figures each
 * time: keys, salts and amounts are fixed.
 */
import type { ChannelConfig } from '@parley/protocol'
import { type Abi, type Address, maxUint256, numberToHex } from 'viem'
import { type PlanTerms, permit2Address, testUsdcAbi } from '../../contracts/abi/index.ts'
import { actors, hash, payee, usdc } from './actors.ts'
import { farOff } from './chain.ts'
import { deployPermit2 } from './permit2/permit2.ts'
import { createChannelWorld, payer, receiver } from './voucher-channels/world.ts'
import { type Charter, createWorld, hiredFor, settlementOf, unsealed, type World } from './world.ts'

export type Figures = Record<string, number>

/** Each contract on a chain of its own, so that none of them changes what another one costs. */
export async function measureAll(): Promise<Figures> {
  return { ...(await measurePlans()), ...(await measureChannels()) }
}

const plansOfABatch = 50

async function measurePlans(): Promise<Figures> {
  await using world = await createWorld()
  const { client, evaluator, relayer, feeTo } = actors
  for (const who of [world.escrow, feeTo.address, ...Array.from({ length: 64 }, (_, i) => payee(i))])
    await world.write(relayer, world.token, testUsdcAbi as Abi, 'mint', [who, 1n])

  await world.write(relayer, world.token, testUsdcAbi as Abi, 'mint', [client.address, usdc(1000)])
  // A fixed time, so that calldata has the same bytes each time; and what no plan may outlast.
  const time = Number(farOff)
  await world.timeIs(time - 300 * 86_400)
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
  const settled = await world.call(relayer, 'settleMany', [await world.signedBatch('settle', settlements, 200_000n)])
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

  Object.assign(figures, await measureBounties(world, termsOf))
  figures['settleMany 50, each, the evaluator calls'] = each(await measureCalledBatch(world, hire, team))

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

/** As the product sends an open bounty: funded by ERC-3009, sealed late, with a fee, a session key and a settler of its own. */
async function measureBounties(world: World, termsOf: (changes?: Partial<PlanTerms>) => Promise<PlanTerms>): Promise<Figures> {
  const { alice, bob, carol, arbitrator, stranger: session, relayer } = actors
  const figures: Figures = {}
  const product = { arbitrator: arbitrator.address, authorizer: session.address, vetoSeconds: 86_400, onSilence: 3, feeBps: 250 }
  const dated = async () => {
    const { workBy, expiry } = await termsOf()
    return termsOf({ ...product, workBy: workBy - 2 * 86_400, reviewBy: workBy - 86_400, expiry })
  }
  const charterFor = (team: readonly { address: Address }[]): Charter => ({
    version: 1,
    steps: team.map(({ address }) => ({ payee: address, amount: usdc(1) })),
    royalties: [],
    charterHash: hash(0xc4),
  })
  const funded = async () => {
    const terms = await dated()
    const { gas } = await world.fundWithAuthorization(terms, 0n, farOff, await world.signFunding(terms, farOff))
    return { terms, fund: Number(gas) }
  }
  const everything = (charter: Charter) => settlementOf((1n << BigInt(charter.steps.length)) - 1n, true)
  const sealedBy = async (terms: PlanTerms, charter: Charter) =>
    world.sealing(terms, charter, await world.signAuthorization(terms, charter, session))
  const together = async (terms: PlanTerms, charter: Charter) => ({
    ...(await world.sealedSettlement(terms, charter, everything(charter))),
    sealing: await sealedBy(terms, charter),
  })
  const paidAll = (events: readonly { name: string }[], count: number) => {
    const paid = events.filter(({ name }) => name === 'Paid').length
    if (paid !== count) throw new Error(`the batch paid ${paid} of ${count}`)
  }
  // What pays a payee, the fee's taker and the client back the first time costs 17,100 more each.
  for (const team of [[alice, bob, carol], [alice], [alice, bob, carol]]) {
    const charter = charterFor(team)
    const { terms, fund } = await funded()
    const settle = Number((await world.call(relayer, 'sealAndSettle', [await together(terms, charter)])).gas)
    const name = `open bounty, ${team.length} ${team.length === 1 ? 'payee' : 'payees'}`
    Object.assign(figures, { [`${name}: fund`]: fund, [`${name}: seal and settle`]: settle, [`${name}: all`]: fund + settle })
  }
  const charter = charterFor([alice])
  const ten: PlanTerms[] = []
  for (let i = 0; i < 10; i++) ten.push((await funded()).terms)
  const late = await world.call(relayer, 'sealAndSettleMany', [
    await world.signedBatch('sealAndSettle', await Promise.all(ten.map((terms) => together(terms, charter))), 300_000n),
  ])
  paidAll(late.events, 10)
  figures['open bounty, 10 due at once: sealed and settled, each'] = Math.ceil(Number(late.gas) / 10)

  const settlements = []
  for (let i = 0; i < 10; i++) {
    const { terms } = await funded()
    const seal = await world.call(relayer, 'seal', [await sealedBy(terms, charter)])
    figures['open bounty, 1 payee: seal'] = Number(seal.gas)
    settlements.push(await world.settlement(terms, charter, everything(charter)))
  }
  const due = await world.call(relayer, 'settleMany', [await world.signedBatch('settle', settlements, 300_000n)])
  paidAll(due.events, 10)
  figures['open bounty, 10 due at once: settled, each'] = Math.ceil(Number(due.gas) / 10)
  return figures
}

type Hired = { hired: Charter; terms: PlanTerms }

/** Fifty direct hires settled by the evaluator's own call: no signature to bring and check. */
async function measureCalledBatch(
  world: World,
  hire: (charter: Charter) => Promise<Hired>,
  team: (count: number) => Charter,
): Promise<number> {
  const batch: Hired[] = []
  for (let i = 0; i < plansOfABatch; i++) batch.push(await hire({ ...team(1), steps: [{ payee: payee(i), amount: usdc(0.1) }] }))
  await world.call(actors.client, 'fundMany', [batch.map(({ terms }) => terms)])
  const settlements = await Promise.all(batch.map(({ terms, hired }) => world.settlement(terms, hired, settlementOf(1n), '0x')))
  const { gas, events } = await world.call(actors.evaluator, 'settleMany', [world.batch('settle', settlements, 200_000n)])
  const paid = events.filter(({ name }) => name === 'Paid').length
  if (paid !== plansOfABatch) throw new Error(`settleMany paid ${paid} of ${plansOfABatch}`)
  return Number(gas)
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
