import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seedAgents } from '../../bench/hub/seed-agents.ts'
import { composeServices } from '../../server/compose.ts'
import type { Context } from '../../server/context.ts'
import { postSystemMessage } from '../../server/conversations/index.ts'
import { inTransaction } from '../../server/db.ts'
import { startReverseProxy } from '../../server/embedded/cluster/reverse-proxy.ts'
import { root } from '../../server/embedded/processes/run-script.ts'
import { ensureWebBuild } from '../../server/embedded/web/web-build.ts'
import { readEnvironment } from '../../server/env.ts'
import { bareHub } from '../../test/support/bare-hub-environment.ts'
import { until } from '../hub/run-hub-fault-stage.ts'
import { prepareWebProcess } from './prepare-web-process.ts'
import { startRoomReader } from './room-reader.ts'
import { startSignedInVisitor } from './signed-in-visitor.ts'

export type WebRestartOutcome = {
  readonly requests: number
  /** Requests with an error or without an answer. */
  readonly failed: number
  /** Requests that were refused although their session was valid. */
  readonly signed_out: number
  /** Goals that the server confirmed; of these, how many are missing; and stored goals that it never confirmed. */
  readonly posted: number
  readonly lost: number
  readonly unanswered: number
  /** Request bodies that took longer than one second. */
  readonly slow_bodies: number
  readonly restarts: number
  /** The maximum time from the stop signal until the web process ended. */
  readonly shutdown_ms: number
  /** Streams: restarts, and messages that were missing, repeated or out of order. */
  readonly streams_restarted: number
  readonly streams_refused: number
  readonly messages_received: number
  readonly missing: number
  readonly out_of_order: number
}

const webs = 2
const rounds = 2
const visitors = 6
const slowVisitors = 3
const readers = 4
/** The proxy probes five times as often. */
const leaveMs = 1_000
const probeEveryMs = 200
const maxShutdownMs = 10_000

/** The reasons why the run fails. Empty if visitors saw no error and there was enough load. */
export function missedBy(out: WebRestartOutcome): string[] {
  const missed: string[] = []
  if (out.restarts < webs * rounds) missed.push(`void: ${out.restarts} restarts`)
  if (out.requests < 100) missed.push(`void: ${out.requests} requests`)
  if (out.slow_bodies < out.restarts) missed.push(`void: ${out.slow_bodies} slow bodies`)
  if (out.streams_restarted < readers) missed.push(`void: ${out.streams_restarted} restarted streams`)
  if (out.messages_received === 0) missed.push('void: no message was received')
  for (const name of ['failed', 'signed_out', 'lost', 'unanswered', 'streams_refused', 'missing', 'out_of_order'] as const)
    if (out[name] > 0) missed.push(`${name.replaceAll('_', ' ')}: ${out[name]}`)
  if (out.shutdown_ms > maxShutdownMs) missed.push(`a web was gone after ${out.shutdown_ms} ms`)
  return missed
}

export async function runWebRestartScenario(databaseUrl: string, log: (line: string) => void): Promise<WebRestartOutcome> {
  await ensureWebBuild(root, path.join(root, '.parley'), { NODE_ENV: 'production' })
  const nodes = await Promise.all(Array.from({ length: webs }, () => prepareWebProcess(leaveMs)))
  const proxy = await startReverseProxy({ port: 0, hubs: [], webs: nodes.map(({ url }) => url), probeEveryMs })
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
    let [restarts, shutdownMs] = [0, 0]
    for (let round = 0; round < rounds; round++)
      for (const node of nodes) {
        await pause(1_500)
        shutdownMs = Math.max(shutdownMs, await node.end())
        await node.start()
        // As in a rolling restart: the next process stops after this one is ready.
        await pause(3 * probeEveryMs)
        restarts++
        log(`a web is restarted; the slowest was gone after ${Math.round(shutdownMs)} ms`)
      }
    await Promise.all(people.map((one) => one.end()))
    const received = await talk.end()
    await until(() => streams.every(({ seqs }) => seqs.at(-1) === received), 10_000)
    for (const stream of streams) stream.close()
    for (const line of new Set(people.flatMap(({ failures }) => failures))) log(`failed: ${line}`)
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
      slow_bodies: sum(({ counts }) => counts.slowBodies),
      restarts,
      shutdown_ms: Math.round(shutdownMs),
      streams_restarted: streams.reduce((total, { counts }) => total + counts.connects - 1, 0),
      streams_refused: streams.reduce((total, { counts }) => total + counts.refused, 0),
      messages_received: streams.reduce((total, { seqs }) => total + seqs.length, 0),
      missing: streams.reduce((total, { seqs }) => total + received - new Set(seqs).size, 0),
      out_of_order: streams.reduce((total, { seqs }) => total + seqs.filter((seq, at) => seq !== at + 1).length, 0),
    }
  } finally {
    for (const end of ends) void end()
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await proxy.close()
    await world.close()
  }
}

/** The server posts in the room twenty times a second. `end` returns the last sequence number. */
function speak(ctx: Context, roomId: string): { end(): Promise<number> } {
  let isOver = false
  const running = (async () => {
    for (let received = 0; !isOver; received++) {
      await inTransaction(ctx, (tx) => postSystemMessage(tx, { roomId, kind: 'team.sealed', data: {}, text: `word ${received}` }))
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
