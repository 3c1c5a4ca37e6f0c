import { type Address, type Hex, hexToString, isHex, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { PublicMarket } from '../_components/market-provider.tsx'
import type { Translate } from '../_messages/translate-types.ts'
import { describeTransaction, describeTypedData, type RequestWords, type SigningRequest } from './describe-typed-data-or-transaction.ts'

type Words = RequestWords & { readonly tWallet: Translate<'wallet.developmentWallet'> }

/** The id of this wallet among the announced wallets. */
export const developmentWalletId = 'local.parley.development-wallet'
const keyName = 'parley.development-wallet.key'

type Pending = { readonly request: SigningRequest; readonly answer: (isApproved: boolean) => void }
let pending: Pending | null = null
const watchers = new Set<() => void>()

function setPending(next: Pending | null): void {
  pending = next
  for (const watch of watchers) watch()
}

/** The pending request of the wallet, for the confirm dialog. */
export const pendingRequest = {
  get: () => pending,
  watch(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  },
}

/** Codes of EIP-1193 errors. */
class ProviderError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

let isAnnounced = false

/**
 * A development wallet: a new key in this browser's local storage, announced like any other wallet
 * (EIP-6963). It signs for the local chain only, and asks before each signature.
 */
export function announceDevelopmentWallet(market: PublicMarket, words: Words): void {
  if (isAnnounced || !market.isLocalChain) return
  isAnnounced = true
  const provider = createProvider(market, words)
  const info = { uuid: crypto.randomUUID(), name: words.tWallet('name'), icon, rdns: developmentWalletId }
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

function readKey(): Hex {
  const kept = localStorage.getItem(keyName)
  if (isHex(kept) && kept.length === 66) return kept
  const key = generatePrivateKey()
  localStorage.setItem(keyName, key)
  return key
}

type Asked = { readonly method: string; readonly params?: readonly unknown[] }
type Wallet = { readonly account: PrivateKeyAccount; readonly market: PublicMarket; readonly words: Words }
type Transaction = { to?: Address; data?: Hex; value?: Hex; gas?: Hex; chainId?: Hex }

function createProvider(market: PublicMarket, words: Words) {
  const wallet: Wallet = { account: privateKeyToAccount(readKey()), market, words }
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  return {
    request: (asked: Asked) => answer(wallet, asked),
    on(event: string, listener: (value: unknown) => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener)
    },
  }
}

/** The methods of EIP-1193 that a wallet answers; all others go to the node. */
async function answer(wallet: Wallet, { method, params = [] }: Asked): Promise<unknown> {
  const { account, market } = wallet
  switch (method) {
    case 'eth_requestAccounts':
    case 'eth_accounts':
      return [account.address]
    case 'eth_chainId':
      return numberToHex(market.chainId)
    case 'net_version':
      return String(market.chainId)
    case 'wallet_switchEthereumChain':
    case 'wallet_addEthereumChain':
      return requireChain(wallet, (params[0] as { chainId?: Hex } | undefined)?.chainId)
    case 'wallet_requestPermissions':
    case 'wallet_getPermissions':
      return [{ parentCapability: 'eth_accounts' }]
    case 'wallet_revokePermissions':
      return null
    case 'personal_sign':
      return signMessage(wallet, params[0] as Hex)
    case 'eth_signTypedData_v4':
      return signTypedData(wallet, String(params[1]))
    case 'eth_sendTransaction':
      return sendTransaction(wallet, params[0] as Transaction)
    default:
      return callChainRpc(method, params)
  }
}

function confirm({ words }: Wallet, request: SigningRequest): Promise<void> {
  if (pending) throw new ProviderError(-32_002, words.tWallet('waitsForAnotherAnswer'))
  return new Promise((resolve, reject) => {
    const answer = (isApproved: boolean) => {
      setPending(null)
      if (isApproved) resolve()
      else reject(new ProviderError(4001, words.tWallet('youDeclined')))
    }
    setPending({ request, answer })
  })
}

function requireChain({ market, words }: Wallet, asked: Hex | undefined): null {
  if (asked !== undefined && BigInt(asked) !== BigInt(market.chainId)) throw new ProviderError(4902, words.tWallet('localChainOnly'))
  return null
}

async function signMessage(wallet: Wallet, raw: Hex): Promise<Hex> {
  await confirm(wallet, { kind: 'message', text: hexToString(raw) })
  return wallet.account.signMessage({ message: { raw } })
}

async function signTypedData(wallet: Wallet, json: string): Promise<Hex> {
  const { account, market, words } = wallet
  const data = JSON.parse(json) as Parameters<typeof account.signTypedData>[0] & { domain?: { chainId?: number | string } }
  if (data.domain?.chainId === undefined) throw new ProviderError(4902, words.tWallet('namesNoChain'))
  requireChain(wallet, numberToHex(BigInt(data.domain.chainId)))
  await confirm(wallet, describeTypedData(data, market, words))
  return account.signTypedData(data)
}

async function sendTransaction(wallet: Wallet, call: Transaction): Promise<unknown> {
  const { account, market, words } = wallet
  requireChain(wallet, call.chainId)
  await confirm(wallet, describeTransaction(call, market, words))
  const from = account.address
  const [nonce, gas, gasPrice] = await Promise.all([
    callChainRpc('eth_getTransactionCount', [from, 'pending']),
    call.gas ?? callChainRpc('eth_estimateGas', [{ from, ...call }]),
    callChainRpc('eth_gasPrice', []),
  ])
  const raw = await account.signTransaction({
    chainId: market.chainId,
    nonce: Number(nonce),
    gas: BigInt(gas as Hex),
    maxFeePerGas: BigInt(gasPrice as Hex) * 2n,
    maxPriorityFeePerGas: 0n,
    value: BigInt(call.value ?? '0x0'),
    ...(call.to ? { to: call.to } : {}),
    ...(call.data ? { data: call.data } : {}),
  })
  return callChainRpc('eth_sendRawTransaction', [raw])
}

/** Longer than the server's timeout for the node. Milliseconds. */
const answerMs = 15_000

async function callChainRpc(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch('/api/chain', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(answerMs),
  })
  const answer = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
  if (answer.error) throw new ProviderError(answer.error.code, answer.error.message)
  return answer.result
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#b3312d"/><path d="M9 10h14v12H9z" fill="none" stroke="#fff" stroke-width="2.4"/><path d="M18 16h5" stroke="#fff" stroke-width="2.4"/></svg>',
)}`
