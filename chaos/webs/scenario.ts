import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seedAgents } from '../../bench/hub/seed-agents.ts'
import { composeServices } from '../../server/compose.ts'
import type { Context } from '../../server/context.ts'
import { postSystemMessage } from '../../server/conversations/index.ts'
import { inTransaction } from '../../server/db.ts'
import { startProxy } from '../../server/embedded/cluster/proxy.ts'
import { root } from '../../server/embedded/processes/run-script.ts'
import { ensureWebBuild } from '../../server/embedded/web/web-build.ts'
import { readEnvironment } from '../../server/env.ts'
import { bareHub } from '../../test/support/bare-hub.ts'
import { until } from '../hub/scenario.ts'
import { startRoomReader } from './room-reader.ts'
import { startSignedInVisitor } from './signed-in-visitor.ts'
import { prepareWebProcess } from './web-process.ts'

export type WebsOutcome = {
  readonly requests: number
  /** Answered otherwise than with success, or not at all. */
  readonly failed: number
  /** Requests that found no session where there was one. */
  readonly signed_out: number
  /** Goals that were answered, of these how many are not there, and how many are there that nobody was answered. */
  readonly posted: number
  readonly lost: number
  readonly unanswered: number
  /** Bodies that were on their way for longer than a second. */
  readonly in_pieces: number
  readonly restarts: number
  /** From asking a web to end until it was gone; the worst. */
  readonly goodbye_ms: number
  /** Streams: how often they were restarted, and what they missed, had twice, or had in another order. */
  readonly streams_anew: number
  readonly streams_refused: number
  readonly heard: number
  readonly missing: number
  readonly out_of_order: number
}

const webs = 2
const rounds = 2
const visitors = 6
const slowVisitors = 3
const readers = 4
/** The proxy asks five times as often. */
const leaveMs = 1_000
const probeEveryMs = 200
const maxGoodbyeMs = 10_000

/** What keeps this run from passing; empty where nobody noticed anything and enough was under way to notice. */
export function missedBy(out: WebsOutcome): string[] {
  const missed: string[] = []
  if (out.restarts < webs * rounds) missed.push(`void: ${out.restarts} restarts`)
  if (out.requests < 100) missed.push(`void: ${out.requests} requests`)
  if (out.in_pieces < out.restarts) missed.push(`void: ${out.in_pieces} bodies on their way`)
  if (out.streams_anew < readers) missed.push(`void: ${out.streams_anew} restarted streams`)
  if (out.heard === 0) missed.push('void: nothing was heard')
  for (const name of ['failed', 'signed_out', 'lost', 'unanswered', 'streams_refused', 'missing', 'out_of_order'] as const)
    if (out[name] > 0) missed.push(`${name.replaceAll('_', ' ')}: ${out[name]}`)
  if (out.goodbye_ms > maxGoodbyeMs) missed.push(`a web was gone after ${out.goodbye_ms} ms`)
  return missed
}

export async function runWebsScenario(databaseUrl: string, tell: (line: string) => void): Promise<WebsOutcome> {
  await ensureWebBuild(root, path.join(root, '.parley'), { NODE_ENV: 'production' })
  const nodes = await Promise.all(Array.from({ length: webs }, () => prepareWebProcess(leaveMs)))
  const proxy = await startProxy({ port: 0, hubs: [], webs: nodes.map(({ url }) => url), probeEveryMs })
  const front = `http://127.0.0.1:${proxy.port}`
  const env = bareHub(databaseUrl, { PUBLIC_URL: front, HUB_URL: front })
  const world = await composeServices('hub', readEnvironment(env))
  const ctx = world.contextFor({ kind: 'system', name: 'setup' })
  const ends: (() => unknown)[] = []
  try {
    for (const node of nodes) node.setEnv(env)
    const [[actor]] = await Promise.all([seedAgents(databaseUrl, 1, 1, 2), ...nodes.map((node) => node.start())])
    const roomId = actor?.roomId ?? ''
    await ctx.db.conversation.update({ where: { roomId }, data: { isPublic: true } })
    await pause(2 * probeEveryMs)
    const people = await Promise.all(
      Array.from({ length: visitors + slowVisitors }, (_, at) => startSignedInVisitor(front, at >= visitors)),
    )
    const streams = Array.from({ length: readers }, () => startRoomReader(front, roomId))
    ends.push(...people.map((one) => one.end), ...streams.map((one) => one.close))
    const talk = speak(ctx, roomId)
    ends.push(talk.end)
    let [restarts, goodbye] = [0, 0]
    for (let round = 0; round < rounds; round++)
      for (const node of nodes) {
        await pause(1_500)
        goodbye = Math.max(goodbye, await node.end())
        await node.start()
        // As in a rolling restart: the next one stops once this one is ready.
        await pause(3 * probeEveryMs)
        restarts++
        tell(`a web is restarted; the slowest was gone after ${Math.round(goodbye)} ms`)
      }
    await Promise.all(people.map((one) => one.end()))
    const said = await talk.end()
    await until(() => streams.every(({ seqs }) => seqs.at(-1) === said), 10_000)
    for (const stream of streams) stream.close()
    for (const line of new Set(people.flatMap(({ failures }) => failures))) tell(`failed: ${line}`)
    const sum = (of: (one: (typeof people)[number]) => number) => people.reduce((total, one) => total + of(one), 0)
    const posted = people.flatMap((one) => one.posted)
    const stored = new Set((await ctx.db.goal.findMany({ select: { id: true } })).map(({ id }) => id))
    return {
      requests: sum(({ counts }) => counts.requests),
      failed: sum(({ counts }) => counts.failed),
      signed_out: sum(({ counts }) => counts.signedOut),
      posted: posted.length,
      lost: posted.filter((id) => !stored.has(id)).length,
      unanswered: stored.size - new Set(posted).size,
      in_pieces: sum(({ counts }) => counts.inPieces),
      restarts,
      goodbye_ms: Math.round(goodbye),
      streams_anew: streams.reduce((total, { counts }) => total + counts.connects - 1, 0),
      streams_refused: streams.reduce((total, { counts }) => total + counts.refused, 0),
      heard: streams.reduce((total, { seqs }) => total + seqs.length, 0),
      missing: streams.reduce((total, { seqs }) => total + said - new Set(seqs).size, 0),
      out_of_order: streams.reduce((total, { seqs }) => total + seqs.filter((seq, at) => seq !== at + 1).length, 0),
    }
  } finally {
    for (const end of ends) void end()
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await proxy.close()
    await world.close()
  }
}

/** The server says something in the room twenty times a second. `end` gives the last number. */
function speak(ctx: Context, roomId: string): { end(): Promise<number> } {
  let isOver = false
  const running = (async () => {
    for (let said = 0; !isOver; said++) {
      await inTransaction(ctx, (tx) => postSystemMessage(tx, { roomId, kind: 'team.sealed', data: {}, text: `word ${said}` }))
      await pause(50)
    }
    const { head } = await ctx.db.room.findUniqueOrThrow({ where: { id: roomId }, select: { head: true } })
    return head
  })()
  return {
    end() {
      isOver = true
      return running
    },
  }
}
