import { ApiScope, apiScopePrefix, personDid } from '@parley/protocol'
import { SiweMessage } from 'siwe'
import type { Market } from '../context.ts'
import { messageMalformed, nonceInvalid, originRefused } from './errors.ts'

/** The statement of the sign-in message. The server rejects any other. */
export const siweStatement = 'Sign in to Parley. This moves no money and costs nothing.'
/** The maximum validity of a sign-in message. */
export const siweMessageLifetimeMs = 600_000
/** The accepted clock skew of a wallet. */
const skewMs = 60_000
const maxLength = 4_096

export type SiweLogin = {
  readonly did: ReturnType<typeof personDid>
  readonly address: `0x${string}`
  readonly nonce: string
  /** The scopes among the resources of the message. */
  readonly scopes: readonly ApiScope[]
}

/**
 * Parses an EIP-4361 message with the `siwe` package and checks it against this server. Does not check the signature or the stored nonce.
 */
export function parseSiweMessage(text: string, market: Market, now: Date): SiweLogin {
  if (text.length > maxLength) throw messageMalformed(`A sign-in message has at most ${maxLength} characters.`)
  const message = parse(text)
  const here = new URL(market.publicUrl)
  const scheme = here.protocol.slice(0, -1)
  if (message.domain !== here.host) throw originRefused('domain', here.host, message.domain)
  if (message.scheme !== undefined && message.scheme !== scheme) throw originRefused('scheme', scheme, message.scheme)
  const origin = originOf(message.uri)
  if (origin !== here.origin) throw originRefused('uri', here.origin, origin)
  if (message.version !== '1') throw messageMalformed('The version must be 1.', { actual: message.version })
  if (message.chainId !== market.chainId)
    throw messageMalformed(`The message is for chain ${message.chainId}. This market settles on chain ${market.chainId}.`, {
      expected: market.chainId,
      actual: message.chainId,
    })
  if (message.statement !== siweStatement)
    throw messageMalformed("The message has another statement than this server's.", { expected: siweStatement })
  checkTimes(message, now)
  return {
    did: personDid(market.chainId, message.address),
    address: message.address.toLowerCase() as `0x${string}`,
    nonce: message.nonce,
    scopes: readScopes(message.resources ?? []),
  }
}

function readScopes(resources: readonly string[]): ApiScope[] {
  return resources.map((resource) => {
    const scope = ApiScope.safeParse(resource.startsWith(apiScopePrefix) ? resource.slice(apiScopePrefix.length) : null)
    if (scope.success) return scope.data
    throw messageMalformed(`The message has the resource ${resource.slice(0, 100)}, which is no scope of this server.`, {
      expected: ApiScope.options.map((name) => apiScopePrefix + name).join(', '),
    })
  })
}

function parse(text: string): SiweMessage {
  try {
    return new SiweMessage(text)
  } catch (error) {
    throw messageMalformed(`The message is not a sign-in message: ${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'}`)
  }
}

function originOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).origin : 'an address that is none'
}

function checkTimes(message: SiweMessage, now: Date): void {
  const issued = Date.parse(message.issuedAt ?? '')
  const expires = Date.parse(message.expirationTime ?? '')
  if (Number.isNaN(issued)) throw messageMalformed('The message has no time of issue.')
  if (Number.isNaN(expires)) throw messageMalformed('The message has no expiration time.')
  if (expires - issued > siweMessageLifetimeMs)
    throw messageMalformed(`A sign-in message is valid for at most ${siweMessageLifetimeMs / 60_000} minutes.`)
  const at = now.getTime()
  if (issued > at + skewMs) throw nonceInvalid('The message was issued in the future. Check the clock of your device.')
  if (expires <= at || at - issued > siweMessageLifetimeMs) throw nonceInvalid('The message has expired.')
  if (message.notBefore !== undefined && !(Date.parse(message.notBefore) <= at + skewMs))
    throw nonceInvalid('The message is not valid yet.')
}
