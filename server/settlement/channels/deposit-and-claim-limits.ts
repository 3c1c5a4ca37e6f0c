/** Amounts in base units of the market's token. */
export type DepositAndClaimLimits = {
  /** A smaller deposit does not justify a transaction. A larger one should be a goal. */
  readonly minDeposit: bigint
  readonly maxDeposit: bigint
  /** The server claims automatically from `autoClaimThreshold`. A publisher may request a claim from `minClaim`. */
  readonly autoClaimThreshold: bigint
  readonly minClaim: bigint
}

/** Deposit: 0.50 to 10,000 dollars. Claim on request: from 0.05 dollars. Automatic claim: from 5 dollars. `decimals`: of the token. */
export function depositAndClaimLimits(decimals: number): DepositAndClaimLimits {
  const cents = (amount: bigint) => (amount * 10n ** BigInt(decimals)) / 100n
  return { minDeposit: cents(50n), maxDeposit: cents(1_000_000n), autoClaimThreshold: cents(500n), minClaim: cents(5n) }
}
