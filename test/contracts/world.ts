/** A chain in memory with the escrow on it, and the actors of a plan. One per test file. */
import {
  type Abi,
  type Address,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  ContractFunctionRevertedError,
  getAddress,
  type Hex,
  type LocalAccount,
  parseEventLogs,
  zeroAddress,
  zeroHash,
} from 'viem'
import { expect } from 'vitest'
import {
  type BatchedCall,
  bindCharter,
  hashAttestation,
  noCharter,
  type PlanCharter,
  type PlanTerms,
  packItems,
  planEscrowAbi,
  planIdOf,
} from '../../contracts/abi/index.ts'
import { accountOf, actors, type ChainEvent, hash, payee, usdc } from './actors.ts'
import { createChain, tokenErrors } from './chain.ts'
import { escrowUnderTest } from './mutants/escrow-under-test.ts'
import { createSigners } from './signing.ts'

type Writes = ContractFunctionName<typeof planEscrowAbi, 'nonpayable'>
type Args<F extends Writes> = ContractFunctionArgs<typeof planEscrowAbi, 'nonpayable', F>

/** A charter as the tests write it. */
export type Charter = PlanCharter & { version: number }
/** A member's signature under a charter. */
export type MemberSignature = { signer: Address; signature: Hex }
/** What one settlement says. */
export type Settlement = { bits: bigint; close: boolean; conclusionHash: Hex }

/** An item of a batch, of either kind. */
type Item = Settlement & ({ terms: PlanTerms; charter: PlanCharter } | { sealing: { terms: PlanTerms; charter: PlanCharter } })

export type World = Awaited<ReturnType<typeof createWorld>>

export { accountOf, actors, type ChainEvent, hash, payee, usdc }

let salt = 0n

