import { channelConfigTypes, claimBatchTypes, closeTypes, voucherDomain, voucherTypes } from '@parley/protocol'
import { expect, it } from 'vitest'

const encode = (types: Record<string, readonly { name: string; type: string }[]>) =>
  Object.entries(types).map(([name, fields]) => `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`)

it('the typed data is what the contract hashes, and x402 signs', () => {
  expect(encode(voucherTypes)).toEqual(['Voucher(bytes32 channelId,uint128 maxClaimableAmount)'])
  expect(encode(channelConfigTypes)).toEqual([
    'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
  ])
  expect(encode(claimBatchTypes).join('')).toBe(
    'ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)',
  )
  expect(encode(closeTypes)).toEqual(['Close(bytes32 channelId,uint128 totalClaimed,uint40 validBefore)'])
  expect(voucherDomain(31_337, '0x01')).toEqual({
    name: 'Parley VoucherChannels',
    version: '1',
    chainId: 31_337,
    verifyingContract: '0x01',
  })
})
