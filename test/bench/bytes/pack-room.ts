import type { WebSocket } from 'ws'
import { openPackedLine } from '../../../server/hub/packed-line.ts'
import { createPacks } from '../../../server/hub/packs.ts'

/** What a room is to a reader whose frames are packed. `microseconds`: of CPU, for all of it, which its readers share. */
export type PackedRoomWeight = { readonly bytes: number; readonly squeezed: number; readonly microseconds: number }

/** All messages of a room, in their order, with the words that go before them. `bodies`: as they are stored. */
export function packRoom(groupId: string, bodies: readonly string[]): PackedRoomWeight {
  const began = process.cpuUsage()
  const bytes = weigh(groupId, bodies, '')
  const { user, system } = process.cpuUsage(began)
  return { bytes, squeezed: weigh(groupId, bodies, 'permessage-deflate'), microseconds: user + system }
}

/** `extensions`: of the connection; large frames are squeezed for who inflates. */
function weigh(groupId: string, bodies: readonly string[], extensions: string): number {
  let bytes = 0
  const frames = (frame: Buffer) => {
    const short = frame[1] ?? 0
    bytes += frame.length - (short < 126 ? 2 : short === 126 ? 4 : 10)
  }
  const socket = { OPEN: 1, readyState: 1, extensions } as unknown as WebSocket
  const outlet = { frames, text: () => undefined, flush: () => undefined }
  const line = openPackedLine({ packs: createPacks(), socket }, outlet, '')
  for (const body of bodies) line.hand(groupId, body)
  return bytes
}
