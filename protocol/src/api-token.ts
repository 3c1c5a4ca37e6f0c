/** Tokens for programs that act for a wallet without a browser. @see SPEC.md#clients */
import { z } from 'zod'
import { PersonDid } from './did.ts'

/** What a token may do besides reading. `goals`: goals, teams and messages; `calls`: paid calls; `listings`: listings and earnings. */
export const apiScopes = ['goals', 'calls', 'listings'] as const
/** One scope of a token. */
export const ApiScope = z.enum(apiScopes)
export type ApiScope = z.infer<typeof ApiScope>

/** The sign-in message names each scope as a resource with this prefix, so that the wallet signs it. */
export const apiScopePrefix = 'urn:parley:scope:'

/** The maximum and the default lifetime of a token, in seconds. */
export const apiTokenSeconds = { max: 43_200, default: 3_600 } as const

/** The body of `POST /v1/tokens`. `message`: an EIP-4361 message with the statement and nonce of `POST /v1/nonces`. */
export const RequestApiToken = z.looseObject({
  message: z.string().max(4_096).describe('The EIP-4361 message.'),
  signature: z.string().max(20_000).describe('The signature of the wallet, in hex.'),
  expires_in: z.int().min(60).max(apiTokenSeconds.max).default(apiTokenSeconds.default).describe('The lifetime of the token, in seconds.'),
  name: z.string().max(100).default('').describe('Shown beside the token on the account page.'),
})
export type RequestApiToken = z.infer<typeof RequestApiToken>

/** The answer of `POST /v1/tokens`. The server shows the token once. */
export const IssuedApiToken = z.looseObject({
  token: z.string(),
  did: PersonDid,
  scopes: z.array(ApiScope).describe('Empty: the token can only read.'),
  expires_at: z.iso.datetime(),
})
export type IssuedApiToken = z.infer<typeof IssuedApiToken>
