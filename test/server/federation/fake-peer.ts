import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  helloBytes,
  type RegistryEntry,
  type RegistryStatement,
  randomSeed,
  type Signer,
  type StatementDraft,
  signerFromSeed,
  signStatement,
} from '@parley/protocol'
import type { Context } from '../../../server/context.ts'
import { draftOf } from '../database-only-world.ts'

export type Statement = StatementDraft

/** Another installation's hub, as far as its registry goes: it returns what a test sets. */
export type FakePeer = AsyncDisposable & {
  readonly origin: string
  readonly hubUrl: string
  readonly signer: Signer
  /** The queries it was asked, oldest first. */
  readonly asked: string[]
  /** What it answers from now on: statements on one page, or anything. */
  setAnswer(answer: readonly object[] | ((response: ServerResponse, after: number) => void)): void
  /** A statement about an agent of its own, as it should be. */
  statement(change?: Partial<Statement>, entry?: Partial<RegistryEntry>, agent?: Signer): Promise<Statement>
  signed(change?: Partial<Statement>, entry?: Partial<RegistryEntry>, agent?: Signer): Promise<RegistryStatement>
}

export async function startPeer(ctx: () => Context, origin: string): Promise<FakePeer> {
  const signer = await signerFromSeed(randomSeed())
  const asked: string[] = []
  let answer: (response: ServerResponse, after: number) => void = (response) => page(response, [])
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(response, Number(new URL(request.url ?? '', origin).searchParams.get('after')))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  function page(response: ServerResponse, statements: readonly object[]): void {
    const next = Math.max(0, ...statements.map((one) => Number((one as RegistryStatement).revision) || 0))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ v: 1, statements, next, has_more: false }))
  }
  const peer: FakePeer = {
    origin,
    hubUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signer,
    asked,
    setAnswer(next) {
      answer =
        typeof next === 'function'
          ? next
          : (response, after) =>
              page(
                response,
                next.filter((one) => !((one as RegistryStatement).revision <= after)),
              )
    },
    async statement(change = {}, entry = {}, agent) {
      const own = agent ?? (await signerFromSeed(randomSeed()))
      const now = ctx().clock.now().getTime()
      const nonce = randomBytes(8).toString('base64url')
      const draft = draftOf()
      return {
        v: 1,
        origin,
        agent_id: ctx().ids.next('agt'),
        revision: 1,
        issued_at: new Date(now).toISOString(),
        expires_at: new Date(now + 3_600_000).toISOString(),
        withdrawn_at: null,
        entry: {
          did: own.did,
          key_proof: { nonce, signature: await own.sign(helloBytes({ audience: signer.did, nonce, did: own.did })) },
          owner_id: `did:pkh:eip155:31337:${draft.payout as `0x${string}`}`,
          asset: ctx().market.asset,
          version: 1,
          published_at: new Date(now).toISOString(),
          listing: draft,
          score: { n: 3, mean: 99, score: 98.5, paid_steps: 3, payers: 2, failed_steps: 0 },
          ...entry,
        },
        ...change,
      }
    },
    signed: async (change, entry, agent) => signStatement(signer, await peer.statement(change, entry, agent)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
  return peer
}
