import type { Hex, PublicClient } from 'viem'
import { planEscrowAbi, testUsdcAbi, voucherChannelsAbi } from '../../../../contracts/abi/index.ts'
import type { EscrowRail } from '../../../ports.ts'
import { channelsNotOffered } from '../../errors.ts'
import type { ContractAddresses } from '../encode-contract-call.ts'
import { mapRpcErrors } from '../map-rpc-errors.ts'

type Reading = 'balanceOf' | 'isSigner' | 'plan' | 'channels' | 'channel' | 'creditOf' | 'accountNonce'

/** The state of the token, the escrow and the channels contract. */
export function createContractReader(client: PublicClient, at: ContractAddresses): Pick<EscrowRail, Reading> {
  const escrow = { address: at.escrow, abi: planEscrowAbi } as const
  return {
    balanceOf: (address) =>
      mapRpcErrors(client.readContract({ address: at.token, abi: testUsdcAbi, functionName: 'balanceOf', args: [address] })),
    isSigner: (account, signer) => mapRpcErrors(client.readContract({ ...escrow, functionName: 'isSigner', args: [account, signer] })),
    plan: (planId, block) => readPlan(client, at.escrow, planId, block),
    channels: at.channels,
    channel: (id, block) => channelFromRow(client, at, id, block),
    creditOf(account, contract = 'escrow') {
      const address = contract === 'escrow' ? at.escrow : requireChannels(at)
      // Both contracts have this function with the same signature.
      return mapRpcErrors(client.readContract({ address, abi: planEscrowAbi, functionName: 'credit', args: [at.token, account] }))
    },
    accountNonce: async (account) =>
      Number(await mapRpcErrors(client.readContract({ ...escrow, functionName: 'nonceOf', args: [account] }))),
  }
}

async function readPlan(client: PublicClient, address: Hex, planId: Hex, block: number | undefined): ReturnType<EscrowRail['plan']> {
  const about = { address, abi: planEscrowAbi, args: [planId], ...blockOf(block) } as const
  const read = Promise.all([
    client.readContract({ ...about, functionName: 'plan' }),
    client.readContract({ ...about, functionName: 'marks' }),
  ])
  const [[status, remaining, codes, version, charterState, closing, vetoed, closeRequested], [submitted, , from]] = await mapRpcErrors(read)
  const charter = (['none', 'proposed', 'authorized'] as const)[charterState] ?? 'none'
  const payableFrom = charter === 'proposed' ? Number(from) : 0
  const refusesProposals = vetoed || closeRequested
  return { status, remaining, version, charter, codes, closing, refusesProposals, payableFrom, submitted }
}

async function channelFromRow(
  client: PublicClient,
  at: ContractAddresses,
  id: Hex,
  block: number | undefined,
): ReturnType<EscrowRail['channel']> {
  const about = { address: requireChannels(at), abi: voucherChannelsAbi, args: [id], ...blockOf(block) } as const
  const read = client.readContract({ ...about, functionName: 'channel' })
  const [status, deposit, claimed, closeRequestedAt] = await mapRpcErrors(read)
  return { status, deposit, claimed, closeRequestedAt: Number(closeRequestedAt) }
}

/** Without a block: the head. */
function blockOf(block: number | undefined) {
  return block === undefined ? {} : { blockNumber: BigInt(block) }
}

/** @throws channel.not_offered */
export function requireChannels({ channels }: ContractAddresses): Hex {
  if (channels === null) throw channelsNotOffered()
  return channels
}
