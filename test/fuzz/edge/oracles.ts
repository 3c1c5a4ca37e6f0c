/** What has to hold of each answer and each process, whatever was sent. General on purpose: no oracle knows a single fault. */

import { limits as protocolLimits } from '@parley/protocol'
import type { Role } from '../ground/cast.ts'
import { cutOff } from '../ground/http.ts'
import type { Installation, Process } from '../ground/installation.ts'
import type { Look } from '../ground/process-probe.ts'
import type { Operation, Place } from '../operations/operations.ts'
import type { Delivered } from './deliver.ts'

export const limits = {
  /** Processor time of a process's main thread for one request; nobody else is served meanwhile. */
  workMs: 700,
  /** A page or list, until it is there. */
  pageMs: 1_000,
  answerBytes: 4 * 2 ** 20,
  /** What a process may hold more than at the beginning once it had time to let go. */
  heldBytes: 160 * 2 ** 20,
  rssBytes: 700 * 2 ** 20,
} as const

/** `oracle`: which one. `subject`: of what. `isLasting`: it fails again without the request that caused it. */
export type Fault = { readonly oracle: string; readonly subject: string; readonly detail: string; readonly isLasting?: boolean }

/** Files are as large as they were uploaded, and exports stream what there is. */
const isFile = (name: string) => /artifacts|calls\/|getFile|artifact\.get|\.jsonl|\.csv|_next/.test(name)

export function answerFaults(name: string, answer: Pick<Delivered, 'status' | 'text' | 'bytes' | 'fault' | 'headers'>): Fault[] {
  const { status, text, fault } = answer
  const faults: Fault[] = headerFaults(name, answer)
  const isBug = status >= 500 || text.includes('"server.internal_error"') || text.includes('"code":"server.internal_error')
  if (isBug) faults.push({ oracle: 'no bug', subject: name, detail: `answered ${status}: ${text.slice(0, 300)}` })
  if (status === 200 && fault === cutOff) faults.push({ oracle: 'answers', subject: name, detail: cutOff })
  if (status === 0 && !/socket hang up|ECONNRESET|EPIPE|Parse Error/.test(fault ?? ''))
    faults.push({ oracle: 'answers', subject: name, detail: fault ?? 'no answer' })
  faults.push(...markupFaults(name, text))
  const inner = status >= 400 || /"isError":true|"error":\{/.test(text) ? innerText.exec(text) : null
  if (inner)
    faults.push({
      oracle: 'errors say nothing of the inside',
      subject: name,
      detail: text.slice(Math.max(0, inner.index - 60), inner.index + 120),
    })
  const size = boundedBytes(answer)
  if (size > limits.answerBytes && !isFile(name))
    faults.push({ oracle: 'bounded answer', subject: name, detail: `${size} bytes, ${limits.answerBytes} are allowed` })
  return faults
}

/** A stream goes on until its reader ends it. What is bounded is one event. A text of one event may be cut off. */
function boundedBytes({ headers, text, bytes }: Pick<Delivered, 'headers' | 'text' | 'bytes'>): number {
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false
  const events = isStream ? text.split(/\r?\n\r?\n/) : []
  return events.length < 2 ? bytes : Math.max(...events.map((event) => Buffer.byteLength(event)))
}

/** A redirect stays on this site, scripts cannot read the cookie of a login, and what is for one reader is kept by no shared cache. */
function headerFaults(name: string, { headers }: Pick<Delivered, 'headers'>): Fault[] {
  const faults: Fault[] = []
  const { location = '' } = headers
  const leads =
    /^\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(location) && !/^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/|$)/i.test(location)
  if (leads) faults.push({ oracle: 'redirects stay here', subject: name, detail: location.slice(0, 200) })
  for (const cookie of headers['set-cookie'] ?? []) {
    const isLogin = /session/i.test(cookie.split('=')[0] ?? '')
    if (
      isLogin &&
      !(
        /;\s*httponly/i.test(cookie) &&
        /;\s*samesite=(lax|strict)/i.test(cookie) &&
        /;\s*path=\/(;|$)/i.test(cookie) &&
        !/;\s*domain=/i.test(cookie)
      )
    )
      faults.push({ oracle: 'a login stays in its browser', subject: name, detail: cookie.replace(/=[^;]+/, '=…') })
  }
  if (/\bpublic\b|s-maxage/.test(`${headers['cache-control'] ?? ''}`) && isOfReader.test(name))
    faults.push({ oracle: 'no shared cache keeps it', subject: name, detail: String(headers['cache-control']) })
  return faults
}

