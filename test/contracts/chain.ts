/** A chain in memory for the contracts: deploying, calling and looking, and nothing about any of them. */
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  type EIP1193Provider,
  getAddress,
  type Hex,
  type LocalAccount,
  maxUint256,
  parseEventLogs,
} from 'viem'
import { hardhat as hardhatChain } from 'viem/chains'
import { expect } from 'vitest'
import { receiveWithAuthorizationTypes, testUsdcAbi, testUsdcBytecode, testUsdcDomain } from '../../contracts/abi/index.ts'
import { reenteringTokenAbi, reenteringTokenBytecode, waywardTokenAbi, waywardTokenBytecode } from '../../contracts/abi/mocks.ts'
import { actors, type ChainEvent, usdc } from './actors.ts'
import { chainUnderTest, codeUnderTest } from './mutants/escrow-under-test.ts'

/** An ERC-3009 transfer to a contract, as its owner signs it. */
export type Authorization = { token: Address; to: Address; value: bigint; nonce: Hex; validAfter?: bigint; validBefore?: bigint }

export type Chain = Awaited<ReturnType<typeof createChain>>

export const farOff = 4_102_444_800n

/** The error data of a token that refuses is passed through unchanged. */
export const tokenErrors = testUsdcAbi.filter((entry) => entry.type === 'error')

export async function createChain() {
  const connection = await chainUnderTest()
  const transport = custom(connection.provider as unknown as EIP1193Provider, { retryCount: 0 })
  const chain = hardhatChain
  const reader = createPublicClient({ chain, transport, pollingInterval: 10, cacheTime: 0 })
  const walletOf = (account: LocalAccount) => createWalletClient({ account, chain, transport })

  async function deploy(abi: Abi, bytecode: Hex, args: readonly unknown[] = []): Promise<Address> {
    const txHash = await walletOf(actors.relayer).deployContract({ abi, bytecode: codeUnderTest(bytecode), args } as never)
    const receipt = await reader.waitForTransactionReceipt({ hash: txHash })
    return getAddress(receipt.contractAddress as Address)
  }

  const token = await deploy(testUsdcAbi, testUsdcBytecode)
  const wayward = await deploy(waywardTokenAbi, waywardTokenBytecode)
  const reentering = await deploy(reenteringTokenAbi, reenteringTokenBytecode)

  /** Simulates first, so that a revert arrives decoded, then sends and waits. */
  async function write(by: LocalAccount, address: Address, abi: Abi, functionName: string, args: readonly unknown[]) {
    const known = [...abi, ...tokenErrors]
    const { request, result } = await reader.simulateContract({ account: by, address, abi: known, functionName, args })
    const receipt = await reader.waitForTransactionReceipt({ hash: await walletOf(by).writeContract(request) })
    expect(receipt.status).toBe('success')
    const logs = receipt.logs.filter((log) => getAddress(log.address) === address)
    const events = parseEventLogs({ abi, logs }).map((log): ChainEvent => {
      const { eventName, args: eventArguments } = log as unknown as { eventName: string; args: Record<string, unknown> }
      return { name: eventName, ...eventArguments }
    })
    return { result, receipt, gas: Number(receipt.gasUsed), events }
  }

  const now = async () => Number((await reader.getBlock()).timestamp)
  const balance = (who: Address, of: Address = token) =>
    reader.readContract({ address: of, abi: testUsdcAbi, functionName: 'balanceOf', args: [who] })
  const mint = (who: Address, amount: bigint, of: Address = token) => write(actors.relayer, of, testUsdcAbi as Abi, 'mint', [who, amount])

  /** Gives `who` 1,000 of each token, and the contract leave to take them. */
  async function equip(who: LocalAccount, spender: Address) {
    for (const one of [token, wayward, reentering]) {
      await mint(who.address, usdc(1000), one)
      await write(who, one, testUsdcAbi as Abi, 'approve', [spender, maxUint256])
    }
  }

  const authorize = (by: LocalAccount, { token: of, to, value, nonce, validAfter = 0n, validBefore = farOff }: Authorization) =>
    by.signTypedData({
      domain: testUsdcDomain({ chainId: chain.id, token: of }),
      types: receiveWithAuthorizationTypes,
      primaryType: 'ReceiveWithAuthorization',
      message: { from: by.address, to, value, validAfter, validBefore, nonce },
    })

  /** The latest block, in which calls are simulated, is of this time; the next one, of the second after. */
  async function timeIs(time: number) {
    await connection.provider.request({ method: 'evm_setNextBlockTimestamp', params: [time] })
    await connection.provider.request({ method: 'evm_mine', params: [] })
    await connection.provider.request({ method: 'evm_setNextBlockTimestamp', params: [time + 1] })
  }

  return {
    connection,
    chainId: chain.id,
    reader,
    walletOf,
    token,
    wayward,
    reentering,
    deploy,
    write,
    now,
    balance,
    mint,
    equip,
    authorize,
    timeIs,
    async [Symbol.asyncDispose]() {
      await connection.close()
    },
  }
}
