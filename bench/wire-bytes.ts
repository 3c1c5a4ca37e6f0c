/**
 * `npm run bench:bytes`: the bytes on the wire of a whole goal that the built-in agents do. They are counted in its room and all inboxes,
 * from the first message to the payment. Also the savings and the cost of compression, computed and on a socket. The reference is the
 * exchange of 7.6 kB in "The Internet of Agents (IoA): A New Paradigm for AI Collaboration", which docs/capacity.md cites.
 */
import { brotliCompressSync } from 'node:zlib'
import { deflateThresholdBytes } from '../server/hub/codec/frames.ts'
import { startBuiltinAgents } from '../test/support/builtin-agents.ts'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { deployedChain, startDeployedChain } from '../test/support/deployed-chain.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { createWorld } from '../test/support/world.ts'
import { compressionPaysBelow, compressRoom, groupBySizeClass, sumSizes } from './wire-bytes/compress-messages.ts'
import { measureSocketBytes, withoutContext } from './wire-bytes/measure-socket-bytes.ts'

/** Bytes of an exchange in the cited article: the upper bound for the mean size of an envelope here. */
const articleExchangeBytes = 7_600
const round = (value: number, digits = 0) => Number(value.toFixed(digits))

const cluster = await startTestCluster()
const chain = await startDeployedChain(await deployedChain())
const database = await createDatabaseOn(cluster.admin)
try {
  await using world = await createWorld({ chain, database })
  await using _agents = await startBuiltinAgents(world)
  const client = await world.person()
  const goal = await world.postFundedGoal(client, {
    text: 'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format, and a trend analysis report',
    criteria: ['The report covers every year from 2014 to 2020.', 'There is a chart in text format.'],
  })
  await world.until('the delivery', async () => (await world.goal(goal.id)).state === 'review', 120_000)
  await client.send({ type: 'task.accept', goal_id: goal.id })
  await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid', 60_000)
  const rows = await world.system.db.message.findMany({
    orderBy: [{ roomId: 'asc' }, { seq: 'asc' }],
    select: { roomId: true, body: true },
  })
  const artifacts = await world.system.db.artifact.aggregate({ _sum: { size: true } })
  const rooms = [...Map.groupBy(rows, ({ roomId }) => roomId)].map(([roomId, messages]) => ({
    isRoom: roomId === goal.roomId,
    texts: messages.map(({ body }) => `{"type":"deliver","envelope":${body}}`),
  }))
  const compressed = rooms.map(({ isRoom, texts }) => ({ isRoom, all: compressRoom(texts) }))
  const all = compressed.flatMap((one) => one.all)
  const total = sumSizes(all)
  const room = sumSizes(compressed.flatMap((one) => (one.isRoom ? one.all : [])))
  const asSent = all.reduce((bytes, one) => bytes + (one.bytes.plain < deflateThresholdBytes ? one.bytes.plain : one.bytes.alone), 0)
  const mean = total.bytes.plain / total.messages
  const texts = rooms.flatMap((one) => one.texts)
  const socket = { plain: await measureSocketBytes(texts, false), deflated: await measureSocketBytes(texts, withoutContext) }
  const classes = groupBySizeClass(all).map(({ upTo, total: one }) => ({
    up_to: Number.isFinite(upTo) ? upTo : 'more',
    messages: one.messages,
    bytes: one.bytes,
    us_each: { alone: round(one.microseconds.alone / one.messages, 1), in_context: round(one.microseconds.in_context / one.messages, 1) },
    pays_below_mbit: {
      alone: round(compressionPaysBelow(one, 'alone') / 1e6),
      in_context: round(compressionPaysBelow(one, 'in_context') / 1e6),
    },
  }))
  console.log(
    `  a goal of ${total.messages} messages: plain ${total.bytes.plain} bytes, compressed ${total.bytes.alone}, in context ${total.bytes.in_context}, compressed from 2 KiB on, as sent, ${asSent}`,
  )
  for (const one of classes)
    console.log(
      `  up to ${String(one.up_to).padStart(5)} bytes: ${String(one.messages).padStart(3)} messages, ${one.bytes.plain} bytes, alone ${one.bytes.alone} (${one.us_each.alone} µs each), in context ${one.bytes.in_context} (${one.us_each.in_context} µs each); pays on lines below ${one.pays_below_mbit.alone} Mbit/s`,
    )
  const each = ({ microseconds }: { microseconds: number }) => round(microseconds / total.messages, 1)
  const onSocket = {
    bytes: { plain: socket.plain.bytes, deflated: socket.deflated.bytes },
    us_per_message: { plain: each(socket.plain), deflated: each(socket.deflated) },
  }
  console.log(
    `  on a socket: plain ${onSocket.bytes.plain} bytes (${onSocket.us_per_message.plain} µs a message), by permessage-deflate without context ${onSocket.bytes.deflated} (${onSocket.us_per_message.deflated} µs)`,
  )
  const figures = {
    messages: total.messages,
    mean_envelope_bytes: round(mean),
    of_the_article: round(mean / articleExchangeBytes, 3),
    goal_bytes: { ...total.bytes, as_sent: asSent },
    room: { messages: room.messages, bytes: room.bytes },
    on_a_socket: onSocket,
    artifact_bytes: artifacts._sum?.size ?? 0,
    transcript_brotli: brotliCompressSync(Buffer.from(rooms.flatMap(({ texts }) => texts).join('\n'))).length,
    us_per_message: {
      alone: round(total.microseconds.alone / total.messages, 1),
      in_context: round(total.microseconds.in_context / total.messages, 1),
    },
    classes,
  }
  const isOk = mean <= articleExchangeBytes
  console.log(JSON.stringify({ name: 'bench:bytes', ok: isOk, figures }))
  process.exitCode = isOk ? 0 : 1
} finally {
  await cluster.stop()
}
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
