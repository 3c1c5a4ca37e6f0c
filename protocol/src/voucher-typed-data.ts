/**
 * EIP-712 types that `VoucherChannels` verifies. `Voucher`, `ChannelConfig` and `ClaimBatch` are those of x402's batch settlement, so
 * its clients can sign for this contract. @see SPEC.md#vouchers
 */
export const voucherDomain = (chainId: number, channels: `0x${string}`) =>
  ({ name: 'Parley VoucherChannels', version: '1', chainId, verifyingContract: channels }) as const

/** A channel's terms, which never change. Their EIP-712 digest is the channel's id. */
export const channelConfigTypes = {
  ChannelConfig: [
    { name: 'payer', type: 'address' },
    { name: 'payerAuthorizer', type: 'address' },
    { name: 'receiver', type: 'address' },
    { name: 'receiverAuthorizer', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'withdrawDelay', type: 'uint40' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

/** Signed by the payer's side: the receiver may claim this much, over the channel's lifetime. */
export const voucherTypes = {
  Voucher: [
    { name: 'channelId', type: 'bytes32' },
    { name: 'maxClaimableAmount', type: 'uint128' },
  ],
} as const

/** A voucher for `eth_signTypedData_v4`. `maxClaimableAmount`: base units over the channel's lifetime. */
export const voucherTypedData = (
  at: { readonly chainId: number; readonly channels: `0x${string}` },
  voucher: { readonly channelId: `0x${string}`; readonly maxClaimableAmount: bigint },
) => ({ domain: voucherDomain(at.chainId, at.channels), types: voucherTypes, primaryType: 'Voucher', message: voucher }) as const

/** Signed by the receiver's side: anyone can claim this amount for it. Amounts are cumulative, so an old signature stays valid. */
export const claimBatchTypes = {
  ClaimBatch: [{ name: 'claims', type: 'ClaimEntry[]' }],
  ClaimEntry: [
    { name: 'channelId', type: 'bytes32' },
    { name: 'maxClaimableAmount', type: 'uint128' },
    { name: 'totalClaimed', type: 'uint128' },
  ],
} as const

/** Signed by both sides: the channel closes with this amount claimed. Only before `validBefore`, in Unix seconds. */
export const closeTypes = {
  Close: [
    { name: 'channelId', type: 'bytes32' },
    { name: 'totalClaimed', type: 'uint128' },
    { name: 'validBefore', type: 'uint40' },
  ],
} as const

/** Solidity's `ChannelConfig`. A zero authorizer: the payer or the receiver signs itself. Times in seconds. */
export type ChannelConfig = {
  readonly payer: `0x${string}`
  readonly payerAuthorizer: `0x${string}`
  readonly receiver: `0x${string}`
  readonly receiverAuthorizer: `0x${string}`
  readonly token: `0x${string}`
  readonly withdrawDelay: number
  readonly salt: `0x${string}`
}
