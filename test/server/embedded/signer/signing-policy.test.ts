import { batchTypes } from '@parley/protocol'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createSignerServer } from '../../../../server/embedded/signer/signer-server.ts'
import {
  type AskedTransaction,
  countWords,
  refuseTransaction,
  refuseTypedData,
  type SigningPolicy,
} from '../../../../server/embedded/signer/signing-policy.ts'
import { developmentKeys } from '../../../support/development-keys.ts'

const hex = (byte: string): Hex => `0x${byte.repeat(20)}`
const word = (byte: string): Hex => `0x${byte.repeat(32)}`
const site = { chainId: 8_453, escrow: hex('aa'), channels: hex('bb') }
const policy = (role: SigningPolicy['role'], change: Partial<SigningPolicy> = {}): SigningPolicy => ({
  role,
  perHour: 2,
  maxTransactionFee: 10n ** 15n,
  wallet: null,
  ...change,
})
const own = hex('cc')
const call: AskedTransaction = { chainId: 8_453, to: site.escrow, data: '0x12345678', value: 0n, gas: 100_000n, maxFeePerGas: 10n ** 9n }

describe('refuseTransaction', () => {
  it.each<[string, SigningPolicy, Partial<AskedTransaction>]>([
    ['a key of another role', policy('evaluator'), {}],
    ['another chain', policy('settler'), { chainId: 1 }],
    ['coins', policy('settler'), { value: 1n }],
    ['a contract that is none of ours', policy('settler'), { to: hex('dd') }],
    ['the making of a contract', policy('settler'), { to: null }],
    ['a call to itself that is no cancellation', policy('settler'), { to: own }],
    ['more gas than may be paid', policy('settler'), { maxFeePerGas: 10n ** 11n }],
  ])('refuses %s', (_what, key, change) => {
    expect(refuseTransaction(key, site, own, { ...call, ...change })).toEqual(expect.any(String))
  })

  it('lets the settler call our contracts, and use up a nonce', () => {
    expect(refuseTransaction(policy('settler'), site, own, call)).toBeNull()
    expect(refuseTransaction(policy('settler'), site, own, { ...call, to: site.channels })).toBeNull()
    expect(refuseTransaction(policy('settler'), site, own, { ...call, to: own, data: '0x' })).toBeNull()
    expect(refuseTransaction(policy('settler'), { ...site, channels: null }, own, { ...call, to: hex('bb') })).not.toBeNull()
  })
})

describe('refuseTypedData', () => {
  const domain = { chainId: 8_453, verifyingContract: site.escrow }
  it.each<[string, SigningPolicy, string, object]>([
    ['another chain', policy('evaluator'), 'Attestation', { ...domain, chainId: 1 }],
    ['no chain', policy('evaluator'), 'Attestation', { verifyingContract: site.escrow }],
    ['another contract, as a token', policy('evaluator'), 'ReceiveWithAuthorization', { ...domain, verifyingContract: hex('dd') }],
    ["the arbitrator's word of the evaluator", policy('evaluator'), 'Ruling', domain],
    ["the evaluator's word of the arbitrator", policy('arbitrator'), 'Attestation', domain],
    ['any word of the settler', policy('settler'), 'Attestation', domain],
    ['a message of a wallet that is not its own', policy('evaluator'), 'SafeMessage', { ...domain, verifyingContract: hex('ee') }],
    [
      'a word that hides in the domain of its wallet',
      policy('evaluator', { wallet: hex('ee') }),
      'Attestation',
      { ...domain, verifyingContract: hex('ee') },
    ],
  ])('refuses %s', (_what, key, primaryType, about) => {
    expect(refuseTypedData(key, site, { primaryType, domain: about, types: {}, message: {} })).toEqual(expect.any(String))
  })

  it('lets each role sign its messages', () => {
    const any = { types: {}, message: {} }
    for (const primaryType of ['Charter', 'Attestation', 'Submission'])
      expect(refuseTypedData(policy('evaluator'), site, { primaryType, domain, ...any })).toBeNull()
    expect(refuseTypedData(policy('arbitrator'), site, { primaryType: 'Ruling', domain, ...any })).toBeNull()
    const wallet = { ...domain, verifyingContract: hex('ee') }
    const message = { primaryType: 'SafeMessage', domain: wallet, ...any }
    expect(refuseTypedData(policy('evaluator', { wallet: hex('ee') }), site, message)).toBeNull()
  })

  const attestation = { planId: word('11'), charter: word('22'), bits: '1', close: true, conclusionHash: word('33') }
  const batch = { primaryType: 'Batch', domain, types: batchTypes, message: { attestations: [attestation, attestation] } }

  it('lets the evaluator sign a batch of attestations, each of which counts', () => {
    expect(refuseTypedData(policy('evaluator'), site, batch)).toBeNull()
    expect(countWords(batch)).toBe(2)
    expect(countWords({ ...batch, primaryType: 'Attestation', message: attestation })).toBe(1)
  })

  it('refuses a batch of anything else', () => {
    const plain = { ...batch, types: { Batch: [{ name: 'attestations', type: 'bytes32[]' }] }, message: { attestations: [word('11')] } }
    const renamed = { ...batch, types: { Batch: [{ name: 'attestations', type: 'Release[]' }], Release: batchTypes.Attestation } }
    const more = { ...batchTypes, Batch: [...batchTypes.Batch, { name: 'to', type: 'address' }] }
    const wider = { ...batch, types: more, message: { ...batch.message, to: hex('dd') } }
    const other = { ...batch, domain: { ...domain, chainId: 1 } }
    for (const bad of [plain, renamed, wider, other, { ...batch, message: { attestations: [] } }, { ...batch, message: {} }])
      expect(refuseTypedData(policy('evaluator'), site, bad)).toEqual(expect.any(String))
    expect(refuseTypedData(policy('arbitrator'), site, batch)).toEqual(expect.any(String))
  })
})

