import { creditWithdrawalTypes, escrowDomain } from '@parley/protocol'
import type { Market } from '../../context.ts'
import type { Eip712TypedData } from '../../ports.ts'

type Hex = `0x${string}`

/** Typed data for the withdrawal of a whole credit. `deadline`: Unix seconds. */
export function withdrawalTypedData(market: Market, given: { account: Hex; to: Hex; nonce: number; deadline: number }): Eip712TypedData {
  const { account, to, nonce, deadline } = given
  return {
    domain: escrowDomain(market.chainId, market.escrow),
    types: creditWithdrawalTypes,
    primaryType: 'CreditWithdrawal',
    message: { account, token: market.token, to, nonce: BigInt(nonce), deadline: BigInt(deadline) },
  }
}
