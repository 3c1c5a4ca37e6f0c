import { callChain } from '../../server/embedded/chain/anvil.ts'
import { pollUntil, type TestEnvironment } from './test-environment.ts'

type Hex = `0x${string}`
type Receipt = { readonly status: Hex; readonly blockNumber: Hex; readonly transactionHash: Hex }
const patienceMs = 6_000

/** Sends from an account of the development chain. Null if it was refused, reverted, or never mined. */
export async function sendTransactionAs(
  { rpcUrl }: Pick<TestEnvironment, 'rpcUrl'>,
  from: Hex,
  to: Hex,
  data: Hex,
): Promise<Receipt | null> {
  const gwei = 10n ** 9n
  const price = { maxFeePerGas: `0x${(2_000n * gwei).toString(16)}`, maxPriorityFeePerGas: `0x${gwei.toString(16)}` }
  const call = { from, to, data, gas: '0x7a1200', ...price }
  const hash = await callChain(rpcUrl, 'eth_sendTransaction', [call]).catch(() => null)
  if (typeof hash !== 'string') return null
  const receipt = await pollUntil(patienceMs, async () => (await callChain(rpcUrl, 'eth_getTransactionReceipt', [hash])) as Receipt | null)
  return receipt?.status === '0x1' ? receipt : null
}
