import { encodeFunctionData, type Hex } from 'viem'
import { voucherChannelsAbi as abi } from '../../../contracts/abi/index.ts'
import type { EncodedCall, EscrowCall } from '../../ports.ts'
import { channelsNotOffered } from '../errors.ts'

type ChannelCall = Extract<EscrowCall, { kind: 'openChannel' | 'topUpChannel' | 'claimVoucher' | 'closeChannel' | 'withdrawChannel' }>

const gas = { openChannel: 500_000n, topUpChannel: 400_000n, claimVoucher: 500_000n, closeChannel: 600_000n, withdrawChannel: 400_000n }

/** Encodes the calls of a payment channel: open, top up, claim, close and withdraw. */
export function encodeChannelCall(at: { readonly channels: Hex | null }, call: ChannelCall): EncodedCall {
  if (at.channels === null) throw channelsNotOffered()
  return { to: at.channels, data: dataOf(call), value: 0n, gas: gas[call.kind] }
}

function dataOf(call: ChannelCall): Hex {
  switch (call.kind) {
    case 'openChannel': {
      const { config, deposit, validAfter, validBefore, signature } = call
      const args = [config, deposit, BigInt(validAfter), BigInt(validBefore), signature] as const
      return encodeFunctionData({ abi, functionName: 'openWithAuthorization', args })
    }
    case 'topUpChannel': {
      const { config, amount, salt, validAfter, validBefore, signature } = call
      const args = [config, amount, salt, BigInt(validAfter), BigInt(validBefore), signature] as const
      return encodeFunctionData({ abi, functionName: 'topUpWithAuthorization', args })
    }
    case 'claimVoucher':
      return encodeFunctionData({ abi, functionName: 'settle', args: [call.config, call.amount, call.signature] })
    case 'closeChannel':
      return encodeFunctionData({ abi, functionName: 'close', args: [call.config, call.amount, call.signature] })
    case 'withdrawChannel':
      return encodeFunctionData({ abi, functionName: 'withdraw', args: [call.config] })
    default:
      return call satisfies never
  }
}
