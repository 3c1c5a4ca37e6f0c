import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMissingNotifications, sendDueNotifications } from '../../../server/notifications/index.ts'
import type { Fault } from '../edge/oracles.ts'
import { draftFor, newId, openSession, personIn, type ScenePerson } from '../ground/cast.ts'
import { type Answer, ask } from '../ground/http.ts'
import { secretWord } from '../ground/scene.ts'
import { patience } from '../ground/slowness.ts'
import { connectAgent } from '../ground/socket.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { addressOf, hubRequest, type Place, webRequest } from '../operations/operations.ts'
import { newHandle, recipes } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { loginOf } from './logins.ts'
import { fault, isTaken, mutate, pause, resultOf, sendWithRetry } from './request-helpers.ts'

/** Another client that has nothing yet. */
async function asNew(place: Place): Promise<{ readonly place: Place; readonly person: ScenePerson }> {
  const { world } = place.installation
  const person = await personIn(world, 0n)
  const client = { ...person, session: await openSession(world, person) }
  return { person: client, place: { ...place, scene: { ...place.scene, people: { ...place.scene.people, client } } } }
}

/** `source`: where the number stands. */
type Quota = {
  readonly what: string
  readonly max: number
  readonly source: string
  send(place: Place, person: ScenePerson): Promise<Answer>
}

const quotas: readonly Quota[] = [
  {
    what: 'open demands of a person',
    max: 20,
    source: 'protocol/SPEC.md, Demand',
    send: (place) => mutate(place, 'client', 'goals.postDemand', { id: newId(), text: `Sing me the song ${newId()}.` }),
  },
  {
    what: 'listings of a wallet',
    max: 20,
    source: 'protocol/SPEC.md, Listing',
    send: (place, { address }) => mutate(place, 'client', 'registry.publish', { listing: draftFor(newHandle(), 'text.fuzz', address) }),
  },
]

/** What one owner may have at most, also if it asks for more at the same moment. */
async function exceedQuotas(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { what, max, source, send } of quotas) {
    const { place: own, person } = await asNew(place)
    let taken = 0
    // All but a few one after the other, and the rest at once.
    for (let n = 0; n < max - 2; n++) if (isTaken(await send(own, person))) taken++
    const rest = await Promise.all(Array.from({ length: 6 }, () => send(own, person)))
    taken += rest.filter(isTaken).length
    if (taken > max) faults.push(fault('quotas hold', what, `${taken} were taken, ${source} allows ${max}`))
    if (taken < max - 2) faults.push(fault('quotas hold', what, `only ${taken} of ${max} were taken: ${rest.at(-1)?.text.slice(0, 160)}`))
  }
  return [
    ...faults,
    ...(await guessCode(place)),
    ...(await lifetimes(place)),
    ...(await chainBatch(place)),
    ...(await privateMail(place)),
    ...(await pollAll(place)),
    ...(await largeCall(place)),
    ...(await largeFrames(place)),
    ...(await innerAddresses(place)),
  ]
}

const maxCodes = 5

/** docs/notifications.md: a code is valid for five wrong entries. */
async function guessCode(place: Place): Promise<Fault[]> {
  const { place: own, person } = await asNew(place)
  await mutate(own, 'client', 'notifications.setEmail', { email: `q${Date.now().toString(36)}@example.net` })
  const outbox = await ask(webRequest(own, 'client', 'GET', '/api/trpc/notifications.listOutbox'))
  const code = /\\n\\n(\d{6})\\n/.exec(outbox.text)?.[1] ?? /\b(\d{6})\b/.exec(outbox.text)?.[1]
  if (code === undefined)
    return [fault('quotas hold', 'codes of a mail', `${person.did.slice(0, 12)} has no code: ${outbox.text.slice(0, 160)}`)]
  const wrong = code === '000000' ? '000001' : '000000'
  for (let n = 0; n < maxCodes; n++) await mutate(own, 'client', 'notifications.confirmEmail', { code: wrong })
  const right = await mutate(own, 'client', 'notifications.confirmEmail', { code })
  return isTaken(right) ? [fault('quotas hold', 'codes of a mail', `the code was taken after ${maxCodes} wrong ones`)] : []
}

