import type { Faults } from '../../chaos/hub/check-delivery.ts'
import type { Mesh } from './hub-mesh.ts'

/** Receives all that senders and receivers observe, for other checks. */
export type Recorder = {
  sent(seat: number, message: number): void
  acked(seat: number, message: number, seq: number): void
  began(seat: number, after: number): void
  got(seat: number, seq: number, message: number): void
  ended(end: FinalObservations): void
}

/**
 * Counts the nine figures during the run, because the observations of a million agents do not fit into memory. It keeps only the start and
 * the position of each seat. `chaos/hub/check-delivery.ts` counts the same from all observations.
 */
export type DeliveryCheck = {
  sent(seat: number, message: number): void
  /** `before`: the sequence number of an earlier ack, or 0. */
  acked(seat: number, message: number, seq: number, before: number): void
  began(seat: number, after: number): void
  /** `isRight`: the room's log has this message at this position. */
  got(seat: number, seq: number, message: number, isRight: boolean): void
  verdict(end: FinalObservations): Faults
}
export type FinalObservations = {
  readonly logs: readonly (readonly number[])[]
  readonly seatOf: Int32Array
  readonly seqOf: Int32Array
  readonly ackedAs: Int32Array
  readonly active: Uint8Array
  readonly seen: Int32Array
}

export function createDeliveryCheck(mesh: Mesh, messages: number, recorder?: Recorder): DeliveryCheck {
  const from = new Int32Array(mesh.seats)
  const last = new Int32Array(mesh.seats)
  const isTorn = new Uint8Array(mesh.seats)
  let [diverged, dup, reorder, gap, wrong] = [0, 0, 0, 0, 0]
  return {
    sent: (seat, message) => recorder?.sent(seat, message),
    acked(seat, message, seq, before) {
      recorder?.acked(seat, message, seq)
      if (before !== 0 && before !== seq) diverged++
    },
    began(seat, after) {
      recorder?.began(seat, after)
      from[seat] = after
      last[seat] = after
      isTorn[seat] = 0
    },
    got(seat, seq, message, isRight) {
      recorder?.got(seat, seq, message)
      if (!isRight) wrong++
      const before = last[seat] as number
      if (seq === before + 1) last[seat] = seq
      else if (seq > before) {
        gap++
        isTorn[seat] = 1
        last[seat] = seq
        // In a run without a gap, everything since its beginning was received.
      } else if (seq > (from[seat] as number) && isTorn[seat] === 0) dup++
      else reorder++
    },
    verdict(end) {
      const { logs, seatOf, ackedAs, active, seen } = end
      recorder?.ended(end)
      const placed = new Uint8Array(messages)
      const furthest = new Int32Array(mesh.seats).fill(-1)
      let [lost, doubled, gaps, fifo, missing] = [0, 0, 0, 0, wrong]
      for (const [room, log] of logs.entries()) {
        const first = room * mesh.roomSize
        for (const [index, message] of log.entries()) {
          if (placed[message] === 1) doubled++
          else if (end.seqOf[message] !== index + 1) gaps++
          placed[message] = 1
          const seat = seatOf[message] as number
          if (message < (furthest[seat] as number)) fifo++
          furthest[seat] = Math.max(message, furthest[seat] as number)
        }
        for (let seat = first; seat < first + mesh.roomSize; seat++)
          if (active[seat] === 1) missing += Math.max(0, log.length - (seen[seat] as number))
      }
      for (const [message, seq] of ackedAs.entries()) {
        if (seq === 0) continue
        const room = ((seatOf[message] as number) / mesh.roomSize) | 0
        if (logs[room]?.[seq - 1] !== message) lost++
      }
      return {
        lost_acked: lost,
        dup_in_log: doubled,
        seq_gaps: gaps,
        ack_diverge: diverged,
        sender_fifo: fifo,
        recv_missing: missing,
        recv_dup: dup,
        recv_reorder: reorder,
        recv_gap: gap,
      }
    },
  }
}
