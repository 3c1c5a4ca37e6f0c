import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testWalletAbi, testWalletBytecode } from '../../../contracts/abi/mocks.ts'
import { createWalletVerifier } from '../../../server/identity/wallet-verifier.ts'
import type { Eip712TypedData, WalletVerifier } from '../../../server/ports.ts'
import { startChain, type TestChain } from '../../support/chain.ts'

let chain: TestChain
let verifier: WalletVerifier
beforeAll(async () => {
  chain = await startChain()
  verifier = createWalletVerifier({ rpcUrl: chain.rpcUrl, chainId: chain.chainId })
})
afterAll(() => chain.stop())

const deadChain = createWalletVerifier({ rpcUrl: 'http://127.0.0.1:9', chainId: 31_337 })
const owner = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const message = 'Sign in to Parley.'
const typedData = {
  domain: { name: 'Test', version: '1', chainId: 31_337 },
  types: {
    Note: [
      { name: 'text', type: 'string' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  primaryType: 'Note',
  message: { text: 'hello', amount: 5n },
} as const satisfies Eip712TypedData

async function deployWallet(): Promise<`0x${string}`> {
  const definition = defineChain({
    id: chain.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
  })
  const wallet = createWalletClient({ account: privateKeyToAccount(chain.keys[7] ?? '0x'), chain: definition, transport: http() })
  const hash = await wallet.deployContract({ abi: testWalletAbi, bytecode: testWalletBytecode, args: [owner.address] })
  const reader = createPublicClient({ chain: definition, transport: http(), pollingInterval: 20 })
  return (await reader.waitForTransactionReceipt({ hash })).contractAddress ?? '0x'
}

describe('createWalletVerifier', () => {
  it('knows an ordinary wallet without asking the chain', async () => {
    const signature = await owner.signMessage({ message })
    expect(await deadChain.message({ address: owner.address, message, signature })).toBe(true)
    expect(await deadChain.typedData({ address: owner.address, typedData, signature: await owner.signTypedData(typedData) })).toBe(true)
    const lowerCase = owner.address.toLowerCase() as `0x${string}`
    expect(await deadChain.message({ address: lowerCase, message, signature })).toBe(true)
  })

  it('refuses another wallet, another message, and what is no signature', async () => {
    const signature = await stranger.signMessage({ message })
    expect(await verifier.message({ address: owner.address, message, signature })).toBe(false)
    const own = await owner.signMessage({ message })
    expect(await verifier.message({ address: owner.address, message: `${message} `, signature: own })).toBe(false)
    expect(await verifier.message({ address: owner.address, message, signature: '0x1234' })).toBe(false)
    const other = await owner.signTypedData({ ...typedData, message: { text: 'hello', amount: 6n } })
    expect(await verifier.typedData({ address: owner.address, typedData, signature: other })).toBe(false)
  })

  it('asks a contract wallet', async () => {
    const address = await deployWallet()
    expect(await verifier.message({ address, message, signature: await owner.signMessage({ message }) })).toBe(true)
    expect(await verifier.message({ address, message, signature: await stranger.signMessage({ message }) })).toBe(false)
    expect(await verifier.typedData({ address, typedData, signature: await owner.signTypedData(typedData) })).toBe(true)
  })

  it('reports “unknown” instead of “no” if only the chain can decide and it does not answer', async () => {
    const signature = await stranger.signMessage({ message })
    await expect(deadChain.message({ address: owner.address, message, signature })).rejects.toMatchObject({ code: 'server.unavailable' })
  })

  it('believes no single node where there are two', async () => {
    await using falseNode = await startFalseNode()
    const address = stranger.address
    const signature = await owner.signMessage({ message })
    const alone = createWalletVerifier({ rpcUrl: falseNode.url, chainId: chain.chainId })
    expect(await alone.message({ address, message, signature })).toBe(true)
    for (const [rpcUrl, confirmingRpcUrl] of [
      [falseNode.url, chain.rpcUrl],
      [chain.rpcUrl, falseNode.url],
    ] as const) {
      const both = createWalletVerifier({ rpcUrl, confirmingRpcUrl, chainId: chain.chainId })
      expect(await both.message({ address, message, signature })).toBe(false)
      expect(await both.typedData({ address, typedData, signature: await owner.signTypedData(typedData) })).toBe(false)
    }
    const honest = createWalletVerifier({ rpcUrl: chain.rpcUrl, confirmingRpcUrl: chain.rpcUrl, chainId: chain.chainId })
    expect(await honest.message({ address: await deployWallet(), message, signature })).toBe(true)
  })
})

/** A node that accepts every question. */
async function startFalseNode(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const { id } = JSON.parse(body) as { id: number }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x01' }))
    })
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => {
        server.close(done)
      })
    },
  }
}
