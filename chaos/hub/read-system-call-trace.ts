/** The order of writes and frames in a trace of system calls. `early`: frames that were sent before their data was on the disk. */
export type TraceFigures = { readonly acks: number; readonly deliveries: number; readonly syncs: number; readonly early: number }

type Call = { readonly pid: string; readonly name: string; readonly rest: string; readonly phase: 'begin' | 'end' | 'whole' }

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const frame = /\{\\"type\\":\\"(result|deliver)\\".*?\\"id\\":\\"([0-9a-f-]{36})/g

/**
 * Reads lines of `strace -f -ttt -y` with the written bytes, in the order of time. Before the ack or a delivery of a message, its id must
 * be written to PostgreSQL's log. A sync of the log must then begin after the end of that write, and succeed. Any process may do so.
 */
export function readSystemCallTrace(lines: readonly string[]): TraceFigures {
  const begun = new Map<string, Call>()
  const written = new Set<string>()
  const syncing = new Map<string, readonly string[]>()
  const onDisk = new Set<string>()
  const found = { acks: 0, deliveries: 0, syncs: 0, early: 0 }
  for (const call of lines.flatMap(readCall)) {
    if (call.phase === 'begin') begun.set(call.pid, call)
    // The written data is in the first half of the call, and the result in the second half.
    const asked = call.phase === 'end' ? (begun.get(call.pid)?.rest ?? '') : call.rest
    const isLog = asked.includes('/pg_wal/')
    if (isLog && call.name.startsWith('pwrite') && call.phase !== 'begin') for (const [id] of asked.matchAll(uuid)) written.add(id)
    if (isLog && /^f(data)?sync$/.test(call.name)) {
      if (call.phase !== 'end') syncing.set(call.pid, [...written])
      if (call.phase !== 'begin' && call.rest.trimEnd().endsWith('= 0')) {
        found.syncs++
        for (const id of syncing.get(call.pid) ?? []) onDisk.add(id)
      }
    }
    if (!/^(write|writev|sendto|sendmsg)$/.test(call.name) || call.phase === 'end') continue
    for (const [, type, id = ''] of call.rest.matchAll(frame)) {
      if (type === 'result') found.acks++
      else found.deliveries++
      if (!onDisk.has(id)) found.early++
    }
  }
  return found
}

/** `4711 1690000000.123456 fdatasync(5</data/pg_wal/0001>) = 0`, or its two halves if another call came between them. */
function readCall(line: string): Call[] {
  const resumed = /^(\d+) +[\d.]+ <\.\.\. (\w+) resumed>(.*)$/.exec(line)
  if (resumed) return [{ pid: resumed[1] ?? '', name: resumed[2] ?? '', rest: resumed[3] ?? '', phase: 'end' }]
  const whole = /^(\d+) +[\d.]+ (\w+)\((.*)$/.exec(line)
  if (!whole) return []
  const rest = whole[3] ?? ''
  return [{ pid: whole[1] ?? '', name: whole[2] ?? '', rest, phase: rest.endsWith('<unfinished ...>') ? 'begin' : 'whole' }]
}
