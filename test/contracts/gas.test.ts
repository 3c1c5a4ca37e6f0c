/**
 * What each call costs, against the committed figures of gas.json: growth fails, and so does a stale gain.
 * `UPDATE_GAS=1 npx vitest run test/contracts/gas.test.ts` writes the file anew.
 * Recipients hold the token beforehand and so does the escrow; a first payment to anybody costs 17,100 more.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testUsdcAbi } from '../../contracts/abi/index.ts'
import { actors, type Charter, createWorld, hash, hiredFor, payee, settlementOf, unsealed, usdc, type World } from './world.ts'

const file = path.join(import.meta.dirname, 'gas.json')
const figures: Record<string, number> = {}

// Fixed, so that the same bytes are hashed, signed and sent each time.
const workBy = 4_102_444_800
const validBefore = BigInt(workBy)
let salt = 1_000_000n

let world: World
beforeAll(async () => {
  world = await createWorld()
  for (const who of [world.escrow, actors.feeTo.address, ...Array.from({ length: 64 }, (_, i) => payee(i))]) {
    await world.write(actors.relayer, world.token, testUsdcAbi, 'mint', [who, 1n])
  }
})
afterAll(() => world[Symbol.asyncDispose]())

const nextTerms = (feeBps = 0) => world.terms({ workBy, reviewBy: workBy, expiry: workBy, feeBps, salt: ++salt, total: usdc(10) })
const charterFor = (count: number): Charter => ({
  version: 1,
  steps: Array.from({ length: count }, (_, i) => ({ payee: payee(i), amount: usdc(0.1) })),
  royalties: [],
  charterHash: hash(0xc4),
})
const all = (count: number) => (1n << BigInt(count)) - 1n

async function team(count: number, feeBps = 0) {
  const terms = await nextTerms(feeBps)
  const charter = charterFor(count)
  const fund = Number((await world.fund(terms)).gas)
  const seal = Number((await world.seal(terms, charter)).gas)
  const settle = Number((await world.settle(terms, charter, settlementOf(all(count)))).gas)
  return { fund, seal, settle }
}

describe('gas', () => {
  it('of a direct hire, whose terms carry the charter: funded, settled, and nothing else', async () => {
    for (const count of [1, 5, 50]) {
      const charter = { ...charterFor(count), version: 0 }
      const terms = { ...(await nextTerms()), ...hiredFor(charter) }
      const fund = Number((await world.fund(terms)).gas)
      const settle = Number((await world.settle(terms, charter, settlementOf(all(count)))).gas)
      figures[`direct hire of ${count}: fund`] = fund
      figures[`direct hire of ${count}: settle`] = settle
      figures[`direct hire of ${count}: all, per step`] = Math.ceil((fund + settle) / count)

      // As above, the evaluator calling itself, with no signature to bring and check.
      const other = { ...(await nextTerms()), ...hiredFor(charter) }
      const again = Number((await world.fund(other)).gas)
      const said = { terms: other, charter, ...settlementOf(all(count)), signature: '0x' } as const
      const called = Number((await world.call(actors.evaluator, 'settle', [said])).gas)
      figures[`direct hire of ${count}, settled by the evaluator's call: all, per step`] = Math.ceil((again + called) / count)
    }
  })

  it('of ten steps to three payees', async () => {
    const steps = Array.from({ length: 10 }, (_, i) => ({ payee: payee(Math.floor((i * 3) / 10)), amount: usdc(0.1) }))
    const charter = { version: 0, steps, royalties: [], charterHash: hash(0xc4) }
    const terms = { ...(await nextTerms()), ...hiredFor(charter) }
    const fund = Number((await world.fund(terms)).gas)
    const settle = Number((await world.settle(terms, charter, settlementOf(all(10)))).gas)
    figures['direct hire, 10 steps to 3 payees: all, per step'] = Math.ceil((fund + settle) / 10)
  })

  it('of funding', async () => {
    figures.fund = Number((await world.fund(await nextTerms())).gas)
    const terms = await nextTerms()
    const signature = await world.signFunding(terms, validBefore)
    figures.fundWithAuthorization = Number((await world.fundWithAuthorization(terms, 0n, validBefore, signature)).gas)
  })

  it('of a team of 1, 5 and 50', async () => {
    for (const count of [1, 5, 50]) {
      const { fund, seal, settle } = await team(count)
      figures[`seal ${count}`] = seal
      figures[`settle ${count}`] = settle
      figures[`fund + settle, per step of ${count}`] = Math.ceil((fund + settle) / count)
      figures[`fund + seal + settle, per step of ${count}`] = Math.ceil((fund + seal + settle) / count)
    }
  })

  it('of a settlement with a fee, one that closes, and one that pays ten steps of one payee', async () => {
    figures['settle 5, with fee'] = (await team(5, 250)).settle

    const closing = await nextTerms()
    await world.fund(closing)
    await world.seal(closing, charterFor(5))
    figures['settle 5, close'] = Number((await world.settle(closing, charterFor(5), settlementOf(31n, true))).gas)

    const merging = await nextTerms()
    const charter = { ...charterFor(10), steps: charterFor(10).steps.map((step) => ({ ...step, payee: payee(0) })) }
    await world.fund(merging)
    await world.seal(merging, charter)
    figures['settle 10, one payee'] = Number((await world.settle(merging, charter, settlementOf(all(10)))).gas)
  })

  it('of taking money back', async () => {
    const voided = await nextTerms()
    await world.fund(voided)
    figures.void = Number((await world.settle(voided, unsealed, settlementOf(0n, true))).gas)
    const expired = await nextTerms()
    await world.fund(expired)
    await world.timeIs(expired.expiry)
    figures.refund = Number((await world.refund(expired)).gas)
  })

  it('is what the snapshot says', () => {
    if (process.env.UPDATE_GAS === '1') writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`)
    expect(figures).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })
})
