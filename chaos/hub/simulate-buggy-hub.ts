import type { Observations, Run } from './check-delivery.ts'

/** The bugs that a simulated hub can have. */
export type Bug = 'none' | 'no dedupe' | 'ack before commit' | 'push without cursor'

type Member = {
  readonly name: string
  readonly sent: string[]
  readonly unacked: string[]
  cursor: number
  run: { after: number; got: Run['got'][number][] } | null
}

/**
 * A small model of a hub and its clients, without time or I/O: one room, whose steps `random` decides. It sometimes crashes and loses
 * what was not committed. With a bug it breaks the guarantees as a real hub would.
 */
export function simulateBuggyHub(bug: Bug, random: () => number, steps = 4_000): Observations {
  const room = 'room'
  const log: { room: string; seq: number; id: string; sender: string }[] = []
  let pending: { id: string; sender: string }[] = []
  const acks: { id: string; room: string; seq: number }[] = []
  const runs: Run[] = []
  const sent = new Map<string, string[]>()
  const members: Member[] = Array.from({ length: 6 }, (_, index) => {
    const name = `m${index}`
    const own: string[] = []
    sent.set(name, own)
    return { name, sent: own, unacked: [], cursor: 0, run: null }
  })
  const of = (sender: string) => members.find((one) => one.name === sender)

  function answer(sender: string, id: string, seq: number, isLost: boolean): void {
    const member = of(sender)
    if (!member?.run || isLost) return
    acks.push({ id, room, seq })
    const at = member.unacked.indexOf(id)
    if (at >= 0) member.unacked.splice(at, 1)
  }

  function commit(): void {
    for (const { id, sender } of pending) {
      const earlier = bug === 'no dedupe' ? undefined : log.find((row) => row.id === id)
      const seq = earlier?.seq ?? log.length + 1
      if (!earlier) log.push({ room, seq, id, sender })
      if (bug !== 'ack before commit') answer(sender, id, seq, false)
      if (bug === 'push without cursor' && !earlier) for (const { run } of members) run?.got.push({ seq, id })
    }
    pending = []
  }

  /** The next message at a reader's position in the log. */
  function pump(member: Member): void {
    const row = member.run && log[member.cursor]
    if (!row || !member.run) return
    member.run.got.push({ seq: row.seq, id: row.id })
    member.cursor++
  }

  function leave(member: Member): void {
    if (member.run) runs.push({ reader: member.name, room, ...member.run })
    member.run = null
  }

  function arrive(member: Member): void {
    if (member.run) return
    // Its acks to the hub may be behind its position.
    member.cursor = Math.max(0, member.cursor - Math.floor(random() * 3))
    member.run = { after: member.cursor, got: [] }
    for (const id of member.unacked) receive(member.name, id)
  }

  function receive(sender: string, id: string): void {
    if (bug === 'ack before commit') answer(sender, id, log.length + pending.length + 1, false)
    pending.push({ id, sender })
  }

  for (let step = 0; step < steps; step++) {
    const member = members[Math.floor(random() * members.length)] as Member
    const dice = random()
    if (dice < 0.3) {
      if (!member.run) continue
      const id = `${member.name}-${member.sent.length}`
      member.sent.push(id)
      member.unacked.push(id)
      receive(member.name, id)
    } else if (dice < 0.5) commit()
    else if (dice < 0.9) pump(member)
    else if (dice < 0.93) leave(member)
    else if (dice < 0.985) arrive(member)
    else if (dice < 0.99) {
      for (const one of members) leave(one)
      pending = []
    }
  }
  for (let rounds = 0; rounds < 3; rounds++) {
    for (const member of members) arrive(member)
    commit()
  }
  for (const member of members) {
    while (member.cursor < log.length) pump(member)
    leave(member)
  }
  return { sent, acks, log, runs, readers: members.map(({ name }) => ({ reader: name, room })) }
}
