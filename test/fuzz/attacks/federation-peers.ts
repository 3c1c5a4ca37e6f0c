import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { helloBytes, randomSeed, type Signer, signerFromSeed, signStatement } from '@parley/protocol'
import statementSchema from '../../../protocol/schemas/registry-statement.json' with { type: 'json' }
import { syncPeer } from '../../../server/federation/index.ts'
import { foreignAgentId } from '../../../server/registry/index.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import { readOne } from '../edge/read-pages-and-lists.ts'
import { draftFor } from '../ground/cast.ts'
import { ask } from '../ground/http.ts'
import type { Tree, Value } from '../inputs/json-text.ts'
import { isRaw, isTree } from '../inputs/json-text.ts'
import { mutationsOf, placeName, positionsOf } from '../inputs/mutations.ts'
import type { Schema } from '../inputs/schema.ts'
import { jsonInUrl, type Place, webRequest } from '../operations/operations.ts'
import { newHandle } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

type Statement = { readonly agent_id: string; readonly [field: string]: Value }
type Peer = AsyncDisposable & {
  readonly origin: string
  readonly signer: Signer
  /** The peer answers so from now on, and the market reads it. */
  answer(text: string): Promise<void>
  /** With growing revisions. */
  state(statements: readonly object[]): Promise<void>
}

const dayMs = 86_400_000
const maxTries = 5
let revision = 0

async function openPeer({ installation, scene }: Place): Promise<Peer> {
  const { system } = installation.world
  const signer = await signerFromSeed(randomSeed())
  let body = '{}'
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://p${randomBytes(4).toString('hex')}.example`
  const hub_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await scene.people.operator.send({ type: 'peer.add', origin, server_did: signer.did, hub_url })
  const answer = async (text: string) => {
    body = text
    await system.db.peer.updateMany({ where: { origin }, data: { nextSyncAt: new Date(Date.now() - 1_000), fullSyncAt: null } })
    await syncPeer(system, origin)
  }
  return {
    ...{ origin, signer, answer },
    async state(statements) {
      // The hub's own job may have begun to read the former answer.
      for (let tries = 0; tries < maxTries; tries++, await pause(200)) {
        await answer(JSON.stringify({ v: 1, statements, next: revision, has_more: false }))
        const row = await system.db.peer.findUnique({ where: { origin } })
        if (row !== null && row.cursor >= BigInt(revision)) return
      }
    },
    async [Symbol.asyncDispose]() {
      await scene.people.operator.send({ type: 'peer.remove', origin })
      server.closeAllConnections()
      server.close()
    },
  }
}

/** About an agent of the peer, as it has to be. */
async function statementOf(place: Place, { origin, signer }: Peer, changes: Tree = {}, ofListing: Tree = {}): Promise<Statement> {
  const agent = await signerFromSeed(randomSeed())
  const { market, ids } = place.installation.world.system
  const nonce = randomBytes(8).toString('base64url')
  const payout = `0x${randomBytes(20).toString('hex')}`
  const listing = { ...draftFor(newHandle(), 'text.fuzz', payout), ...ofListing }
  const now = Date.now()
  const made = {
    ...{ v: 1, origin, agent_id: ids.next('agt'), revision: ++revision, withdrawn_at: null },
    ...{ issued_at: new Date(now).toISOString(), expires_at: new Date(now + 3_600_000).toISOString() },
    entry: {
      did: agent.did,
      key_proof: { nonce, signature: await agent.sign(helloBytes({ audience: signer.did, nonce, did: agent.did })) },
      owner_id: `did:pkh:eip155:${market.chainId}:${payout}`,
      ...{ asset: market.asset, version: 1, published_at: new Date(now).toISOString(), listing },
      score: { n: 3, mean: 99, score: 98.5, paid_steps: 3, payers: 2, failed_steps: 0 },
    },
    ...changes,
  }
  return made as unknown as Statement
}

