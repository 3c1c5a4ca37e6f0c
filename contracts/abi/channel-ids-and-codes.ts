/** What is signed for VoucherChannels, and the hashes that Solidity makes of it. */
import { type ChannelConfig, channelConfigTypes, voucherDomain } from '@parley/protocol'
import { type Address, encodeAbiParameters, type Hex, hashTypedData, keccak256 } from 'viem'

/** Which contract: a digest holds on one chain and one contract only. */
export type ChannelsAt = { chainId: number; channels: Address }

/** VoucherChannels.ChannelStatus, by its number. */
export const channelStatuses = ['None', 'Open', 'Closed'] as const

/** VoucherChannels.Fault, by its number: why a claim was refused or skipped. */
export const claimFaults = ['None', 'NotOpen', 'NothingNew', 'AboveVoucher', 'AboveDeposit', 'BadSignature'] as const

/** `VoucherChannels.channelId` without asking the chain; also the nonce of the ERC-3009 signature that opens it. */
export function channelIdOf(at: ChannelsAt, config: ChannelConfig): Hex {
  const domain = voucherDomain(at.chainId, at.channels)
  return hashTypedData({ domain, types: channelConfigTypes, primaryType: 'ChannelConfig', message: config })
}

/** The nonce of the ERC-3009 signature that tops a channel up. */
export function topUpNonceOf(channelId: Hex, salt: Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [channelId, salt]))
}
