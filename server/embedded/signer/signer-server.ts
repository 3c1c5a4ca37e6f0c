import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Hex, hexToBigInt, hexToNumber } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { type AskedTypedData, countWords, refuseTransaction, refuseTypedData, type SigningPolicy, type Site } from './signing-policy.ts'

/** A caller, and the roles whose keys it may use. */
export type SignerClient = { readonly token: string; readonly roles: readonly SigningPolicy['role'][] }
export type SignerKey = SigningPolicy & { readonly privateKey: Hex }
export type SignerOptions = { readonly site: Site; readonly keys: readonly SignerKey[]; readonly clients: readonly SignerClient[] }
type Held = { readonly policy: SigningPolicy; readonly account: PrivateKeyAccount; readonly own: Hex; readonly signedAt: number[] }
/** `now` in milliseconds. */
type Signer = { readonly site: Site; readonly clients: readonly SignerClient[]; readonly held: readonly Held[]; now(): number }

const hourMs = 3_600_000
const longestBody = 1_048_576
const quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i)
const address = z.string().regex(/^0x[0-9a-f]{40}$/i)
const bytes = z.string().regex(/^0x([0-9a-f]{2})*$/i)
const Request = z.object({
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
})
const Transaction = z.object({
  from: address,
  to: address.nullish(),
  data: bytes.default('0x'),
  value: quantity.default('0x0'),
  gas: quantity,
  nonce: quantity,
  chainId: quantity,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
})
const TypedData = z.looseObject({
  primaryType: z.string(),
  domain: z.looseObject({ chainId: z.union([z.number(), z.string()]).optional(), verifyingContract: z.string().optional() }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  message: z.record(z.string(), z.unknown()),
})

/**
 * A small remote signer: `eth_accounts`, `eth_signTransaction` and `eth_signTypedData` over HTTP, for callers with a token, with a policy
 * per key. Keys stay in this process. `now` in milliseconds.
 */
export function createSignerServer(options: SignerOptions, now: () => number = Date.now): Server {
  const held = options.keys.map(({ privateKey, ...policy }): Held => {
    const account = privateKeyToAccount(privateKey)
    return { policy, account, own: account.address.toLowerCase() as Hex, signedAt: [] }
  })
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    void answer({ site: options.site, clients: options.clients, held, now }, request, response)
  })
}

async function answer(signer: Signer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(JSON.stringify({ jsonrpc: '2.0', ...body }))
  }
  const client = signer.clients.find(({ token }) => isSame(request.headers.authorization ?? '', `Bearer ${token}`))
  if (!client) {
    request.resume()
    return send(401, { id: null, error: { code: -32_001, message: 'no such token' } })
  }
  const asked = Request.safeParse(parse(await readBody(request)))
  if (!asked.success) return send(400, { id: null, error: { code: -32_600, message: 'not a JSON-RPC request' } })
  const { id } = asked.data
  const held = signer.held.filter(({ policy }) => client.roles.includes(policy.role))
  try {
    return send(200, { id, result: await sign({ ...signer, held }, asked.data) })
  } catch (error) {
    const message = error instanceof Refused ? error.message : 'malformed parameters'
    return send(200, { id, error: { code: error instanceof Refused ? -32_000 : -32_602, message } })
  }
}

class Refused extends Error {}

/** `held`: the keys that the caller may use. */
async function sign({ site, held, now }: Signer, { method, params }: z.infer<typeof Request>): Promise<unknown> {
  if (method === 'eth_accounts') return held.map(({ own }) => own)
  if (method === 'eth_signTransaction') {
    const asked = Transaction.parse(params[0])
    const key = keyOf(held, asked.from)
    const transaction = {
      to: (asked.to ?? null) as Hex | null,
      data: asked.data.toLowerCase() as Hex,
      value: hexToBigInt(asked.value as Hex),
      gas: hexToBigInt(asked.gas as Hex),
      nonce: hexToNumber(asked.nonce as Hex),
      chainId: hexToNumber(asked.chainId as Hex),
      maxFeePerGas: hexToBigInt(asked.maxFeePerGas as Hex),
      maxPriorityFeePerGas: hexToBigInt(asked.maxPriorityFeePerGas as Hex),
    }
    admit(key, now(), refuseTransaction(key.policy, site, key.own, transaction))
    return key.account.signTransaction({ type: 'eip1559', ...transaction })
  }
  if (method === 'eth_signTypedData' || method === 'eth_signTypedData_v4') {
    const key = keyOf(held, address.parse(params[0]))
    const data = TypedData.parse(typeof params[1] === 'string' ? parse(params[1]) : params[1])
    const asked = data as AskedTypedData
    admit(key, now(), refuseTypedData(key.policy, site, asked), countWords(asked))
    return key.account.signTypedData(data as Parameters<PrivateKeyAccount['signTypedData']>[0])
  }
  throw new Refused(`${method} is not answered`)
}

function keyOf(held: readonly Held[], address: string): Held {
  const key = held.find(({ own }) => own === address.toLowerCase())
  if (!key) throw new Refused(`no key of ${address} for this caller`)
  return key
}

/** Counts the request as `words` signatures, or refuses it. */
function admit(key: Held, now: number, refusal: string | null, words = 1): void {
  if (refusal !== null) throw new Refused(refusal)
  while (key.signedAt[0] !== undefined && key.signedAt[0] <= now - hourMs) key.signedAt.shift()
  if (key.signedAt.length + words > key.policy.perHour)
    throw new Refused(`the ${key.policy.role} has signed ${key.policy.perHour} times in an hour`)
  for (let word = 0; word < words; word++) key.signedAt.push(now)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > longestBody) return ''
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Constant-time comparison. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
