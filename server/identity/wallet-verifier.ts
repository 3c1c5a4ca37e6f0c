import { createPublicClient, http, type PublicClient, recoverMessageAddress, recoverTypedDataAddress, type TypedDataDefinition } from 'viem'
import { DomainError } from '../errors.ts'
import type { Eip712TypedData, WalletVerifier } from '../ports.ts'

/** A contract wallet is foreign code on a foreign node, so its check has a time limit. */
const timeoutMs = 2_000

/**
 * Verifies the signatures of ordinary wallets locally. If that fails, asks each configured node about a contract wallet (ERC-1271, or
 * ERC-6492 before its deployment). All nodes must agree, because one node could lie. The chain is ours, never the one in the message.
 */
export function createWalletVerifier(options: {
  readonly rpcUrl: string
  readonly confirmingRpcUrl?: string | undefined
  readonly chainId: number
}): WalletVerifier {
  const urls = options.confirmingRpcUrl === undefined ? [options.rpcUrl] : [options.rpcUrl, options.confirmingRpcUrl]
  const clients = urls.map((url) => createPublicClient({ transport: http(url, { timeout: timeoutMs, retryCount: 0 }) }))

  async function check(address: string, recover: Promise<string>, ask: (client: PublicClient) => Promise<boolean>): Promise<boolean> {
    const recovered = await recover.catch(() => null)
    if (recovered?.toLowerCase() === address.toLowerCase()) return true
    const answers = await withTimeout(Promise.all(clients.map((client) => isConfirmedBy(client, ask))))
    return answers.every((isGood) => isGood)
  }

  /** Accepts a negative answer only from a reachable node of the right chain. */
  async function isConfirmedBy(client: PublicClient, ask: (client: PublicClient) => Promise<boolean>): Promise<boolean> {
    if (await ask(client)) return true
    const actual = await client.getChainId()
    if (actual !== options.chainId) throw new RangeError(`the node is of chain ${actual}, not ${options.chainId}`)
    return false
  }
  return {
    message: ({ address, message, signature }) =>
      check(address, recoverMessageAddress({ message, signature }), (client) => client.verifyMessage({ address, message, signature })),
    typedData: ({ address, typedData, signature }) => {
      const data = asViemTypedData(typedData)
      const recovered = recoverTypedDataAddress({ ...data, signature })
      return check(address, recovered, (client) => client.verifyTypedData({ address, ...data, signature }))
    },
  }
}

/** viem infers the message from literal types, and ours are known only at run time. viem checks the same shape when it hashes. */
function asViemTypedData(typedData: Eip712TypedData): TypedDataDefinition {
  return typedData as TypedDataDefinition
}

async function withTimeout<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RangeError(`no answer in ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([asked, late])
  } catch (error) {
    throw new DomainError('server.unavailable', "The server cannot check the wallet's signature because its chain does not answer.", {
      hint: 'Repeat the request later.',
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}
