/** A person with a fresh wallet who uses the web as its pages do: tRPC over HTTP, and one signature where money moves. */
import { randomBytes } from 'node:crypto'
import {
  type ArtifactRef,
  charterAuthorizationTypedData,
  charterHash,
  type EscrowPlan,
  escrowDomain,
  sha256,
  termsTypes,
  uuidv7,
} from '@parley/protocol'
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client'
import type { inferRouterOutputs } from '@trpc/server'
import { getAddress, hashTypedData } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { AppRouter } from '../../server/trpc/app-router.ts'
import { transformer } from '../../server/trpc/transformer.ts'
import type { Chain } from './chain.ts'
import type { DemoGoal } from './goals.ts'
import { paint, print } from './screen.ts'

export type Answers = inferRouterOutputs<AppRouter>
export type DemoClient = {
  readonly webUrl: string
  readonly account: PrivateKeyAccount
  readonly address: `0x${string}`
  readonly api: TRPCClient<AppRouter>
  readonly fetch: typeof fetch
}
export type PostedGoal = {
  readonly goalId: string
  readonly roomId: string
  readonly planId: string
  readonly plan: EscrowPlan
  /** Approves teams for the client, and nothing else. */
  readonly session: PrivateKeyAccount
}

const messageLifeMs = 5 * 60_000

/** A `fetch` that keeps cookies, as a browser does. */
function fetchWithCookies(): typeof fetch {
  const jar = new Map<string, string>()
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(input, { ...init, headers, signal: init?.signal ?? AbortSignal.timeout(30_000) })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]?.split(/=(.*)/s) ?? []
      jar.set(name, value)
    }
    return response
  }
}

export async function signIn(webUrl: string, chain: Chain): Promise<DemoClient> {
  const account = privateKeyToAccount(generatePrivateKey())
  const fetchHere = fetchWithCookies()
  const link = httpLink({ url: `${webUrl}/api/trpc`, transformer, fetch: fetchHere as never })
  const api = createTRPCClient<AppRouter>({ links: [link] })
  const { nonce, statement } = await api.identity.issueNonce.mutate()
  const here = new URL(webUrl)
  const now = Date.now()
  const message = createSiweMessage({
    domain: here.host,
    address: getAddress(account.address),
    statement,
    uri: here.origin,
    version: '1',
    chainId: await chain.id(),
    nonce,
    issuedAt: new Date(now),
    expirationTime: new Date(now + messageLifeMs),
  })
  await api.identity.signIn.mutate({ message, signature: await account.signMessage({ message }) })
  return { webUrl, account, address: account.address.toLowerCase() as `0x${string}`, api, fetch: fetchHere }
}

/** Posts the goal and sets its money aside, after a look at what is to be signed. */
export async function postAndFund({ account, address, api }: DemoClient, goal: DemoGoal): Promise<PostedGoal> {
  const session = privateKeyToAccount(generatePrivateKey())
  const posted = await api.goals.post.mutate({
    id: uuidv7(Date.now(), randomBytes(10)),
    goal: {
      text: goal.text,
      ...(goal.originalText && { original_text: goal.originalText }),
      criteria: goal.criteria.map((text) => ({ text })),
      budget: goal.budget.toString(),
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
      review_hours: 1,
      visibility: 'public',
      planner: goal.planner ?? 'deterministic',
      authorizer: session.address.toLowerCase(),
    },
    attachments: [...goal.attachments],
  })
  const { typedData, terms } = await api.settlement.getFunding.query({ goal_id: posted.goal_id })
  const { message, domain } = typedData
  const escrow = message.to as `0x${string}`
  const planId = hashTypedData({
    domain: escrowDomain(domain.chainId ?? 0, escrow),
    types: termsTypes,
    primaryType: 'Terms',
    message: terms,
  })
  if (message.nonce !== planId || BigInt(String(message.value)) !== goal.budget || terms.total !== goal.budget || terms.client !== address)
    throw new Error('What the web gives to sign is not what was posted. Nothing was signed.')
  const signature = await account.signTypedData(typedData as Parameters<PrivateKeyAccount['signTypedData']>[0])
  await api.settlement.authorize.mutate({ goal_id: posted.goal_id, signature })
  return {
    goalId: posted.goal_id,
    roomId: posted.room_id,
    planId,
    plan: { chain_id: domain.chainId ?? 0, escrow, plan_id: planId },
    session,
  }
}

/** Approves each team that all members have signed, by the session key; repeated looks sign nothing twice. */
export function teamApproval(
  { api }: DemoClient,
  { goalId, plan, session }: PostedGoal,
): (run: Answers['goals']['getPage']) => Promise<void> {
  const approved = new Set<number>()
  return async ({ approval, team }) => {
    if (approval?.state !== 'open' || approved.has(approval.version)) return
    if (!team || team.charterHash !== approval.charterHash) return
    const { version } = approval
    const hash = await charterHash(team.charter)
    const signature = await session.signTypedData(charterAuthorizationTypedData(team.charter, hash, plan))
    await api.charters.authorize.mutate({ goal_id: goalId as never, version, signature })
    approved.add(version)
    print(paint('green', `  The client approves the team, by charter ${version}.`))
  }
}

/** A file of the goal, by the address that a page would show it under, and proved by its hash. */
export async function fetchFile(client: DemoClient, goalId: string, file: ArtifactRef): Promise<Uint8Array<ArrayBuffer>> {
  const response = await client.fetch(`${client.webUrl}/api/artifacts/${goalId}/${file.sha256}`)
  if (!response.ok) throw new Error(`The file ${file.name} can't be read: ${response.status}.`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if ((await sha256(bytes)) !== file.sha256) throw new Error(`The file ${file.name} is not the one that its hash names.`)
  return bytes
}
