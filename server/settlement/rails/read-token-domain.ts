import { BaseError, createPublicClient, domainSeparator, type Hex, HttpRequestError, type PublicClient, parseAbi, TimeoutError } from 'viem'
import { DomainError } from '../../errors.ts'
import { createQuorumTransport, type RpcOptions } from './quorum-transport.ts'

/** EIP-712 name and version of the token. `version` null: the domain has none. */
export type TokenDomain = { readonly name: string; readonly version: string | null }
export type TokenFacts = TokenDomain & { readonly decimals: number; readonly symbol: string }
type At = { readonly chainId: number; readonly token: Hex }

const tokenAbi = parseAbi([
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])
/** Fewer decimals are too coarse for cents. With more, a ledger column (63 bits) holds less than nine million tokens. */
const [minDecimals, maxDecimals] = [2, 12]

/** EIP-712 domain of the token. */
export function domainOfToken({ chainId, token }: At, { name, version }: TokenDomain) {
  return { name, ...(version === null ? {} : { version }), chainId, verifyingContract: token }
}

/**
 * Reads the token's EIP-712 domain and verifies it against the token's `DOMAIN_SEPARATOR`. Null if the node is unreachable or two
 * nodes disagree.
 * @throws {Error} if the token supports no ERC-3009 authorizations, with the reason
 */
export async function readTokenDomain(node: RpcOptions, at: At): Promise<TokenFacts | null> {
  const client = createPublicClient({ transport: createQuorumTransport(node), cacheTime: 0 })
  try {
    return await readFrom(client, at)
  } catch (error) {
    if (isUnreachable(error)) return null
    throw error
  }
}

async function readFrom(client: PublicClient, at: At): Promise<TokenFacts> {
  const refuse = (why: string): never => {
    throw new Error(`TOKEN_ADDRESS ${at.token} on chain ${at.chainId}: ${why}`)
  }
  const actual = await client.getChainId()
  if (actual !== at.chainId) refuse(`CHAIN_RPC_URL is a node of chain ${actual}, and CHAIN_ID is ${at.chainId}.`)
  if (!(await client.getCode({ address: at.token }))) refuse('no contract stands there.')
  const separator = await orNull(client.readContract({ ...contractOf(at), functionName: 'DOMAIN_SEPARATOR' }))
  if (separator === null) return refuse('it has no DOMAIN_SEPARATOR(), so it takes no ERC-3009 authorizations.')
  const decimals = await orNull(client.readContract({ ...contractOf(at), functionName: 'decimals' }))
  if (decimals === null) return refuse('it does not tell its decimals().')
  if (decimals < minDecimals || decimals > maxDecimals)
    refuse(`it has ${decimals} decimals; ${minDecimals} to ${maxDecimals} are taken, since amounts are kept as 64-bit integers.`)
  const symbol = (await orNull(client.readContract({ ...contractOf(at), functionName: 'symbol' }))) ?? ''
  const domain = (await candidateDomains(client, at)).find((one) => domainSeparator({ domain: domainOfToken(at, one) }) === separator)
  if (!domain)
    return refuse('what it tells of its EIP-712 domain (eip712Domain(), or name() and version()) does not match its DOMAIN_SEPARATOR().')
  return { ...domain, decimals, symbol: /^[\x21-\x7e]{1,11}$/.test(symbol) ? symbol : 'tokens' }
}

/** ERC-5267 returns the whole domain. Older tokens have a name, and a version or none. */
async function candidateDomains(client: PublicClient, at: At): Promise<TokenDomain[]> {
  const declared = await orNull(client.readContract({ ...contractOf(at), functionName: 'eip712Domain' }))
  if (declared) {
    const [fields, name, version] = declared
    // Domains with a salt or an extension are not supported, so they match nothing.
    return [{ name, version: (Number(fields) & 0b10) === 0 ? null : version }]
  }
  const name = await orNull(client.readContract({ ...contractOf(at), functionName: 'name' }))
  const version = await orNull(client.readContract({ ...contractOf(at), functionName: 'version' }))
  if (name === null) return []
  return version === null
    ? [
        { name, version: '1' },
        { name, version: null },
      ]
    : [{ name, version }]
}

function contractOf({ token }: At) {
  return { address: token, abi: tokenAbi } as const
}

/** Null if the token lacks or reverts the function. Rethrows if the node is unreachable. */
async function orNull<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request
  } catch (error) {
    if (isUnreachable(error)) throw error
    return null
  }
}

/** No node responds, or two nodes disagree. */
function isUnreachable(error: unknown): boolean {
  for (let one: unknown = error; one instanceof Error; one = one.cause) if (one instanceof DomainError) return true
  return error instanceof BaseError && error.walk((one) => one instanceof HttpRequestError || one instanceof TimeoutError) !== null
}