const sign = (signer: Signer, statement: Statement) => signStatement(signer, statement as never)

/** Each is refused: SECURITY.md, "Statements of another installation count only if an operator has named it, and only about its own agents." */
async function forgedStatements(
  place: Place,
  peer: Peer,
): Promise<{ readonly what: string; readonly statement: object; readonly id: string }[]> {
  const other = await signerFromSeed(randomSeed())
  const ownKey = place.scene.agents.worker.signer
  const now = Date.now()
  const make = async (what: string, changes: Tree, by: Signer = peer.signer, after: Tree = {}) => {
    const plain = await statementOf(place, peer, changes)
    const signed = await sign(by, plain)
    return { what, statement: { ...signed, ...after }, id: plain.agent_id }
  }
  const withListing = async (what: string, ofListing: Tree) => {
    const plain = await statementOf(place, peer, {}, ofListing)
    return { what, statement: await sign(peer.signer, plain), id: plain.agent_id }
  }
  const plain = await statementOf(place, peer)
  const entry = plain.entry as Tree
  const long = { issued_at: new Date(now).toISOString(), expires_at: new Date(now + 8 * dayMs).toISOString() }
  const nonce = 'a'.repeat(12)
  const proof = { nonce, signature: await ownKey.sign(helloBytes({ audience: peer.signer.did, nonce, did: ownKey.did })) }
  const skill = (draftFor('x', 'text.fuzz', '0x').skills[0] ?? {}) as Tree
  return [
    await make('of another server', {}, other),
    await make('of another server in the name of this one', {}, other, { issuer: peer.signer.did }),
    await make('about another installation', { origin: 'https://third.example' }),
    await make('that was changed afterwards', {}, peer.signer, { revision: ++revision }),
    await make('that has ended', { issued_at: new Date(now - 2 * dayMs).toISOString(), expires_at: new Date(now - dayMs).toISOString() }),
    await make('of the future', { issued_at: new Date(now + dayMs).toISOString(), expires_at: new Date(now + 2 * dayMs).toISOString() }),
    await make('for more than seven days', long),
    await make('with the key of an agent of this market', { entry: { ...entry, did: ownKey.did, key_proof: proof } }),
    await make('without a proof of the key', { entry: { ...entry, did: other.did } }),
    await make('of 100 kB', { padding: 'x'.repeat(100_000) }),
    ...(await Promise.all(
      ['\u034f', '\u115f', '\u200b', '\u202e', '\ufe00', '\u2800', '\u{e0041}'].flatMap((letter) => [
        withListing('with an invisible letter in the name', { name: `Da${letter}ta writer` }),
        withListing('with an invisible letter in the name of a skill', { skills: [{ ...skill, name: `Da${letter}ta` }] }),
      ]),
    )),
  ]
}

const pageOf = 20

/** What a peer that an operator has added states: what is false is refused, and what is odd breaks no list, page or job. */
async function listen(place: Place): Promise<Fault[]> {
  await using peer = await openPeer(place)
  const { db } = place.installation.world.system
  const faults: Fault[] = []
  const isListed = async (id: string) => (await db.listing.findUnique({ where: { agentId: foreignAgentId(peer.origin, id) } })) !== null
  const good = await statementOf(place, peer)
  await peer.state([await sign(peer.signer, good)])
  if (!(await isListed(good.agent_id))) {
    const row = await db.peer.findUnique({ where: { origin: peer.origin } })
    return [fault('peers', 'the attack', `a good statement was refused: ${row?.refusal ?? ''} ${row?.problem ?? ''}`)]
  }
  for (const { what, statement, id } of await forgedStatements(place, peer)) {
    await peer.state([statement])
    if (await isListed(id)) faults.push(fault('peers', 'a statement', `${what} was taken`))
  }
  for (const text of oddPages(peer)) await peer.answer(text)
  faults.push(...(await stateOdd(place, peer)))
  return [...faults, ...(await readAll(place, peer.origin))]
}

