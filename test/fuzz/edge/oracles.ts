/** What has to hold of each answer and each process, whatever was sent. General on purpose: no oracle knows a single fault. */

import { limits as protocolLimits } from '@parley/protocol'
import type { Role } from '../ground/cast.ts'
import { cutOff } from '../ground/http.ts'
import type { Installation, Process } from '../ground/installation.ts'
import type { Look } from '../ground/probe.ts'
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

export function answerFaults(name: string, answer: Pick<Delivered, 'status' | 'text' | 'bytes' | 'fault'>): Fault[] {
  const { status, text, bytes, fault } = answer
  const faults: Fault[] = []
  const isBug = status >= 500 || text.includes('"server.internal_error"') || text.includes('"code":"server.internal_error')
  if (isBug) faults.push({ oracle: 'no bug', subject: name, detail: `answered ${status}: ${text.slice(0, 300)}` })
  if (status === 200 && fault === cutOff) faults.push({ oracle: 'answers', subject: name, detail: cutOff })
  if (status === 0 && !/socket hang up|ECONNRESET|EPIPE|Parse Error/.test(fault ?? ''))
    faults.push({ oracle: 'answers', subject: name, detail: fault ?? 'no answer' })
  faults.push(...markupFaults(name, text))
  if (bytes > limits.answerBytes && !isFile(name))
    faults.push({ oracle: 'bounded answer', subject: name, detail: `${bytes} bytes, ${limits.answerBytes} are allowed` })
  return faults
}

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

/** Words and ids of the private goal in an answer to a party that may not read them and did not send them. */
export function leakFaults(name: string, { scene, privateIds }: Place, role: Role, sent: string, received: string): Fault[] {
  if (readers.includes(role)) return []
  // Others may have posted some of them.
  const secrets = role === 'anonymous' ? [...scene.secrets, ...privateIds] : scene.secrets
  const leaked = secrets.filter((secret) => received.includes(secret) && !sent.includes(secret))
  const at = (secret: string) => received.slice(Math.max(0, received.indexOf(secret) - 80), received.indexOf(secret) + 60)
  return leaked
    .slice(0, 1)
    .map((secret) => ({ oracle: 'private stays private', subject: name, detail: `${role} received …${at(secret)}…` }))
}

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