export async function createWorld() {
  const { connection, chainId, reader, walletOf, token, wayward, reentering, deploy, equip, now, balance, timeIs } = await createChain()
  const under = escrowUnderTest()
  const escrow = await deploy(planEscrowAbi, under.bytecode, [[token, wayward, reentering]])
  await under.choose((slot, value) => connection.provider.request({ method: 'hardhat_setStorageAt', params: [escrow, slot, value] }))
  const at = { chainId, escrow }

  /** Simulates first, so that a revert arrives decoded, then sends and waits. */
  async function write(by: LocalAccount, address: Address, abi: Abi, functionName: string, args: readonly unknown[]) {
    const { request } = await reader.simulateContract({ account: by, address, abi: [...abi, ...tokenErrors], functionName, args })
    const receipt = await reader.waitForTransactionReceipt({ hash: await walletOf(by).writeContract(request) })
    expect(receipt.status).toBe('success')
    const events = parseEventLogs({ abi: planEscrowAbi, logs: receipt.logs }).filter((log) => getAddress(log.address) === escrow)
    return { receipt, gas: receipt.gasUsed, events: events.map((log): ChainEvent => ({ name: log.eventName, ...log.args })) }
  }

  const call = <F extends Writes>(by: LocalAccount, functionName: F, args: Args<F>) =>
    write(by, escrow, planEscrowAbi as Abi, functionName, args as readonly unknown[])

  await equip(actors.client, escrow)

  /** Terms that `fund` accepts, with the changes of the test. */
  async function terms(changes: Partial<PlanTerms> = {}): Promise<PlanTerms> {
    const time = await now()
    salt += 1n
    return {
      client: actors.client.address,
      token,
      total: usdc(10),
      workBy: time + 3600,
      reviewBy: time + 5400,
      expiry: time + 7200,
      feeBps: 0,
      feeTo: actors.feeTo.address,
      evaluator: actors.evaluator.address,
      arbitrator: zeroAddress,
      authorizer: zeroAddress,
      vetoSeconds: 0,
      onSilence: 0,
      charter: zeroHash,
      briefHash: hash(0xb1),
      salt,
      ...changes,
    }
  }

  const signers = createSigners(at)

  /** What those of the payees sign whose keys are known, in order of first appearance. */
  const membersOf = (of: PlanTerms, charter: Charter): Promise<MemberSignature[]> =>
    Promise.all(
      [...new Set(charter.steps.map((step) => step.payee))].map(async (signer) => {
        const by = accountOf(signer)
        return { signer, signature: by ? await signers.signCharter(of, charter, by) : ('0x' as const) }
      }),
    )

  /** A charter that the client authorized. `signature`: its authorization, if it is to be another than that. */
  const sealing = async (of: PlanTerms, charter: Charter, signature?: Hex, memberSignatures?: readonly MemberSignature[]) => ({
    terms: of,
    version: charter.version,
    charter,
    proposed: false,
    signature: signature ?? (await signers.signAuthorization(of, charter, accountOf(of.client))),
    evaluatorSignature: await signers.signCharter(of, charter),
    memberSignatures: memberSignatures ?? (await membersOf(of, charter)),
  })

  /** A charter that the evaluator proposes. */
  const proposal = async (of: PlanTerms, charter: Charter, signature?: Hex, memberSignatures?: readonly MemberSignature[]) => ({
    ...(await sealing(of, charter, '0x', memberSignatures)),
    ...(signature && { evaluatorSignature: signature }),
    proposed: true,
  })

  const seal = async (of: PlanTerms, charter: Charter, signature?: Hex, memberSignatures?: readonly MemberSignature[]) =>
    call(actors.relayer, 'seal', [await sealing(of, charter, signature, memberSignatures)])

  const propose = async (of: PlanTerms, charter: Charter, signature?: Hex, memberSignatures?: readonly MemberSignature[]) =>
    call(actors.relayer, 'seal', [await proposal(of, charter, signature, memberSignatures)])

  const sealedSettlement = async (of: PlanTerms, charter: Charter, content: Settlement, signature?: Hex) => ({
    sealing: await sealing(of, charter),
    ...content,
    signature: signature ?? (await signers.signSettlement(of, charter, content)),
  })

  const sealAndSettle = async (of: PlanTerms, charter: Charter, content: Settlement, signature?: Hex) =>
    call(actors.relayer, 'sealAndSettle', [await sealedSettlement(of, charter, content, signature)])

  const submit = (of: PlanTerms, charter: Charter, bits: bigint, by: LocalAccount, outputsHash: Hex = hash(0xd1)) =>
    call(by, 'submit', [of, charter, bits, outputsHash, by.address, '0x'])

  const settlement = async (of: PlanTerms, charter: Charter, content: Settlement, signature?: Hex) => ({
    terms: of,
    charter,
    ...content,
    signature: signature ?? (await signers.signSettlement(of, charter, content)),
  })

  const settle = async (of: PlanTerms, charter: Charter, content: Settlement, signature?: Hex) =>
    call(actors.relayer, 'settle', [await settlement(of, charter, content, signature)])

  /** Each item by its own signature, or by the caller's own call. */
  const batch = (kind: BatchedCall, items: readonly unknown[], gasEach = 400_000n) => ({
    items: packItems(kind, items),
    gasEach,
    evaluator: zeroAddress as Address,
    attestations: [] as readonly Hex[],
    signature: '0x' as Hex,
  })

  /** All items by one signature of the evaluator, and none of their own. */
  const signedBatch = async (kind: BatchedCall, items: readonly Item[], gasEach = 400_000n, by: LocalAccount = actors.evaluator) => {
    const content = items.map((item) => {
      const { terms: of, charter } = 'sealing' in item ? item.sealing : item
      return signers.attestationOf(of, charter, item)
    })
    const bare = items.map((item) => ({ ...item, signature: '0x' }))
    const signed = { evaluator: by.address, attestations: content.map(hashAttestation), signature: await signers.signBatch(content, by) }
    return { ...batch(kind, bare, gasEach), ...signed }
  }

  const release = (of: PlanTerms, charter: Charter, content: Settlement, by: LocalAccount = actors.client, signature: Hex = '0x') =>
    call(by, 'release', [{ terms: of, charter, ...content, signature }])

  async function plan(of: PlanTerms) {
    const [status, remaining, codes, version, charter, closing, vetoed, closeRequested] = await reader.readContract({
      address: escrow,
      abi: planEscrowAbi,
      functionName: 'plan',
      args: [planIdOf(at, of)],
    })
    const flags = { proposed: charter === 1, closing, vetoed, closeRequested }
    const raised: Partial<typeof flags> = Object.fromEntries(Object.entries(flags).filter(([, isSet]) => isSet))
    return { status, remaining, codes, version, ...raised }
  }

  async function marks(of: PlanTerms) {
    const [submitted, disputedByPayee, payableFrom, closableFrom] = await reader.readContract({
      address: escrow,
      abi: planEscrowAbi,
      functionName: 'marks',
      args: [planIdOf(at, of)],
    })
    return { submitted, disputedByPayee, payableFrom, closableFrom }
  }

  const credit = (who: Address, of: Address = token) =>
    reader.readContract({ address: escrow, abi: planEscrowAbi, functionName: 'credit', args: [of, who] })

  return {
    connection,
    reader,
    walletOf,
    at,
    escrow,
    token,
    wayward,
    reentering,
    deploy,
    write,
    now,
    timeIs,
    terms,
    balance,
    credit,
    plan,
    marks,
    planId: (of: PlanTerms) => planIdOf(at, of),
    ...signers,
    call,
    membersOf,
    sealing,
    proposal,
    sealedSettlement,
    settlement,
    batch,
    signedBatch,
    fund: (of: PlanTerms, by: LocalAccount = actors.client) => call(by, 'fund', [of]),
    fundWithAuthorization: (of: PlanTerms, validAfter: bigint, validBefore: bigint, signature: Hex, by: LocalAccount = actors.relayer) =>
      call(by, 'fundWithAuthorization', [of, validAfter, validBefore, signature]),
    seal,
    propose,
    sealAndSettle,
    submit,
    settle,
    release,
    refund: (of: PlanTerms, by: LocalAccount = actors.stranger) => call(by, 'refund', [of]),
    withdrawCredit: (by: LocalAccount, of: Address, to: Address) => call(by, 'withdrawCredit', [of, to]),
    async [Symbol.asyncDispose]() {
      await connection.close()
    },
  }
}

/** Terms of a direct hire: the charter is in force from the start, as version 0. */
export const hiredFor = (charter: PlanCharter) => ({ charter: bindCharter(charter) })

/** Three steps, 1 + 2 + 3 USDC, to three payees. */
export function charterOf(changes: Partial<Charter> = {}): Charter {
  const steps = [actors.alice, actors.bob, actors.carol].map((who, i) => ({ payee: who.address, amount: usdc(i + 1) }))
  return { version: 1, steps, royalties: [], charterHash: hash(0xc4), ...changes }
}

export const unsealed: Charter = { version: 0, ...noCharter }
export const settlementOf = (bits: bigint, close = false): Settlement => ({ bits, close, conclusionHash: hash(0xcc) })

/** The custom error that `attempt` reverts with, its facts included. */
export async function revertOf(attempt: Promise<unknown>): Promise<readonly [string, ...unknown[]]> {
  try {
    await attempt
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    if (!(reverted instanceof ContractFunctionRevertedError)) throw error
    return [reverted.data?.errorName ?? reverted.signature ?? reverted.reason ?? 'no reason', ...(reverted.data?.args ?? [])]
  }
  return ['nothing reverted']
}
