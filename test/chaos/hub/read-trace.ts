/** What a trace of system calls says of the order of things. `early`: frames that left without a synced write before them. */
export type TraceFigures = { readonly acks: number; readonly deliveries: number; readonly syncs: number; readonly early: number }

type Call = { readonly pid: number; readonly name: string; readonly rest: string; readonly phase: 'begin' | 'end' | 'whole' }

/**
 * Reads lines of `strace -f -ttt -y`, in which one message at a time is said: since the ack before it a process of PostgreSQL's
 * has to have written to its log, and then have synced it, before the hub lets go of the ack or the delivery.
 * @param lines in the order in which things happened
 * @param backends those of PostgreSQL that do what clients ask; frames come from all others
 */
export function readTrace(lines: readonly string[], backends: ReadonlySet<number>): TraceFigures {
  const written = new Set<number>()
  const syncing = new Set<number>()
  let isSynced = false
  let [acks, deliveries, syncs, early] = [0, 0, 0, 0]
  for (const call of lines.flatMap(readCall)) {
    if (backends.has(call.pid)) {
      const isLog = call.phase === 'end' || call.rest.includes('/pg_wal/')
      if (/^pwrite/.test(call.name) && isLog && call.phase !== 'begin') written.add(call.pid)
      if (/^f(data)?sync$/.test(call.name)) {
        // What it syncs is what was written before it began.
        if (call.phase !== 'end' && isLog && written.has(call.pid)) syncing.add(call.pid)
        if (call.phase !== 'begin' && syncing.delete(call.pid) && / = 0$/.test(call.rest.trim())) {
          syncs++
          isSynced = true
        }
      }
    } else if (/^(write|writev|sendto|sendmsg)$/.test(call.name) && call.phase !== 'end') {
      const isAck = call.rest.includes('{\\"type\\":\\"result\\"')
      const isDelivery = call.rest.includes('{\\"type\\":\\"deliver\\"')
      if (!isAck && !isDelivery) continue
      if (isAck) acks++
      if (isDelivery) deliveries++
      if (!isSynced) early++
      if (isAck) {
        isSynced = false
        written.clear()
      }
    }
  }
  return { acks, deliveries, syncs, early }
}

/** `4711 1690000000.123456 fdatasync(5</data/pg_wal/0001>) = 0`, or its two halves where another came between them. */
function readCall(line: string): Call[] {
  const resumed = /^(\d+) +[\d.]+ <\.\.\. (\w+) resumed>(.*)$/.exec(line)
  if (resumed) return [{ pid: Number(resumed[1]), name: resumed[2] ?? '', rest: resumed[3] ?? '', phase: 'end' }]
  const whole = /^(\d+) +[\d.]+ (\w+)\((.*)$/.exec(line)
  if (!whole) return []
  const rest = whole[3] ?? ''
  return [{ pid: Number(whole[1]), name: whole[2] ?? '', rest, phase: rest.endsWith('<unfinished ...>') ? 'begin' : 'whole' }]
}
