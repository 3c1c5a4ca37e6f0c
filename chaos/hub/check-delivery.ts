/** The observations of a run: at the clients, and in the hub's log. The ids are those of the senders. */
export type Observations = {
  /** Per sender, in the order of the first sends. A sender posts in one room. */
  readonly sent: ReadonlyMap<string, readonly string[]>
  readonly acks: readonly { readonly id: string; readonly room: string; readonly seq: number }[]
  /** The log at the end, in the order of its sequence numbers. */
  readonly log: readonly { readonly room: string; readonly seq: number; readonly id: string; readonly sender: string }[]
  /** Each time that a receiver subscribed to a room from a position: the messages in the order of their arrival. */
  readonly runs: readonly Run[]
  /** Which receivers must have received which room. */
  readonly readers: readonly { readonly reader: string; readonly room: string }[]
}
export type Run = {
  readonly reader: string
  readonly room: string
  readonly after: number
  readonly got: readonly { readonly seq: number; readonly id: string }[]
}

/** All of these must be 0. */
export type Faults = {
  readonly lost_acked: number
  readonly dup_in_log: number
  readonly seq_gaps: number
  readonly ack_diverge: number
  readonly sender_fifo: number
  readonly recv_missing: number
  readonly recv_dup: number
  readonly recv_reorder: number
  readonly recv_gap: number
}

/** Compares the guarantees with the observations. */
export function checkDelivery(witness: Observations): Faults {
  const rooms = Map.groupBy(witness.log, (row) => row.room)
  const placed = new Map<string, number[]>()
  for (const { room, id, seq } of witness.log) placed.set(`${room} ${id}`, [...(placed.get(`${room} ${id}`) ?? []), seq])
  return {
    ...checkAcks(witness, placed),
    dup_in_log: [...placed.values()].reduce((sum, seqs) => sum + seqs.length - 1, 0),
    seq_gaps: [...rooms.values()].reduce((sum, rows) => sum + rows.filter((row, index) => row.seq !== index + 1).length, 0),
    sender_fifo: fifoFaults(witness),
    ...checkRuns(witness, rooms),
  }
}

function checkAcks({ acks }: Observations, placed: ReadonlyMap<string, readonly number[]>) {
  const first = new Map<string, number>()
  let [lost, diverged] = [0, 0]
  for (const { room, id, seq } of acks) {
    const key = `${room} ${id}`
    if (!placed.get(key)?.includes(seq)) lost++
    if ((first.get(key) ?? seq) !== seq) diverged++
    first.set(key, first.get(key) ?? seq)
  }
  return { lost_acked: lost, ack_diverge: diverged }
}

/** Messages that precede an earlier message of the same sender. */
function fifoFaults({ sent, log }: Observations): number {
  const order = new Map([...sent.values()].flatMap((ids) => ids.map((id, index) => [id, index] as const)))
  const furthest = new Map<string, number>()
  let faults = 0
  for (const { sender, id } of log) {
    const at = order.get(id) ?? -1
    const before = furthest.get(sender) ?? -1
    if (at < before) faults++
    furthest.set(sender, Math.max(at, before))
  }
  return faults
}

function checkRuns({ runs, readers }: Observations, rooms: ReadonlyMap<string, Observations['log']>) {
  let [dup, reorder, gap, missing] = [0, 0, 0, 0]
  const had = new Map<string, Set<number>>()
  for (const { reader, room, after, got } of runs) {
    const mine = had.get(`${reader} ${room}`) ?? new Set()
    had.set(`${reader} ${room}`, mine)
    const seen = new Set<number>()
    let last = after
    for (const { seq, id } of got) {
      if (seen.has(seq)) dup++
      else if (seq <= last) reorder++
      else if (seq > last + 1) gap++
      seen.add(seq)
      last = Math.max(last, seq)
      // Another message at this position is not in the log.
      if (rooms.get(room)?.[seq - 1]?.id === id) mine.add(seq)
    }
  }
  for (const { reader, room } of readers)
    missing += (rooms.get(room) ?? []).filter((row) => !had.get(`${reader} ${room}`)?.has(row.seq)).length
  return { recv_missing: missing, recv_dup: dup, recv_reorder: reorder, recv_gap: gap }
}

export function sumNumbers(faults: Faults): number {
  return Object.values(faults).reduce((sum, one) => sum + one, 0)
}
