/** The escrow itself, on an in-memory chain, spoken to in the model's terms: one call in, its events and error out. */
import {
  type Abi,
  type Address,
  decodeErrorResult,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  type LocalAccount,
  type Log,
  parseEventLogs,
  toHex,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { testWalletAbi, testWalletBytecode, waywardTokenAbi, waywardTokenBytecode } from '../../../contracts/abi/mocks.ts'
import { packItems } from '../../../contracts/abi/pack-settlement-batch.ts'
import { planEscrowAbi } from '../../../contracts/abi/plan-escrow.ts'
import { testUsdcAbi, testUsdcBytecode } from '../../../contracts/abi/test-usdc.ts'
import { developmentKey } from '../../support/development-keys.ts'
import { chainUnderTest, type EscrowUnderTest, escrowUnderTest } from '../mutants/escrow-under-test.ts'
import { hashAttestation, sign, signBatch } from './typed-data.ts'
import type { BatchWord, Call, ChainEvent, Signature, State } from './types.ts'

const names = ['relayer', 'client', 'evaluator', 'feeTo', 'stranger', 'alice', 'bob', 'carol', 'arbitrator', 'patron', 'delegate'] as const
export type Name = (typeof names)[number]

/** The keys that act, by name; the chain has given each of them ether. */
export const keys = byName((index) => privateKeyToAccount(developmentKey(index)) as LocalAccount)
export const who = Object.fromEntries(names.map((name) => [name, lower(keys[name].address)])) as Record<Name, Address>
const keyOf = Object.fromEntries(names.map((name) => [who[name], keys[name]]))

/** What the token's errors and the escrow's decode by. */
const abi = [...planEscrowAbi, ...testUsdcAbi.filter((entry) => entry.type === 'error')] as Abi
const gas = toHex(16_000_000)
export const unlimited = 2n ** 256n - 1n
export const startingBalance = 1_000_000_000n

export type Answer = { events: ChainEvent[]; error: string | null }
export type Chain = Awaited<ReturnType<typeof createChain>>

/** Object.fromEntries forgets the names; here is each of them. */
function byName<T>(make: (index: number) => T): Record<Name, T> {
  return Object.fromEntries(names.map((name, index) => [name, make(index)])) as Record<Name, T>
}

export function lower<T extends string>(text: T): T {
  return text.toLowerCase() as T
}

export async function createChain(under: EscrowUnderTest = escrowUnderTest()) {
  const connection = await chainUnderTest()
  const request = (method: string, params: unknown[] = []) => connection.provider.request({ method, params }) as Promise<unknown>

  async function send(from: Address, to: Address | undefined, data: Hex): Promise<{ logs: Log[] } | { refused: Hex }> {
    try {
      const hash = await request('eth_sendTransaction', [{ from, to, data, gas }])
      return (await request('eth_getTransactionReceipt', [hash])) as { logs: Log[] }
    } catch (error) {
      return { refused: revertData(error) }
    }
  }

  async function deploy(contractAbi: Abi, bytecode: Hex, args: readonly unknown[] = []): Promise<Address> {
    const nonce = BigInt((await request('eth_getTransactionCount', [who.relayer, 'latest'])) as Hex)
    const done = await send(who.relayer, undefined, encodeDeployData({ abi: contractAbi, bytecode, args }))
    if ('refused' in done) throw new Error(`a deployment failed: ${done.refused}`)
    return lower(getContractAddress({ from: who.relayer, nonce }))
  }

  const usdc = await deploy(testUsdcAbi, testUsdcBytecode)
  const wayward = await deploy(waywardTokenAbi, waywardTokenBytecode)
  const wallet = await deploy(testWalletAbi, testWalletBytecode, [who.delegate])
  const escrow = await deploy(planEscrowAbi, under.bytecode, [[usdc, wayward]])
  await under.choose((slot, value) => request('hardhat_setStorageAt', [escrow, slot, value]))

  const tokenCall = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: [...waywardTokenAbi, ...testUsdcAbi] as Abi, functionName, args })
  for (const token of [usdc, wayward]) {
    await send(who.client, token, tokenCall('mint', [who.client, startingBalance]))
    await send(who.client, token, tokenCall('approve', [escrow, unlimited]))
  }

  const read = async (to: Address, contractAbi: Abi, functionName: string, args: readonly unknown[]) => {
    const data = encodeFunctionData({ abi: contractAbi, functionName, args })
    const answer = (await request('eth_call', [{ to, data }, 'latest'])) as Hex
    return decodeFunctionResult({ abi: contractAbi, functionName, data: answer })
  }

  const bytesOf = async (signature: Signature, token: Address): Promise<Hex> => {
    if (signature === null) return '0x'
    const key = keyOf[signature.by]
    return key ? sign(key, signature.signedMessage, escrow, token) : '0x'
  }

  /** Makes the call at `time`, and answers what came of it. */
  async function act(time: number, call: Call): Promise<Answer> {
    const [to, data] = await calldataOf(call)
    await request('evm_setNextBlockTimestamp', [time])
    const done = await send(call.from, to, data)
    if ('refused' in done) return { events: [], error: errorName(done.refused) }
    const mine = done.logs.filter((log) => lower(log.address) === escrow)
    const eventArguments = parseEventLogs({ abi: planEscrowAbi, logs: mine }).map(
      (log): ChainEvent => ({ name: log.eventName, ...log.args }),
    )
    return { events: eventArguments, error: null }
  }

  async function calldataOf(call: Call): Promise<[Address, Hex]> {
    const { fn, from } = call
    if (fn === 'token.setAnswer') return [call.token, tokenCall('setAnswer', [call.account, call.answer])]
    if (fn === 'token.setFee') return [call.token, tokenCall('setFee', [call.bps])]
    if (fn === 'token.give') return [call.token, tokenCall('mint', [escrow, call.amount])]
    if (fn === 'token.approve') return [call.token, tokenCall('approve', [escrow, call.amount])]
    const signed = (await withBytes(call, usdc)) as Record<string, unknown>
    if (call.fn === 'settleMany' || call.fn === 'sealAndSettleMany') {
      const items = call.fn === 'settleMany' ? packItems('settle', signed.settlements as []) : packItems('sealAndSettle', signed.all as [])
      return [escrow, encodeFunctionData({ abi, functionName: fn, args: [{ items, gasEach: call.gasEach, ...(await wordOf(call.word)) }] })]
    }
    const { inputs } = planEscrowAbi.find((entry) => entry.type === 'function' && entry.name === fn) as {
      inputs: readonly { name: string }[]
    }
    const args = inputs.map((input) => signed[input.name])
    if (args.some((value) => value === undefined)) throw new Error(`${fn} by ${from} lacks an argument`)
    return [escrow, encodeFunctionData({ abi, functionName: fn, args })]
  }

  async function wordOf(word: BatchWord) {
    if (word === null) return { evaluator: zeroAddress, attestations: [], signature: '0x' }
    const key = keyOf[word.by]
    const signature = key ? await signBatch(key, word.signedMessage, escrow) : '0x'
    return { evaluator: word.evaluator, attestations: word.signedMessage.map(hashAttestation), signature }
  }

  /** The same value, with every signature in it as bytes. */
  async function withBytes(value: unknown, token: Address): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((each) => withBytes(each, token)))
    if (value === null || typeof value !== 'object') return value
    const entries = Object.entries(value).map(async ([name, inner]) => {
      const isSignature = /signature$/i.test(name) && (inner === null || 'signedMessage' in (inner as object))
      return [name, isSignature ? await bytesOf(inner as Signature, token) : await withBytes(inner, token)]
    })
    return Object.fromEntries(await Promise.all(entries))
  }

  return {
    connection,
    request,
    read,
    act,
    escrow,
    usdc,
    wayward,
    wallet,
    time: async () => Number(BigInt(((await request('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }).timestamp)),
    async [Symbol.asyncDispose]() {
      await connection.close()
    },
  }
}

/** The model's picture of a chain that was just made. */
export function firstState(chain: Chain, time: number): State {
  const token = (signed: boolean) => ({
    balances: { [who.client]: startingBalance },
    allowances: { [who.client]: unlimited },
    answers: {},
    feeBps: 0,
    signed,
    permitNonces: {},
    authorizations: {},
  })
  return {
    time,
    escrow: chain.escrow,
    tokens: { [chain.usdc]: token(true), [chain.wayward]: token(false) },
    wallets: { [chain.wallet]: who.delegate },
    plans: {},
    credits: {},
    signers: {},
    nonces: {},
  }
}

function errorName(data: Hex): string {
  return decodeErrorResult({ abi, data }).errorName
}

/** What the call reverted with, wherever the provider keeps it. */
function revertData(error: unknown): Hex {
  const { data, cause } = error as { data?: Hex | { data?: Hex }; cause?: unknown }
  if (typeof data === 'string') return data
  if (typeof data?.data === 'string') return data.data
  if (cause !== undefined) return revertData(cause)
  throw error
}