describe('createSignerServer', () => {
  it('answers no one without a token, keeps roles apart, and signs this many times an hour', async () => {
    let now = 0
    const [settlerKey = '0x', evaluatorKey = '0x'] = developmentKeys
    const keys = [
      { ...policy('settler'), privateKey: settlerKey },
      { ...policy('evaluator'), privateKey: evaluatorKey },
    ]
    const clients = [
      { token: 'of the settler', roles: ['settler' as const] },
      { token: 'of both', roles: ['settler' as const, 'evaluator' as const] },
    ]
    const server = createSignerServer({ site, keys, clients }, () => now)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    const ask = async (token: string, method: string, params: unknown[] = []) => {
      const response = await fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
      })
      return { status: response.status, ...((await response.json()) as { result?: unknown; error?: { message: string } }) }
    }
    const addressOf = (key: Hex) => privateKeyToAccount(key).address.toLowerCase()
    expect(await ask('wrong', 'eth_accounts')).toMatchObject({ status: 401 })
    expect((await ask('of the settler', 'eth_accounts')).result).toEqual([addressOf(settlerKey)])
    expect((await ask('of both', 'eth_accounts')).result).toEqual([addressOf(settlerKey), addressOf(evaluatorKey)])
    const data = {
      domain: { name: 'PlanEscrow', version: '1', chainId: site.chainId, verifyingContract: site.escrow },
      types: { Attestation: [{ name: 'bits', type: 'uint64' }] },
      primaryType: 'Attestation',
      message: { bits: '1' },
    }
    const attest = (token: string) => ask(token, 'eth_signTypedData', [addressOf(evaluatorKey), JSON.stringify(data)])
    expect((await attest('of the settler')).error?.message).toContain('no key of')
    expect((await attest('of both')).result).toMatch(/^0x[0-9a-f]{130}$/)
    expect((await attest('of both')).result).toBeDefined()
    expect((await attest('of both')).error?.message).toContain('in an hour')
    const two = {
      domain: data.domain,
      types: batchTypes,
      primaryType: 'Batch',
      message: {
        attestations: Array.from({ length: 2 }, () => ({
          planId: word('11'),
          charter: word('22'),
          bits: '1',
          close: true,
          conclusionHash: word('33'),
        })),
      },
    }
    const attestTwo = () => ask('of both', 'eth_signTypedData', [addressOf(evaluatorKey), JSON.stringify(two)])
    now += 3_600_000
    expect((await attestTwo()).result).toMatch(/^0x[0-9a-f]{130}$/)
    expect((await attest('of both')).error?.message).toContain('in an hour')
    now += 3_600_000
    expect((await attest('of both')).result).toBeDefined()
    expect((await attestTwo()).error?.message).toContain('in an hour')
    now += 3_600_000
    expect((await attest('of both')).result).toBeDefined()
    expect((await ask('of both', 'eth_sign', [addressOf(evaluatorKey), '0x00'])).error?.message).toContain('not answered')
    expect((await ask('of both', 'eth_signTransaction', [{}])).error?.message).toContain('malformed')
    server.close()
    server.closeAllConnections()
  })
})
