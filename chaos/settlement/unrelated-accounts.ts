import { randomBytes } from 'node:crypto'
import { voucherTypedData } from '@parley/protocol'
import { encodeFunctionData, maxUint256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { channelIdOf, planEscrowAbi, testUsdcAbi, voucherChannelsAbi } from '../../contracts/abi/index.ts'
import { requireEscrowHold } from '../../server/settlement/holds/hold.ts'
import { loadHold } from '../../server/settlement/holds/hold-store.ts'
import { oneOf } from '../../test/support/random.ts'
import { openAtContract, quoteCalls } from './channel-calls.ts'
import type { RunContext } from './run-context.ts'
import { sendTransactionAs } from './send-transaction-as.ts'
import { pollUntil } from './test-environment.ts'

type Hex = `0x${string}`

/** Accounts of the development chain that are party to nothing: one pays, one is paid. */
export const unrelatedPayer: Hex = '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f'
const unrelatedPayee: Hex = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
export const unrelatedAccounts: readonly string[] = [unrelatedPayer, unrelatedPayee]
const [payerKeyAt, payeeKeyAt] = [8, 3]
/** How long to wait for a goal to imitate. */
const momentMs = 10_000
/** The smallest unit of the token. */
const oneUnit = 1n

/** An unknown account funds a plan of one unit, with terms like those of a goal of ours, and requests its close. */
export async function createUnrelatedPlan({ environment, system, goals, random, chain }: RunContext): Promise<boolean> {
  const like = await pollUntil(momentMs, async () => oneOf(goals, random))
  if (!like) return false
  const release = await chain.hold()
  try {
    const { terms } = requireEscrowHold(await loadHold(system, like.goalId))
    const own = { ...terms, client: unrelatedPayer, total: oneUnit, feeBps: 0 }
    const approval = encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [environment.escrow, maxUint256] })
    await sendTransactionAs(environment, unrelatedPayee, environment.token, mintTo(unrelatedPayer))
    await sendTransactionAs(environment, unrelatedPayer, environment.token, approval)
    const funding = encodeFunctionData({ abi: planEscrowAbi, functionName: 'fund', args: [own as never] })
    if ((await sendTransactionAs(environment, unrelatedPayer, environment.escrow, funding)) === null) return false
    const closing = encodeFunctionData({ abi: planEscrowAbi, functionName: 'requestClose', args: [own as never, '0x'] })
    return (await sendTransactionAs(environment, unrelatedPayer, environment.escrow, closing)) !== null
  } finally {
    release()
  }
}

/** The same with a channel of one unit, under an unknown salt, that is claimed from and closed. */
export async function createUnrelatedChannel({ environment, system, chain }: RunContext): Promise<boolean> {
  const release = await chain.hold()
  try {
    const payer = privateKeyToAccount(environment.keys[payerKeyAt] ?? '0x')
    const receiver = privateKeyToAccount(environment.keys[payeeKeyAt] ?? '0x')
    const config = {
      payer: payer.address,
      payerAuthorizer: payer.address,
      receiver: receiver.address,
      receiverAuthorizer: receiver.address,
      token: environment.token,
      withdrawDelay: 86_400,
      salt: `0x${randomBytes(32).toString('hex')}` as Hex,
    }
    const at = { chainId: system.market.chainId, channels: environment.channels }
    const voucher = { channelId: channelIdOf(at, config), maxClaimableAmount: oneUnit }
    const signature = await payer.signTypedData(voucherTypedData(at, voucher))
    const call = (functionName: string, args: readonly unknown[]) =>
      encodeFunctionData({ abi: voucherChannelsAbi, functionName, args } as never)
    const approval = encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [environment.channels, maxUint256] })
    await sendTransactionAs(environment, unrelatedPayee, environment.token, mintTo(unrelatedPayer))
    await sendTransactionAs(environment, unrelatedPayer, environment.token, approval)
    if ((await sendTransactionAs(environment, unrelatedPayer, environment.channels, call('open', [config, oneUnit]))) === null) return false
    if ((await sendTransactionAs(environment, unrelatedPayee, environment.channels, call('settle', [config, oneUnit, signature]))) === null)
      return false
    return (
      (await sendTransactionAs(environment, unrelatedPayee, environment.channels, call('close', [config, oneUnit, signature]))) !== null
    )
  } finally {
    release()
  }
}

/** An event of the escrow that concerns no goal. */
export async function emitUnrelatedEvent({ environment }: RunContext): Promise<void> {
  const call = encodeFunctionData({ abi: planEscrowAbi, functionName: 'setSigner', args: [unrelatedPayee, true] })
  await sendTransactionAs(environment, unrelatedPayer, environment.escrow, call)
}

function mintTo(to: Hex): Hex {
  return encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [to, oneUnit] })
}

/** A payer opens what it was quoted at the contract, with one unit, and informs the server afterwards. */
export async function openElsewhere({ environment, channelMarket, channels, chain }: RunContext): Promise<boolean> {
  const release = await chain.hold()
  try {
    const channel = await quoteCalls(channelMarket, 0, true)
    if (!(await openAtContract(environment, channelMarket, channel))) return false
    channels.push(channel)
    // No reorg may remove the opening before it has enough confirmations, because the payer would have to open it again.
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    return true
  } finally {
    release()
  }
}
