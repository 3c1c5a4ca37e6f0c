import {
  type Charter,
  charterBinding,
  charterHash,
  type EscrowTerms,
  escrowDomain,
  escrowPlanId,
  findFundingMismatch,
  termsTypes,
} from '@parley/protocol'
import { hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const market = { chainId: 31_337, escrow: address('e') }
const charter = {
  ...{ v: '1', goal_id: 'gol_0192f0c1a2b37c4d8e5f60718293a4b7', room_id: 'rom_0192f0c1a2b37c4d8e5f60718293a4b5', version: 0 },
  ...{ total: '2000000', fee_bps: 250, steps: [{ step: 1, payee: address('a'), amount: '1000000' }] },
} as unknown as Charter

async function fundingOf(changes: Partial<EscrowTerms> = {}, message: object = {}) {
  const terms: EscrowTerms = {
    ...{
      client: address('c'),
      token: address('7'),
      total: 2_000_000n,
      workBy: 10,
      reviewBy: 20,
      expiry: 30,
      feeBps: 250,
      feeTo: address('f'),
    },
    ...{ evaluator: address('d'), arbitrator: address('0'), authorizer: address('0'), vetoSeconds: 0, onSilence: 3, salt: 5n },
    ...{ charter: charterBinding(charter, await charterHash(charter)), briefHash: `0x${'1'.repeat(64)}`, ...changes },
  }
  const domain = escrowDomain(market.chainId, market.escrow)
  const nonce = hashTypedData({ domain, types: termsTypes, primaryType: 'Terms', message: terms })
  return { terms, charter, typedData: { message: { from: terms.client, to: market.escrow, value: terms.total, nonce, ...message } } }
}

describe('escrowPlanId', () => {
  it('is the EIP-712 digest of the terms, as wallets compute it', async () => {
    for (const changes of [
      {},
      { total: 2n ** 96n - 1n, salt: 2n ** 255n },
      { client: '0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD' as const },
    ]) {
      const { terms, typedData } = await fundingOf(changes)
      expect(escrowPlanId(terms, market)).toBe(typedData.message.nonce)
    }
    expect(escrowPlanId((await fundingOf()).terms, { ...market, chainId: 1 })).not.toBe((await fundingOf()).typedData.message.nonce)
  })
})

describe('findFundingMismatch', () => {
  it('accepts a signature over exactly the shown plan, and an open bounty', async () => {
    expect(await findFundingMismatch(await fundingOf(), market)).toBeNull()
    const open = await fundingOf({ charter: `0x${'0'.repeat(64)}` })
    expect(await findFundingMismatch({ ...open, charter: null }, market)).toBeNull()
  })

  it('finds another payee, another amount, and a team that is not shown', async () => {
    const funding = await fundingOf()
    const [step] = charter.steps
    for (const changed of [{ payee: address('b') }, { amount: '1000001' }])
      expect(await findFundingMismatch({ ...funding, charter: { ...charter, steps: [{ ...step, ...changed } as never] } }, market)).toBe(
        'team',
      )
    expect(await findFundingMismatch({ ...funding, charter: null }, market)).toBe('team')
  })

  it('finds another sum, another receiver, and the plan of another goal', async () => {
    for (const changed of [{ value: 2_000_001n }, { to: address('b') }, { nonce: `0x${'2'.repeat(64)}` }])
      expect(await findFundingMismatch(await fundingOf({}, changed), market)).toBe('payment')
  })
})