const maxPolled = 100

/** protocol/SPEC.md, HTTP: an answer has at most 100 messages. */
async function pollAll(place: Place): Promise<Fault[]> {
  const roomId = place.scene.goals.work.roomId
  for (let n = 0; n < maxPolled + 10; n++)
    await sendWithRetry(place.scene.people.client, { type: 'message.post', room_id: roomId, parts: [{ text: `Word ${n}.` }] })
  const { text } = await ask(hubRequest(place, 'helper', 'GET', '/v1/messages?wait=0'))
  const { messages = [] } = JSON.parse(text || '{}') as { messages?: readonly unknown[] }
  return messages.length > maxPolled
    ? [fault('quotas hold', 'messages of a poll', `${messages.length} were sent, ${maxPolled} are allowed`)]
    : []
}

/** The files of one side of a call: fewer bytes than three of the largest. */
async function largeCall(place: Place): Promise<Fault[]> {
  const asked = (await recipes['channels.ask']?.(place, 'client')) as { readonly [field: string]: Value }
  const attachments = Array.from({ length: 3 }, (_, n) => ({
    ...{ name: `large${n}.txt`, media_type: 'text/plain', artifact_type: 'text.plain' },
    content: Buffer.alloc(2_000_000, 0x61 + n).toString('base64'),
  }))
  const answer = await mutate(place, 'client', 'channels.ask', { ...asked, attachments })
  return isTaken(answer) ? [fault('quotas hold', 'files of a call', 'three files of 2 MB were taken')] : []
}

const maxFragments = 1_024

/** protocol/SPEC.md, Handshake: bytes of a frame, and fragments of a message, also after the `welcome`. */
async function largeFrames(place: Place): Promise<Fault[]> {
  const { hub } = place.installation
  const faults: Fault[] = []
  const open = () => connectAgent(hub.url, place.scene.agents.planner)
  const many = await open()
  many.socket.send('{"type":"ping"', { fin: false })
  for (let n = 0; n <= maxFragments && many.isOpen(); n++) many.socket.send(' ', { fin: false })
  many.socket.send('}', { fin: true })
  if ((await many.next(({ type }) => type === 'pong', 3_000)) !== null)
    faults.push(fault('quotas hold', 'fragments of a message', `${maxFragments + 3} were read, ${maxFragments} are allowed`))
  many.close()
  const large = await open()
  large.send(`{"type":"ping"${' '.repeat(8_388_608)}}`)
  if ((await large.next(({ type }) => type === 'pong', 3_000)) !== null)
    faults.push(fault('quotas hold', 'bytes of a frame', 'more than 8,388,608 were read'))
  large.close()
  return faults
}

const graceMs = 16 * 60_000
const maxMailWaits = 10