/** Pages that are none. */
const oddPages = ({ origin }: Peer): string[] => [
  ...[
    '',
    'null',
    '[]',
    '{',
    '{"v":1}',
    '{"v":1,"statements":{},"next":0,"has_more":false}',
    '{"v":1,"statements":[null,5,"x",[]],"next":0,"has_more":false}',
  ],
  ...['-1', '0.5', '1e999', '9007199254740993', '"1"', 'null'].map((next) => `{"v":1,"statements":[],"next":${next},"has_more":true}`),
  `{"v":1,"statements":[${'['.repeat(5_000)}${']'.repeat(5_000)}],"next":1,"has_more":false}`,
  `{"v":1,"statements":[{"origin":"${origin}","__proto__":{"a":1}}],"next":1,"has_more":false}`,
  ' '.repeat(3_000_000),
]

/** Each place of a statement with each value that is allowed there or nearly so. */
async function stateOdd(place: Place, peer: Peer): Promise<Fault[]> {
  const schema = statementSchema as unknown as Schema
  const waiting: object[] = []
  const base = await statementOf(place, peer)
  const faults: Fault[] = []
  for (const position of positionsOf(base, schema)) {
    if (/^(v|origin|agent_id|revision|issued_at|expires_at|entry\.(did|key_proof))/.test(placeName(position.path))) continue
    for (const mutation of mutationsOf(position, place.scene.known)) {
      if (/^(size|huge|nesting|wire|id)$/.test(mutation.group) || /nested|keys-/.test(mutation.name)) continue
      const changed = mutation.apply(await statementOf(place, peer))
      if (!isTree(changed) || holdsRaw(changed)) continue
      const signed = await sign(peer.signer, changed as Statement).catch(() => null)
      if (signed) waiting.push(signed)
    }
  }
  for (let at = 0; at < waiting.length; at += pageOf)
    await peer.state(waiting.slice(at, at + pageOf)).catch((error: unknown) => {
      faults.push(fault('peers', 'a synchronization', String(error).slice(0, 300)))
    })
  return faults
}

const holdsRaw = (value: Value): boolean =>
  isRaw(value) || (Array.isArray(value) ? value.some(holdsRaw) : isTree(value) && Object.values(value).some(holdsRaw))

const maxPages = 30
const maxRead = 60

/** All lists, page by page, and the pages of some that were taken. */
async function readAll(place: Place, origin: string): Promise<Fault[]> {
  const faults: Fault[] = []
  let after: string | null = null
  for (let pages = 0; pages < maxPages; pages++) {
    const input: Tree = { limit: 100, sort: 'newest', ...(after !== null && { after }) }
    const answer = await ask(webRequest(place, 'client', 'GET', `/api/trpc/registry.discover?input=${jsonInUrl({ json: input })}`))
    faults.push(...answerFaults('trpc:registry.discover', answer))
    after = /"next":"([^"]+)"/.exec(answer.text)?.[1] ?? null
    if (after === null) break
  }
  const rows = await place.installation.world.system.db.listing.findMany({
    where: { origin },
    select: { agentId: true },
    take: maxRead,
    orderBy: { agentId: 'asc' },
  })
  for (const { agentId } of rows)
    for (const end of ['', '/listing.json', '/listing.md']) {
      const read = { name: `page:/agents/[handle]${end}`, role: 'anonymous' as const, path: `/agents/${agentId}${end}` }
      faults.push(...(await readOne(place, read)).faults.filter(({ oracle }) => oracle !== 'pages within a second'))
      if (faults.length > 5) return faults
    }
  for (const path of ['/agents', '/agents/gateways', '/agents/types', '/admin/peers'])
    faults.push(...(await readOne(place, { name: `page:${path}`, role: 'operator', path })).faults)
  return faults
}

export const peersAttack: Attack = { name: 'peers', run: listen }
