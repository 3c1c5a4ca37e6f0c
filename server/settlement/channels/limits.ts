/** Amounts in base units of the market's token. */
export type ChannelLimits = {
  /** A smaller deposit is not worth a transaction; a larger one is worth a goal of its own. */
  readonly minDeposit: bigint
  readonly maxDeposit: bigint
  /** The server claims from this amount on; a publisher may ask for a claim from `minClaim` on. */
  readonly autoClaimThreshold: bigint
  readonly minClaim: bigint
}

/** 0.50 to 10,000 dollars in a channel, claims from 0.05, and without a request from 5. `decimals`: of the token. */
export function channelLimits(decimals: number): ChannelLimits {
  const cents = (amount: bigint) => (amount * 10n ** BigInt(decimals)) / 100n
  return { minDeposit: cents(50n), maxDeposit: cents(1_000_000n), autoClaimThreshold: cents(500n), minClaim: cents(5n) }
}