/** SECURITY.md: a mail contains no text of a private goal, not even its title, and reaches its person only. */
async function privateMail(place: Place): Promise<Fault[]> {
  const { place: own, person } = await asNew(place)
  const { outboxMail } = place.installation.world.system.db
  const word = secretWord()
  await mutate(own, 'client', 'notifications.setEmail', { email: `m${word}@example.net` })
  const [first] = await outboxMail.findMany({ where: { personId: person.did } })
  await mutate(own, 'client', 'notifications.confirmEmail', { code: /\b\d{6}\b/.exec(first?.text ?? '')?.[0] ?? '' })
  const secret = secretWord()
  const body = (await recipes['goals.post']?.(own, 'client')) as { readonly goal: { readonly [field: string]: Value } }
  const { follows: _, ...goal } = body.goal
  const brief = { ...goal, text: `Write about ${secret}, please.`, criteria: [{ text: `It mentions ${secret}.` }], visibility: 'private' }
  const posted = await mutate(own, 'client', 'goals.post', { ...body, goal: brief, attachments: [] })
  const goalId = /gol_[0-9a-f]{32}/.exec(posted.text)?.[0] ?? ''
  const { system } = place.installation.world
  // The mail is for those who have not signed for a while.
  await system.db.goal.updateMany({ where: { id: goalId }, data: { postedAt: new Date(Date.now() - graceMs) } })
  await createMissingNotifications(system)
  await sendDueNotifications(system)
  for (let waits = 0; waits < maxMailWaits; waits++, await pause(500)) {
    const mails = await outboxMail.findMany({ where: { OR: [{ personId: person.did }, { text: { contains: goalId } }] } })
    const about = mails.filter(({ text }) => text.includes(goalId))
    const wrong = mails.find(({ subject, text, html }) => `${subject} ${text} ${html}`.includes(secret))
    if (wrong) return [fault('mails say nothing private', 'a mail about a goal', `${wrong.subject}: ${wrong.text.slice(0, 160)}`)]
    if (about.some(({ personId }) => personId !== person.did))
      return [fault('mails say nothing private', 'a mail about a goal', 'it was sent to another person')]
    if (about.length > 0) return []
  }
  return [fault('mails say nothing private', 'the attack', `no mail about the goal was sent: ${posted.status}`)]
}

const minute = 60_000
/** So far a clock and an answer may be off. */
const slackMs = 20_000

/** protocol/SPEC.md, Clients: how long a token and a nonce are valid. */
async function lifetimes(place: Place): Promise<Fault[]> {
  const { person } = await asNew(place)
  const faults: Fault[] = []
  const issue = async (more: { readonly [field: string]: Value }) => {
    const login = JSON.parse(writeJson(await loginOf(place, person, { message: {} }))) as { readonly [field: string]: Value }
    return ask({ ...hubRequest(place, 'anonymous', 'POST', '/v1/tokens', writeJson({ ...login, ...more })), from: addressOf('anonymous') })
  }
  const lifeOf = ({ text }: Answer, field: string) => Date.parse(new RegExp(`"${field}":"([^"]+)"`).exec(text)?.[1] ?? '') - Date.now()
  const expect = (what: string, ms: number, of: number) => {
    if (!(Math.abs(ms - of) <= slackMs))
      faults.push(fault('quotas hold', what, `it is valid for ${Math.round(ms / 1_000)} s, not ${of / 1_000} s`))
  }
  expect('life of a token of 60 s', lifeOf(await issue({ expires_in: 60 }), 'expires_at'), minute)
  expect('life of a token of 12 h', lifeOf(await issue({ expires_in: 43_200 }), 'expires_at'), 720 * minute)
  expect('life of a token', lifeOf(await issue({}), 'expires_at'), 60 * minute)
  const nonce = await ask({ ...hubRequest(place, 'anonymous', 'POST', '/v1/nonces'), from: addressOf('anonymous') })
  expect('life of a nonce', lifeOf(nonce, 'expires_at'), 5 * minute)
  for (const expires_in of [59, 43_201, 0, -60, 86_400, 4_320_000])
    if (isTaken(await issue({ expires_in }))) faults.push(fault('quotas hold', 'life of a token', `${expires_in} s was taken`))
  const late = { issuedAt: new Date(Date.now() - 4 * minute), expirationTime: new Date(Date.now() + 7 * minute) }
  const long = writeJson(await loginOf(place, person, { message: late }))
  if (isTaken(await ask({ ...hubRequest(place, 'anonymous', 'POST', '/v1/tokens', long), from: addressOf('anonymous') })))
    faults.push(fault('quotas hold', 'life of a sign-in message', '11 minutes were taken'))
  return faults
}

const maxCalls = 20

