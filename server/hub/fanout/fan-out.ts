import type { Context } from '../../context.ts'
import type { Switchboard } from '../../conversations/index.ts'
import { inBatches } from '../../db/batch-loader.ts'
import { listHeads, readSpans, type Span, type StoredMessage } from '../../delivery/index.ts'
import type { WakeListener } from '../../wake.ts'
import type { Links } from '../cluster/cluster.ts'
import type { Packs } from '../codec/packed-encoder.ts'
import { createForeign } from './in-order-delivery.ts'
import type { LiveMessages } from './message-batch.ts'
import type { Recent } from './replay-buffer.ts'

/** What other processes have said in so many rooms is read by one statement. */
const mostRooms = 64
/** So many groups are asked for their heads by one statement. */
const mostHeads = 5_000
/** What comes by a link is told by a wake as well, and read only where it has not come by then. */
const linkMs = 40

/** Brings what is written, here or elsewhere, to the readers of this hub. */
export type FanOut = {
  /** Somebody here reads the group from now on, and has, or reads by itself, all up to `head`. */
  begin(groupId: string, head: number): void
  /** Nobody reads the group here any more. */
  forget(groupId: string): void
  /** Readers of the group look for themselves, where they are not at `seq` yet. */
  look(groupId: string, seq?: number): void
  close(): void
}

/** A connection as the fan-out knows it. */
export type Subscriber = {
  readonly connection: string
  /** Something may be new in this group; with `seq`, if it goes beyond that. */
  groupWoken(groupId: string, seq?: number): void
  /** This was just said in a group. False where its agent is late for it. */
  groupSpoken(live: LiveMessages): boolean
  /** The agent's rooms may have changed, or another connection of it may have come. */
  agentWoken(): void
}

type Readers = {
  readonly all: Iterable<Subscriber>
  readonly byAgent: ReadonlyMap<string, Subscriber>
  readonly byGroup: ReadonlyMap<string, ReadonlySet<Subscriber>>
}

export function createFanOut(
  ctx: Context,
  board: Switchboard,
  listener: WakeListener,
  { all, byAgent, byGroup }: Readers,
  { packs, recent, links }: { readonly packs: Packs; readonly recent: Recent; readonly links: Links },
): FanOut {
  /** Up to where groups go of which a link tells. */
  const told = new Map<string, number>()
  let telling: NodeJS.Timeout | null = null

  function give(live: LiveMessages): void {
    let isForAll = true
    for (const session of byGroup.get(live.groupId) ?? []) if (!session.groupSpoken(live)) isForAll = false
    if (!isForAll) recent.note(live)
  }

  function look(groupId: string, seq?: number): void {
    for (const session of byGroup.get(groupId) ?? []) session.groupWoken(groupId, seq)
  }

  const readTogether = inBatches<Span, StoredMessage[]>(mostRooms, (spans) => readSpans(ctx, spans))
  const foreign = createForeign(
    ctx.log,
    async (span) => {
      const messages = await readTogether(span)
      board.overhear(span.groupId, messages)
      return messages
    },
    packs,
    give,
    look,
  )

  /** Anything may have been written in these; what is new is read once for all readers of a group. */
  async function lookAnew(groupIds: readonly string[]): Promise<void> {
    for (let from = 0; from < groupIds.length; from += mostHeads) {
      const some = groupIds.slice(from, from + mostHeads)
      try {
        for (const { groupId, head } of await listHeads(ctx, some)) foreign.heard(groupId, head)
      } catch (error) {
        ctx.log.warn({ err: error, groups: some.length }, 'readers look for themselves after a lost wake connection')
        for (const groupId of some) look(groupId)
      }
    }
  }

  /** Just committed, here or where the room is at home. */
  function pass(groupId: string, first: number, bodies: readonly Buffer[]): void {
    if (byGroup.has(groupId)) foreign.wrote(groupId, first, bodies)
  }

  /** Another process has written up to `seq`. */
  function heard(groupId: string, seq: number, from: string | undefined): void {
    if (!links.heard(groupId, from)) {
      foreign.heard(groupId, seq)
      return
    }
    told.set(groupId, Math.max(seq, told.get(groupId) ?? 0))
    telling ??= setTimeout(() => {
      telling = null
      const late = [...told]
      told.clear()
      for (const [id, upTo] of late) if (byGroup.has(id)) foreign.heard(id, upTo)
    }, linkMs)
  }

  links.onSpoken(pass)
  const stopHearing = board.onSpoken((spoken) => {
    if (spoken.logs === null) {
      for (const groupId of spoken.groupIds) look(groupId)
      return
    }
    for (const { groupId, messages } of spoken.logs) {
      const [first] = messages
      if (!first) continue
      const bodies = messages.map(({ body }) => body)
      links.tell(groupId, first.head, bodies)
      pass(groupId, first.head, bodies)
    }
  })
  const stopListening = listener.on((signal) => {
    if (signal === 'reconnected') {
      for (const session of all) session.agentWoken()
      void lookAnew([...byGroup.keys()])
    } else if (signal.topic === 'group') {
      if (signal.from === board.name || !byGroup.has(signal.id)) return
      if (signal.seq === undefined) look(signal.id)
      else heard(signal.id, signal.seq, signal.from)
    } else if (signal.topic === 'agent') {
      const session = byAgent.get(signal.id)
      // What a connection tells of its own coming is no news to it.
      if (session && signal.from !== session.connection) session.agentWoken()
    }
  })

  return {
    begin: foreign.begin,
    forget(groupId) {
      foreign.forget(groupId)
      packs.forget(groupId)
      links.leave(groupId)
    },
    look,
    close() {
      stopListening()
      stopHearing()
      if (telling) clearTimeout(telling)
    },
  }
}
