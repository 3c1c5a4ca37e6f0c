/** A chain with VoucherChannels on it, a payer with money, and what its parties sign. */
import { type ChannelConfig, claimBatchTypes, closeTypes, voucherDomain, voucherTypes } from '@parley/protocol'
import type { Abi, Address, ContractFunctionArgs, ContractFunctionName, Hex, LocalAccount } from 'viem'
import { numberToHex, zeroAddress } from 'viem'
import { channelIdOf, topUpNonceOf, voucherChannelsAbi, voucherChannelsBytecode } from '../../../contracts/abi/index.ts'
import { actors, usdc } from '../actors.ts'
import { createChain, farOff } from '../chain.ts'

type Writes = ContractFunctionName<typeof voucherChannelsAbi, 'nonpayable'>
type Args<F extends Writes> = ContractFunctionArgs<typeof voucherChannelsAbi, 'nonpayable', F>

export type VoucherClaim = { voucher: { channel: ChannelConfig; maxClaimableAmount: bigint }; signature: Hex; totalClaimed: bigint }

export type Payee = Pick<ChannelConfig, 'receiver' | 'receiverAuthorizer' | 'token'>
export type BatchedClaim = Pick<ChannelConfig, 'payer' | 'payerAuthorizer' | 'withdrawDelay' | 'salt'> & {
  maxClaimableAmount: bigint
  totalClaimed: bigint
  signature: Hex
}

export type ChannelWorld = Awaited<ReturnType<typeof createChannelWorld>>

export const delay = 3600
/** The payer is the escrow tests' client, the receiver alice. */
export const payer = actors.client
export const receiver = actors.alice

let salt = 0n

export async function createChannelWorld() {
  const chain = await createChain()
  const channels = await chain.deploy(voucherChannelsAbi, voucherChannelsBytecode)
  const at = { chainId: chain.chainId, channels }
  const domain = voucherDomain(at.chainId, channels)
  await chain.equip(payer, channels)

  const call = <F extends Writes>(by: LocalAccount, functionName: F, args: Args<F>) =>
    chain.write(by, channels, voucherChannelsAbi as Abi, functionName, args as readonly unknown[])

  /** A config that `open` accepts, with the changes of the test. */
  const config = (changes: Partial<ChannelConfig> = {}): ChannelConfig => {
    salt += 1n
    return {
      payer: payer.address,
      payerAuthorizer: zeroAddress,
      receiver: receiver.address,
      receiverAuthorizer: zeroAddress,
      token: chain.token,
      withdrawDelay: delay,
      salt: numberToHex(salt, { size: 32 }),
      ...changes,
    }
  }
  const id = (of: ChannelConfig) => channelIdOf(at, of)

  const sign = (of: ChannelConfig, maxClaimableAmount: bigint, by: LocalAccount = payer) =>
    by.signTypedData({ domain, types: voucherTypes, primaryType: 'Voucher', message: { channelId: id(of), maxClaimableAmount } })

  const signClose = (of: ChannelConfig, totalClaimed: bigint, by: LocalAccount, validBefore = Number(farOff)) =>
    by.signTypedData({ domain, types: closeTypes, primaryType: 'Close', message: { channelId: id(of), totalClaimed, validBefore } })

  const signBatch = (claims: readonly VoucherClaim[], by: LocalAccount) =>
    by.signTypedData({
      domain,
      types: claimBatchTypes,
      primaryType: 'ClaimBatch',
      message: {
        claims: claims.map(({ voucher, totalClaimed }) => ({
          channelId: id(voucher.channel),
          maxClaimableAmount: voucher.maxClaimableAmount,
          totalClaimed,
        })),
      },
    })

  /** A claim of `total`, under a voucher over `max` that `by` signed. */
  const claimOf = async (of: ChannelConfig, total: bigint, max = total, by: LocalAccount = payer): Promise<VoucherClaim> => ({
    voucher: { channel: of, maxClaimableAmount: max },
    signature: await sign(of, max, by),
    totalClaimed: total,
  })

  /** The same claims, as a batch of the first one's payee takes them. */
  const batchOf = (claims: readonly VoucherClaim[]): [Payee, BatchedClaim[]] => {
    const { receiver: to, receiverAuthorizer, token } = claims[0]?.voucher.channel ?? config()
    const batched = claims.map(({ voucher, signature, totalClaimed }) => {
      const { payer: from, payerAuthorizer, withdrawDelay, salt: number } = voucher.channel
      const { maxClaimableAmount } = voucher
      return { payer: from, payerAuthorizer, withdrawDelay, salt: number, maxClaimableAmount, totalClaimed, signature }
    })
    return [{ receiver: to, receiverAuthorizer, token }, batched]
  }

  /** An open channel with 10 USDC in it. */
  async function opened(changes: Partial<ChannelConfig> = {}, amount = usdc(10)) {
    const of = config(changes)
    await call(payer, 'open', [of, amount])
    return of
  }

  async function channel(of: ChannelConfig) {
    const [status, deposit, claimed, closeRequestedAt] = await chain.reader.readContract({
      address: channels,
      abi: voucherChannelsAbi,
      functionName: 'channel',
      args: [id(of)],
    })
    return { status, deposit, claimed, closeRequestedAt }
  }

  const credit = (who: Address, of: Address = chain.token) =>
    chain.reader.readContract({ address: channels, abi: voucherChannelsAbi, functionName: 'credit', args: [of, who] })

  return {
    ...chain,
    at,
    channels,
    domain,
    call,
    config,
    id,
    sign,
    signClose,
    signBatch,
    claimOf,
    batchOf,
    opened,
    channel,
    credit,
    authorizeOpening: (of: ChannelConfig, value: bigint, by: LocalAccount = payer) =>
      chain.authorize(by, { token: of.token, to: channels, value, nonce: id(of) }),
    authorizeTopUp: (of: ChannelConfig, value: bigint, topUpSalt: Hex, by: LocalAccount = payer) =>
      chain.authorize(by, { token: of.token, to: channels, value, nonce: topUpNonceOf(id(of), topUpSalt) }),
  }
}
