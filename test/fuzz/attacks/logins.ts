import { apiScopePrefix } from '@parley/protocol'
import { createSiweMessage } from 'viem/siwe'
import { issueNonce, siweStatement } from '../../../server/identity/index.ts'
import type { Fault } from '../edge/oracles.ts'
import { openSession, personIn, type ScenePerson } from '../ground/cast.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { hubRequest, type Place, webRequest } from '../operations/operations.ts'
import { recipes } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, mutate } from './request-helpers.ts'

type Message = Parameters<typeof createSiweMessage>[0]
/** What the wallet signs. `signer`: another wallet signs it. `signed`: another text is signed. */
type Login = { readonly message: Partial<Message>; readonly signer?: ScenePerson; readonly signed?: (text: string) => string }

const minute = 60_000
const other = 'http://other.example'
/** Each is refused; everything else about it is valid. */
const invalid: { readonly [what: string]: (stranger: ScenePerson) => Login } = {
  'another domain': () => ({ message: { domain: 'other.example' } }),
  'another domain with the port of this one': () => ({ message: { domain: `other.example:${new URL(other).port || 80}` } }),
  'another address of the site': () => ({ message: { uri: other } }),
  'another chain': () => ({ message: { chainId: 1 } }),
  'another statement': () => ({ message: { statement: 'Pay everything.' } }),
  'no statement': () => ({ message: { statement: undefined as never } }),
  'a nonce that nobody issued': () => ({ message: { nonce: 'a1b2c3d4e5f6a7b8' } }),
  'the signature of another wallet': (signer) => ({ message: {}, signer }),
  'a signature of another text': () => ({ message: {}, signed: (text) => `${text} ` }),
  'no end': () => ({ message: { expirationTime: undefined as never } }),
  'an end that is too far': () => ({ message: { expirationTime: new Date(Date.now() + 24 * 60 * minute) } }),
  'an end that has passed': () => ({ message: { expirationTime: new Date(Date.now() - minute) } }),
  'a beginning in the future': () => ({ message: { notBefore: new Date(Date.now() + 10 * minute) } }),
  'a scope that does not exist': () => ({ message: { resources: [`${apiScopePrefix}everything`] } }),
}

type Entry = { readonly name: string; send(place: Place, body: Value): Promise<Answer> }
const entries: readonly Entry[] = [
  { name: 'identity.signIn', send: (place, body) => mutate(place, 'anonymous', 'identity.signIn', body) },
  { name: 'POST /v1/tokens', send: (place, body) => ask(hubRequest(place, 'anonymous', 'POST', '/v1/tokens', writeJson(body))) },
]

/** A sign-in message of this site with the given changes, and its signature. */
export async function loginOf(
  { installation }: Place,
  wallet: ScenePerson,
  { message, signer = wallet, signed = (text) => text }: Login,
): Promise<Value> {
  const { world, web } = installation
  const { nonce } = await issueNonce(world.system)
  const { host, origin } = new URL(web.url)
  const times = { issuedAt: new Date(), expirationTime: new Date(Date.now() + 5 * minute) }
  const site = { domain: host, uri: origin, version: '1', chainId: world.chain.chainId, statement: siweStatement } as const
  const text = createSiweMessage({ ...site, ...times, address: wallet.account.address, nonce, ...message })
  return { message: text, signature: await signer.account.signMessage({ message: signed(text) }) }
}

