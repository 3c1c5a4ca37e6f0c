import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { createNonceManager, privateKeyToAccount } from 'viem/accounts'
import { jsonRpc } from 'viem/nonce'
import { testUsdcAbi } from '../../contracts/abi/index.ts'
import type { TestChain } from './chain.ts'

/** At most this much per call: the test token's own cap. */
const maxPerCall = 1_000_000_000n

/** One for each chain: every chain of a run has the same id, and starts over. */
const nonces = new WeakMap<TestChain, ReturnType<typeof createNonceManager>>()
function noncesOf(chain: TestChain) {
  const known = nonces.get(chain) ?? createNonceManager({ source: jsonRpc() })
  nonces.set(chain, known)
  return known
}

/** Gives test USDC to an address, straight from the token's faucet; paid by an account that the server doesn't use. */
export async function mintTestMoney(chain: TestChain, to: `0x${string}`, amount: bigint): Promise<void> {
  const key = chain.keys.at(-1)
  if (!key) throw new Error('the test chain has no keys')
  const definition = defineChain({
    id: chain.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
  })
  const wallet = createWalletClient({
    account: privateKeyToAccount(key, { nonceManager: noncesOf(chain) }),
    chain: definition,
    transport: http(chain.rpcUrl),
  })
  const client = createPublicClient({ chain: definition, transport: http(chain.rpcUrl), pollingInterval: 20 })
  for (let left = amount; left > 0n; left -= maxPerCall) {
    const hash = await wallet.writeContract({
      address: chain.token,
      abi: testUsdcAbi,
      functionName: 'mint',
      args: [to, left < maxPerCall ? left : maxPerCall],
    })
    await client.waitForTransactionReceipt({ hash })
  }
}

/** What an address holds, by the chain itself. */
export async function balanceOf(chain: TestChain, address: `0x${string}`): Promise<bigint> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  return client.readContract({ address: chain.token, abi: testUsdcAbi, functionName: 'balanceOf', args: [address] })
}
