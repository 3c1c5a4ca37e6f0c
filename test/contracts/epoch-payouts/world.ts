/** A chain with one EpochPayouts on it, funded and bonded, and the trees that its operator commits. */
import type { Abi, Address, ContractFunctionArgs, ContractFunctionName, LocalAccount } from 'viem'
import { buildSumTree, type EpochPayout, epochPayoutsAbi, epochPayoutsBytecode, type SumTree } from '../../../contracts/abi/index.ts'
import { actors, usdc } from '../actors.ts'
import { createChain } from '../chain.ts'

type Writes = ContractFunctionName<typeof epochPayoutsAbi, 'nonpayable'>
type Args<F extends Writes> = ContractFunctionArgs<typeof epochPayoutsAbi, 'nonpayable', F>

export type EpochTerms = {
  depositor: Address
  operator: Address
  token: Address
  bond: bigint
  challengeWindow: number
  silence: number
}

export type EpochWorld = Awaited<ReturnType<typeof createEpochWorld>>

export const challengeWindow = 3600
export const silence = 7 * 86_400
export const bond = usdc(50)
/** The depositor is the escrow tests' client, the operator their evaluator. */
export const depositor = actors.client
export const operator = actors.evaluator

export type EpochOptions = { token?: 'token' | 'wayward' | 'reentering'; deposit?: bigint; bonded?: boolean }

export async function createEpochWorld({ token: kind = 'token', deposit = usdc(500), bonded = true }: EpochOptions = {}) {
  const chain = await createChain()
  const token = chain[kind]
  const terms: EpochTerms = { depositor: depositor.address, operator: operator.address, token, bond, challengeWindow, silence }
  const construct = (changes: Partial<EpochTerms> = {}) =>
    chain.deploy(epochPayoutsAbi as Abi, epochPayoutsBytecode, [{ ...terms, ...changes }])
  const payouts = await construct()
  await chain.equip(depositor, payouts)
  await chain.equip(operator, payouts)

  const call = <F extends Writes>(by: LocalAccount, functionName: F, args: Args<F>) =>
    chain.write(by, payouts, epochPayoutsAbi as Abi, functionName, args as readonly unknown[])
  if (deposit > 0n) await call(depositor, 'deposit', [deposit])
  if (bonded) await call(operator, 'postBond', [])

  const tree = (...leaves: readonly (readonly [LocalAccount | Address, bigint])[]): SumTree =>
    buildSumTree(
      token,
      leaves.map(([who, cumulative]): EpochPayout => ({ account: typeof who === 'string' ? who : who.address, cumulative })),
    )

  const read = <F extends 'epoch' | 'accepted' | 'money'>(functionName: F) =>
    chain.reader.readContract({ address: payouts, abi: epochPayoutsAbi, functionName })

  async function epoch() {
    const [number, slot, acceptedTotal, newestTotal, demands, acceptedFrom] = await read('epoch')
    return { number, slot, acceptedTotal, newestTotal, demands, acceptedFrom }
  }

  async function money() {
    const [deposited, isBonded, exitRequestedAt] = await read('money')
    return { deposited, bonded: isBonded, exitRequestedAt }
  }

  /** Commits the tree, and answers the slot that its root is in. */
  async function commit(of: SumTree, by: LocalAccount = operator) {
    const sent = await call(by, 'commit', [of.root, of.total])
    return { ...sent, slot: sent.events[0]?.slot as bigint }
  }

  /** Until the window of the newest root has passed. */
  async function pass() {
    await chain.timeIs(Number((await epoch()).acceptedFrom))
  }

  async function accept(of: SumTree) {
    const sent = await commit(of)
    await pass()
    return sent.slot
  }

  const look = (functionName: 'claimed' | 'credit', who: Address) =>
    chain.reader.readContract({ address: payouts, abi: epochPayoutsAbi, functionName, args: [who] })

  return {
    ...chain,
    terms,
    construct,
    payouts,
    call,
    tree,
    epoch,
    money,
    commit,
    pass,
    accept,
    accepted: () => read('accepted'),
    claimed: (who: Address) => look('claimed', who),
    credit: (who: Address) => look('credit', who),
    claim: (slot: bigint, of: SumTree, who: LocalAccount | Address, cumulative: bigint, by: LocalAccount = actors.stranger) => {
      const account = typeof who === 'string' ? who : who.address
      return call(by, 'claim', [slot, account, cumulative, of.proofOf(account)])
    },
  }
}