/** A login is of the wallet that signed this site's own message, once, with the scopes in it, until it is ended. */
async function breakIn(place: Place): Promise<Fault[]> {
  const wallet = await personIn(place.installation.world, 0n)
  const faults: Fault[] = []
  for (const { name, send } of entries) {
    const good = await loginOf(place, wallet, { message: {} })
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(place, good)))
    const taken = answers.filter(isTaken).length
    if (taken !== 1) faults.push(fault('one nonce is one login', name, `${taken} of 4 requests at the same time were taken`))
    if (isTaken(await send(place, good))) faults.push(fault('one nonce is one login', name, 'a message was taken again'))
    for (const [what, make] of Object.entries(invalid)) {
      const body = await loginOf(place, wallet, make(place.scene.people.stranger)).catch(() => null)
      if (body && isTaken(await send(place, body))) faults.push(fault('a login is of its wallet', name, `${what} was taken`))
    }
  }
  return [...faults, ...(await endLogins(place)), ...(await writeFromAnotherSite(place))]
}

const read = (place: Place, token: string): readonly [string, Request][] => [
  [
    'a procedure',
    { ...webRequest(place, 'anonymous', 'GET', '/api/trpc/identity.listSessions'), headers: { cookie: `parley_session=${token}` } },
  ],
  [
    'a procedure with a token',
    { ...webRequest(place, 'anonymous', 'GET', '/api/trpc/identity.listSessions'), headers: { authorization: `Bearer ${token}` } },
  ],
  [
    'a command',
    {
      ...hubRequest(place, 'anonymous', 'POST', '/v1/commands', '{"type":"memory.read"}'),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    },
  ],
]

/** A login that has ended gives nothing, at any entry point; each had given something before. */
async function endLogins(place: Place): Promise<Fault[]> {
  const { world } = place.installation
  const person = await personIn(world, 0n)
  const as = (token: string): Place => ({
    ...place,
    scene: { ...place.scene, people: { ...place.scene.people, stranger: { ...person, session: token } } },
  })
  const faults: Fault[] = []
  const ways: readonly [string, (token: string) => Promise<unknown>][] = [
    ['a sign-out', (token) => mutate(as(token), 'stranger', 'identity.signOut', null)],
    ['DELETE /v1/tokens/current', (token) => ask(hubRequest(as(token), 'stranger', 'DELETE', '/v1/tokens/current'))],
    ['a revocation', async (token) => mutate(as(token), 'stranger', 'identity.revokeSession', { id: await newestSession(place, person) })],
    [
      'its end',
      async () =>
        world.system.db.session.updateMany({ where: { personId: person.did }, data: { expiresAt: new Date(Date.now() - 1_000) } }),
    ],
  ]
  for (const [what, end] of ways) {
    const token = await openSession(world, person)
    const before = await Promise.all(read(place, token).map(async ([name, request]) => [name, await ask(request)] as const))
    await end(token)
    for (const [at, [name, request]] of read(place, token).entries())
      if (isTaken(before[at]?.[1] as Answer) && isTaken(await ask(request)))
        faults.push(fault('an ended login gives nothing', name, `was answered after ${what}`))
  }
  return faults
}

async function newestSession({ installation }: Place, { did }: ScenePerson): Promise<string> {
  const where = { personId: did }
  return (await installation.world.system.db.session.findFirstOrThrow({ where, orderBy: { createdAt: 'desc' } })).id
}

/** A page of another site makes the browser send the cookie: nothing is changed by that. */
async function writeFromAnotherSite(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const marks: readonly { readonly [header: string]: string }[] = [
    { origin: other },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: `${place.installation.web.url}.other.example` },
    { origin: other, 'content-type': 'text/plain' },
  ]
  for (const [name, input] of [
    ['notifications.chooseEvents', { channel: 'webhook', events: ['question'] }],
    ['goals.postDemand', await recipes['demand.post']?.(place, 'client')],
  ] as const)
    for (const mark of marks) {
      const request = webRequest(place, 'client', 'POST', `/api/trpc/${name}`, writeJson({ json: input as Value }))
      const answer = await ask({ ...request, headers: { ...request.headers, ...mark } })
      if (isTaken(answer)) faults.push(fault('another site writes nothing', name, `${writeJson(mark)} was answered ${answer.status}`))
    }
  return faults
}

export const logins: Attack = { name: 'logins', run: breakIn }
