import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  Charter,
  charterBinding,
  charterHash,
  charterTypedData,
  escrowCharterOf,
  MemberSignature,
  outputsHash,
  payeesOf,
  submissionTypedData,
  TaskReceipt,
} from '@parley/protocol'
import { encodeAbiParameters, hashTypedData, keccak256, parseAbiParameters, recoverTypedDataAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { bindCharter, charterMessage } from '../../contracts/abi/index.ts'

const vector = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../protocol/vectors/signatures/agreement.json'), 'utf8'))
const charter = Charter.parse(vector.charter)
const plan = vector.charter.plan

describe('charterTypedData', () => {
  it('hashes steps and royalties as the escrow does', () => {
    const { steps, royalties } = escrowCharterOf(charter)
    const { message } = charterTypedData(charter, vector.charter_hash, plan)
    expect(royalties.map((one) => one.step)).toEqual([0, 2, 2])
    expect(message.stepsHash).toBe(
      keccak256(encodeAbiParameters(parseAbiParameters('(address,uint96)[]'), [steps.map((one) => [one.payee, one.amount] as const)])),
    )
    expect(message.royaltiesHash).toBe(
      keccak256(
        encodeAbiParameters(parseAbiParameters('(uint8,address,uint16)[]'), [royalties.map((one) => [one.step, one.to, one.bps] as const)]),
      ),
    )
  })
  it('is the message that the evaluator seals with', () => {
    const { message } = charterTypedData(charter, vector.charter_hash, plan)
    const sealed = { ...escrowCharterOf(charter), charterHash: vector.charter_hash }
    expect(message).toEqual(charterMessage(plan.plan_id, charter.version, sealed))
  })
  it('is what the vector says, and what its members signed', async () => {
    expect(await charterHash(charter)).toBe(vector.charter_hash)
    const data = charterTypedData(charter, vector.charter_hash, plan)
    expect({ steps_hash: data.message.stepsHash, royalties_hash: data.message.royaltiesHash, digest: hashTypedData(data) }).toEqual({
      steps_hash: vector.steps_hash,
      royalties_hash: vector.royalties_hash,
      digest: vector.digest,
    })
    const signatures = MemberSignature.array().parse(vector.member_signatures)
    const signers = await Promise.all(
      signatures.map(({ signature }) => recoverTypedDataAddress({ ...data, signature: signature as `0x${string}` })),
    )
    expect(signers.map((one) => one.toLowerCase())).toEqual(payeesOf(charter))
  })
  it('changes with the version, the plan, a payee, an amount and a royalty', () => {
    const digest = (one: Charter, at = plan) => hashTypedData(charterTypedData(one, vector.charter_hash, at))
    const [first, ...rest] = charter.steps
    if (!first) throw new Error('the vector has no step')
    const other = `0x${'9'.repeat(40)}` as const
    const all = [
      digest(charter),
      digest({ ...charter, version: 2 }),
      digest(charter, { ...plan, plan_id: `0x${'1'.repeat(64)}` }),
      digest(charter, { ...plan, chain_id: 1 }),
      digest(charter, { ...plan, escrow: other }),
      digest({ ...charter, steps: [{ ...first, payee: other }, ...rest] }),
      digest({ ...charter, steps: [{ ...first, amount: '1' }, ...rest] }),
      digest({ ...charter, steps: [{ ...first, royalties: [] }, ...rest] }),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('submissionTypedData', () => {
  it('is what the vector’s evaluator signed', async () => {
    const receipt = TaskReceipt.parse(vector.receipt)
    expect(charterBinding(charter, vector.charter_hash)).toBe(vector.charter_binding)
    expect(receipt.charter).toBe(vector.charter_binding)
    const sealed = { ...escrowCharterOf(charter), charterHash: vector.charter_hash }
    expect(bindCharter(sealed)).toBe(vector.charter_binding)
    const data = submissionTypedData(receipt)
    expect(hashTypedData(data)).toBe(vector.receipt_digest)
    const signer = await recoverTypedDataAddress({ ...data, signature: receipt.signature as `0x${string}` })
    expect(signer.toLowerCase()).toBe(charter.evaluator_id)
  })
})

describe('outputsHash', () => {
  it('names a set of files, in every order', async () => {
    const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
    expect(await outputsHash([b, a, a])).toBe(await outputsHash([a, b]))
    expect(await outputsHash([a])).not.toBe(await outputsHash([a, b]))
    expect(await outputsHash([])).toMatch(/^0x[0-9a-f]{64}$/)
  })
})