/** A stack, a path of a file, a statement of the database or a driver. */
const innerText =
  /\n\s+at [\w.<>]+ \(|node_modules\/|\bPrisma\w*Error|\bECONNREFUSED\b|postgres(?:ql)?:\/\/|\bserver\/[\w/-]+\.ts\b|\bselect\b[^<>]{0,200}\bfrom\s+"/i

/** Its answer depends on who asks. */
const isOfReader = /^(trpc|command|socket|mcp|a2a):|artifacts|calls\/|transcript|ledger|inbox|account|payouts|receipts|invoice|rooms/

/** A page shows a text of a user as a text, links to no script, and a spreadsheet runs no cell. */
function markupFaults(name: string, text: string): Fault[] {
  const isPage = /^\s*<(!doctype html|html)/i.test(text)
  const isTable = /\.csv$/.test(name)
  const wrong = isPage
    ? /<script>alert\(1\)|<zqmark\b|(?:href|src|action)="\s*(?:javascript|data:text\/html|vbscript):/i.exec(text)
    : isTable
      ? /(?:^|[\r\n,]"?)[=@+](?:HYPERLINK|cmd)/m.exec(text)
      : null
  if (!wrong) return []
  const at = text.slice(Math.max(0, wrong.index - 80), wrong.index + 80)
  return [{ oracle: 'texts stay texts', subject: name, detail: `…${at}…` }]
}

/** So long is no single text and no list outside a file: a request that was taken with it has no limit there. */
const boundless = /^(megabyte|ten-thousand|keys-400000|depth-200|depth-20000|large-unknown|nested-list|nested-tree)$/

/** What no limit of any place allows, taken. */
export function boundFaults({ name, isReading }: Operation, place: string, mutation: string, status: number): Fault[] {
  const isTaken = status >= 200 && status < 300
  if (!isTaken || isReading || !boundless.test(mutation) || /\bcontent$/.test(place) || !/^(trpc|command|socket|mcp):/.test(name)) return []
  return [{ oracle: 'every place has a limit', subject: `${name} ${place}`, detail: `${mutation} was taken (${status})` }]
}

/** What web and hub have worked since `before`, and what they logged. */
export async function processFaults({ web, hub }: Installation, name: string, before: Looks): Promise<{ faults: Fault[]; after: Looks }> {
  const after = await lookAt({ web, hub })
  const faults = [web, hub].flatMap((one): Fault[] => {
    const worked = after[one.name].workedMs - before[one.name].workedMs
    const lines = one.takeFaults().filter((line) => !isExpected(line))
    const logged = lines.map((line) => ({ oracle: `nothing breaks in the ${one.name}`, subject: name, detail: line.slice(0, 700) }))
    const isSlow = worked > limits.workMs
    const slow = { oracle: `bounded work in the ${one.name}`, subject: name, detail: `${Math.round(worked)} ms of its main thread` }
    return isSlow ? [...logged.slice(0, 2), slow] : logged.slice(0, 2)
  })
  return { faults, after }
}

/** Lines in which nothing of ours broke. */
const isExpected = (line: string) => /ExperimentalWarning|DeprecationWarning|MaxListenersExceeded|"level":(30|40)/.test(line)

export type Looks = { readonly web: Look; readonly hub: Look }
export async function lookAt({ web, hub }: { web: Process; hub: Process }, collect = false): Promise<Looks> {
  const [inWeb, inHub] = await Promise.all([web.look(collect), hub.look(collect)])
  return { web: inWeb, hub: inHub }
}

/** Who may read the private goal: its client, who plans it, and operators, who see all that is held. */
const readers: readonly Role[] = ['client', 'lead', 'operator', 'publisher']

/** Words and ids of the private goal in an answer to a party that may not read them and did not send them; and the logins of all. */
export function leakFaults(name: string, { scene, privateIds }: Place, role: Role, sent: string, received: string): Fault[] {
  const login = loginsOf(scene).find((token) => received.includes(token) && !sent.includes(token))
  if (login !== undefined) return [{ oracle: 'no answer has a login', subject: name, detail: `${role} received a token` }]
  if (readers.includes(role)) return []
  // Others may have posted some of them.
  const secrets = role === 'anonymous' ? [...scene.secrets, ...privateIds] : scene.secrets
  const leaked = secrets.filter((secret) => received.includes(secret) && !sent.includes(secret))
  const at = (secret: string) => received.slice(Math.max(0, received.indexOf(secret) - 80), received.indexOf(secret) + 60)
  return leaked
    .slice(0, 1)
    .map((secret) => ({ oracle: 'private stays private', subject: name, detail: `${role} received …${at(secret)}…` }))
}

/** Tokens of sessions and agents, which the server keeps as hashes only. */
export const loginsOf = ({ people, agents, spareSession }: Place['scene']): string[] => [
  ...Object.values(people).map(({ session }) => session),
  ...Object.values(agents).map(({ token }) => token),
  spareSession,
]

export function overheardFaults(place: Place, { overheard: visibleToOthers }: Pick<Delivered, 'overheard'>, sent: string): Fault[] {
  return visibleToOthers.flatMap(({ role, text }) => leakFaults(`socket of ${role}`, place, role, sent, text)).slice(0, 1)
}

/** What the server adds to an envelope when it delivers it. */
const deliveredBytes = 8_192

/** A message longer than the protocol allows, in front of those who only listen. */
export function sizeFaults({ overheard: visibleToOthers }: Pick<Delivered, 'overheard'>): Fault[] {
  const tooLong = visibleToOthers.filter(
    ({ text }) => text.startsWith('{"type":"deliver"') && Buffer.byteLength(text) > protocolLimits.envelopeBytes + deliveredBytes,
  )
  return tooLong.slice(0, 1).map(({ role, text }) => ({
    oracle: 'bounded messages',
    subject: `socket of ${role}`,
    detail: `${Buffer.byteLength(text)} bytes were delivered, an envelope has at most ${protocolLimits.envelopeBytes}`,
  }))
}

/** Writes that nobody has to sign in for. */
const openWrites = /^trpc:identity\.(issueNonce|signIn|signOut)|^trpc:channels\.quote|^hub:POST \/v1\/(agents|tokens)|^stripe:|^frame:/

/** A stranger's write that was taken. */
export function authorityFaults(operation: Operation, role: Role, status: number): Fault[] {
  if (operation.isReading || role !== 'anonymous' || status >= 300 || status === 0 || openWrites.test(operation.name)) return []
  if (/^(a2a|mcp):/.test(operation.name)) return []
  return [{ oracle: 'writes need an actor', subject: operation.name, detail: `taken from nobody: ${status}` }]
}
