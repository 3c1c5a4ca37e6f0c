import type { WebSocket } from 'ws'
import { createPackedEncoder } from '../../../server/hub/codec/packed-encoder.ts'
import { createPackedConnection } from '../../../server/hub/connection/packed-connection.ts'
import { squeezedBytes } from './squeeze.ts'

/** What a room is to a reader whose frames are packed. `microseconds`: of CPU, for all of it, which its readers share. */
export type PackedRoomWeight = {
  readonly bytes: number
  /** Where large frames are squeezed, each by itself; and where all are, with what came before in mind. */
  readonly squeezed: number
  readonly inContext: number
  readonly microseconds: number
  readonly payloads: readonly Buffer[]
}

/** All messages of a room, in their order, with the words that go before them. `bodies`: as they are stored. */
export function packRoom(groupId: string, bodies: readonly string[]): PackedRoomWeight {
  const plain = payloadsOf(groupId, bodies, '')
  const began = process.cpuUsage()
  for (let n = 0; n < repeats; n++) payloadsOf(groupId, bodies, '')
  const { user, system } = process.cpuUsage(began)
  return {
    bytes: sumOf(plain),
    squeezed: sumOf(payloadsOf(groupId, bodies, 'permessage-deflate')),
    inContext: squeezedBytes(plain, 0),
    microseconds: (user + system) / repeats,
    payloads: plain,
  }
}

const repeats = 20
const sumOf = (payloads: readonly Buffer[]) => payloads.reduce((sum, payload) => sum + payload.length, 0)

/** `extensions`: of the connection; large frames are squeezed for who inflates. */
function payloadsOf(groupId: string, bodies: readonly string[], extensions: string): Buffer[] {
  const payloads: Buffer[] = []
  const frames = (frame: Buffer) => {
    const short = frame[1] ?? 0
    payloads.push(frame.subarray(short < 126 ? 2 : short === 126 ? 4 : 10))
  }
  const socket = { OPEN: 1, readyState: 1, extensions } as unknown as WebSocket
  const outlet = { writeFrames: frames, writeText: () => undefined, flush: () => undefined }
  const line = createPackedConnection({ packedEncoder: createPackedEncoder(), socket }, outlet, '')
  for (const body of bodies) line.deliverStored(groupId, body)
  return payloads
}