/** More calls of the chain in one request than are forwarded. */
async function chainBatch(place: Place): Promise<Fault[]> {
  const calls = Array.from({ length: maxCalls + 1 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))
  const answer = await ask({ ...webRequest(place, 'anonymous', 'POST', '/api/chain', writeJson(calls)), from: addressOf('anonymous') })
  return isTaken(answer) && answer.text.split('"result"').length > maxCalls + 1
    ? [fault('quotas hold', 'calls of one request to the chain', `${calls.length} were answered`)]
    : []
}

/** Hosts of this machine and of its network, in all spellings. */
const innerHosts = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['localhost', 'localhost.', 'ip6-localhost', '127.0.0.1.nip.io'],
  ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '169.254.169.254', '224.0.0.1', '198.18.0.1', '240.0.0.1'],
  ...['[fd00::1]', '[fe80::1]', '[ff02::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:db8::1]', '[::ffff:10.0.0.1]', '[::127.0.0.1]'],
]
/** `at`: a port on which this process listens. */
const innerUrls = (at: number) => [
  ...innerHosts.flatMap((host) => [`https://${host}:${at}/`, `http://${host}:${at}/`]),
  ...[
    `127.0.0.1:9@127.0.0.1:${at}/`,
    `127.0.0.1:${at}#@127.0.0.1:9/`,
    `user:pw@127.0.0.1:${at}/`,
    `127.0.0.1:${at}\\@127.0.0.1:9/`,
  ].flatMap((rest) => [`https://${rest}`, `http://${rest}`]),
]
const isAddress = (url: string) => /^https?:\/\/(?:[\d.]+|0x[0-9a-f]+|\[[^\]]+\]):\d+\/$/.test(url)

/**
 * SECURITY.md: a person's webhook reaches no address inside the network, in any spelling, and follows no redirect. An address is refused
 * at once; the rest must not connect.
 */
async function innerAddresses(place: Place): Promise<Fault[]> {
  let connections = 0
  const server = createServer()
  server.on('connection', (socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '::', resolve))
  const { port } = server.address() as AddressInfo
  try {
    let { place: own } = await asNew(place)
    for (const [index, url] of innerUrls(port).entries()) {
      // Each person has a few changes per minute.
      if (index % 8 === 7) ({ place: own } = await asNew(place))
      const set = await mutate(own, 'client', 'notifications.setWebhook', { url })
      if (set.status === 429) return [fault('no request goes inside', 'the attack', `the change to ${url} was limited`)]
      if (!isTaken(set)) continue
      if (isAddress(url)) return [fault('no request goes inside', 'notifications.setWebhook', `${url} was taken`)]
      await mutate(own, 'client', 'notifications.sendTest', null)
      await pause(patience(1_500))
      if (connections > 0) return [fault('no request goes inside', 'notifications.setWebhook', `${url} was connected to`)]
    }
  } finally {
    server.close()
    server.closeAllConnections()
  }
  return []
}

/** protocol/SPEC.md, HTTP: a poll waits at most 30 s. */
async function waitLong(place: Place): Promise<Fault[]> {
  const own = await asNew(place)
  const { agent_id: _, ...listing } = resultOf(
    await mutate(own.place, 'client', 'registry.publish', { listing: draftFor(newHandle(), 'text.fuzz', own.person.address) }),
  )
  const token = typeof listing.token === 'string' ? listing.token : ''
  const request = (query: string) => ({
    ...hubRequest(place, 'anonymous', 'GET', `/v1/messages?${query}`),
    headers: { authorization: `Bearer ${token}` },
  })
  // What it has received already.
  const first = await ask(request('wait=0'))
  const ack = /"ack":"([^"]*)"/.exec(first.text)?.[1] ?? ''
  const allowed = patience(40_000)
  const answer = await ask(request(`wait=100000&ack=${ack}`), { timeoutMs: allowed })
  return answer.status === 0
    ? [fault('quotas hold', 'wait of a poll', `it had no answer after ${Math.round(allowed / 1_000)} s, 30 s are allowed`)]
    : []
}

export const quotasAttack: Attack = { name: 'quotas', run: exceedQuotas }
export const longWaits: Attack = { name: 'long waits', waits: true, run: waitLong }
