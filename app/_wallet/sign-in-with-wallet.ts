import type { TRPCClient } from '@trpc/client'
import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import type { Config, Connector } from 'wagmi'
import { connect, getConnection, reconnect, signMessage, signTypedData, switchChain } from 'wagmi/actions'
import type { Translate } from '@/app/_messages/translate-types.ts'
import type { Eip712TypedData } from '@/server/ports.ts'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import type { PublicMarket } from '../_components/market-provider.tsx'

/** The lifetime of an unsigned message. */
const messageLifeMs = 5 * 60_000

/** Connects the wallet and switches it to the market's chain. Returns the connected account. */
export async function connectWallet(config: Config, connector: Connector, market: PublicMarket): Promise<`0x${string}`> {
  const current = getConnection(config)
  if (current.status === 'connected' && current.connector.uid === connector.uid) return current.address
  const { accounts, chainId } = await connect(config, { connector })
  if (chainId !== market.chainId) await switchChain(config, { chainId: market.chainId }).catch(() => undefined)
  return accounts[0]
}

/** One message, one signature, one session. Moves no money. */
export async function signInWithWallet(input: {
  config: Config
  connector: Connector
  address: `0x${string}`
  market: PublicMarket
  api: TRPCClient<AppRouter>
}): Promise<void> {
  const { config, connector, address, market, api } = input
  const { nonce, statement } = await api.identity.issueNonce.mutate()
  const here = new URL(market.publicUrl)
  const now = Date.now()
  const message = createSiweMessage({
    domain: here.host,
    address: getAddress(address),
    statement,
    uri: here.origin,
    version: '1',
    chainId: market.chainId,
    nonce,
    issuedAt: new Date(now),
    expirationTime: new Date(now + messageLifeMs),
  })
  const signature = await signMessage(config, { message, account: address, connector })
  await api.identity.signIn.mutate({ message, signature })
}

/** The connection of the wallet that signed in, restored from an earlier visit where possible. */
export async function restoreConnection(config: Config, address: string): Promise<Connector | null> {
  if (getConnection(config).status !== 'connected') await reconnect(config)
  const connection = getConnection(config)
  return connection.status === 'connected' && connection.address.toLowerCase() === address.toLowerCase() ? connection.connector : null
}

export async function signTypedDataWithWallet(
  config: Config,
  connector: Connector,
  address: `0x${string}`,
  typedData: Eip712TypedData,
): Promise<`0x${string}`> {
  const { domain, types, primaryType, message } = typedData
  return signTypedData(config, { domain, types, primaryType, message, account: address, connector })
}

/** The error of a wallet as a message of the catalogue. */
export function walletFailureText(error: unknown, t: Translate<'wallet.connectWalletDialog'>): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code
    if (code === 4001 || cause.name === 'UserRejectedRequestError') return t('youDeclinedInWallet')
    if (code === -32_002) return t('walletAlreadyAsking')
  }
  const short = (error as { shortMessage?: string } | null)?.shortMessage
  return short ?? (error instanceof Error ? error.message : t('walletDidNotAnswer'))
}
