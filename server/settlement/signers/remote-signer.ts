import {
  getTypesForEIP712Domain,
  type Hex,
  isHex,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTypedData,
  type TransactionSerialized,
} from 'viem'
import type { ChainSigner, Eip712TypedData, SignerRole, UnsignedTransaction } from '../../ports.ts'
import { signerUnavailable } from '../errors.ts'

export type RemoteSignerOptions = {
  readonly role: SignerRole
  /** Address of the key that the signer holds. */
  readonly address: Hex
  /** JSON-RPC over HTTP: `eth_accounts`, `eth_signTypedData` and `eth_signTransaction`, as in Web3Signer. */
  readonly url: string
  /** Sent as a bearer token. */
  readonly token: string
  /** Unset: three seconds. */
  readonly timeoutMs?: number | undefined
}
type JsonRpcResponse = { readonly result?: unknown; readonly error?: { readonly message?: string } }

/**
 * Signs with a key in another process, possibly on another machine. Every response is verified against the request and the
 * expected address before use.
 */
export function createRemoteSigner(options: RemoteSignerOptions): ChainSigner {
  const { role } = options
  const address = options.address.toLowerCase() as Hex
  return {
    role,
    address,
    async signTypedData(data) {
      const signature = await callSigner(options, 'eth_signTypedData', [address, serializeTypedData(withDomainType(data))])
      const isOurs = isHex(signature) && (await isSignedBy(address, recoverTypedDataAddress({ ...asSerializable(data), signature })))
      if (!isOurs) throw signerUnavailable(role, 'its signature is not from the requested key')
      return signature
    },
    async signTransaction(transaction) {
      const answer = await callSigner(options, 'eth_signTransaction', [toJsonRpcTransaction(address, transaction)])
      const raw = typeof answer === 'object' && answer !== null && 'raw' in answer ? answer.raw : answer
      if (!isHex(raw) || !(await matchesRequest(address, transaction, raw)))
        throw signerUnavailable(role, 'it signed another transaction, or with another key')
      return raw
    },
  }
}

/** Whether the signer holds the key. @throws hold.signer_unavailable if it does not respond */
export async function holdsKey(options: RemoteSignerOptions): Promise<boolean> {
  const accounts = await callSigner(options, 'eth_accounts', [])
  return Array.isArray(accounts) && accounts.some((one) => String(one).toLowerCase() === options.address.toLowerCase())
}

async function callSigner(
  { role, url, token, timeoutMs = 3_000 }: RemoteSignerOptions,
  method: string,
  params: unknown[],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  }).catch((error: unknown) => {
    throw signerUnavailable(role, 'the signer does not answer', error)
  })
  const answer = await response.json().then(
    (body) => body as JsonRpcResponse,
    () => null,
  )
  if (answer?.error) throw signerUnavailable(role, `the signer refused the request: ${String(answer.error.message).slice(0, 200)}`)
  if (!response.ok || answer === null) throw signerUnavailable(role, `the signer answered with status ${response.status}`)
  return answer.result
}

/** JSON-RPC encoding: numbers as hex. */
function toJsonRpcTransaction(
  from: Hex,
  { chainId, nonce, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas }: UnsignedTransaction,
) {
  return {
    type: '0x2',
    chainId: numberToHex(chainId),
    from,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(gas),
    nonce: numberToHex(nonce),
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  }
}

async function matchesRequest(address: Hex, request: UnsignedTransaction, raw: Hex): Promise<boolean> {
  try {
    const signed = parseTransaction(raw)
    const isSame =
      signed.type === 'eip1559' &&
      signed.chainId === request.chainId &&
      (signed.nonce ?? 0) === request.nonce &&
      signed.to?.toLowerCase() === request.to.toLowerCase() &&
      (signed.data ?? '0x') === request.data &&
      (signed.value ?? 0n) === request.value &&
      (signed.gas ?? 0n) === request.gas &&
      (signed.maxFeePerGas ?? 0n) === request.maxFeePerGas &&
      (signed.maxPriorityFeePerGas ?? 0n) === request.maxPriorityFeePerGas
    return isSame && (await isSignedBy(address, recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })))
  } catch {
    return false
  }
}

async function isSignedBy(address: Hex, recovered: Promise<Hex>): Promise<boolean> {
  return (await recovered.catch(() => '0x')).toLowerCase() === address
}

/** The JSON form must include the domain's type. */
function withDomainType(data: Eip712TypedData): ReturnType<typeof asSerializable> {
  return asSerializable({ ...data, types: { EIP712Domain: getTypesForEIP712Domain({ domain: data.domain }), ...data.types } })
}

/** viem infers the message from literal types; ours are known only at run time. It checks the same shape when it hashes. */
function asSerializable(data: Eip712TypedData) {
  return data as Parameters<typeof serializeTypedData>[0] & Parameters<typeof recoverTypedDataAddress>[0]
}
