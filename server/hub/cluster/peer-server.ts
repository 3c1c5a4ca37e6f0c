import type { WebSocket } from 'ws'
import { type Ending, type Said, type Switchboard, unpackPost } from '../../conversations/index.ts'
import { DomainError } from '../../errors.ts'
import { createOutbox, readWords } from './framing.ts'
import { type Answered, type Asked, faultOf } from './peer-messages.ts'
import type { Awake } from './stall-detector.ts'

/** What waits unsent for a hub beyond this is not told to it any more: it reads the log, as it does of rooms without a link. */
const mostUnsentBytes = 8_388_608

/** Another hub, which hands over what is to be said in rooms that are at home here. */
export type Guest = {
  tell(groupId: string, first: number, bodies: readonly Buffer[]): void
  /** Asks it to send nothing more. */
  leave(): void
  underWay(): number
  close(): void
}

type Events = { follow(groupId: string): void; leave(groupId: string): void; ended(): void }

export function receiveGuest(socket: WebSocket, board: Pick<Switchboard, 'postHere'>, awake: Awake, events: Events): Guest {
  const outbox = createOutbox<Answered>(socket)
  let [underWay, isOver] = [0, false]

  function end(): void {
    if (isOver) return
    isOver = true
    socket.terminate()
    events.ended()
  }

  function endingOf(n: number): Ending<Said> {
    return {
      resolve({ seq }) {
        underWay--
        if (!isOver) outbox.put({ do: 'said', n, seq })
      },
      reject(error) {
        underWay--
        if (isOver) return
        // Whether it was said nobody knows, and later words must not overtake it: whoever has sent it says all of it again.
        if (error instanceof DomainError && error.code === 'server.unavailable') end()
        else outbox.put({ do: 'refused', n, fault: faultOf(error) })
      },
    }
  }

  function hear({ word, texts }: { word: Asked; texts: readonly Buffer[] }): void {
    if (word.do !== 'post') {
      events[word.do](word.groupId)
      return
    }
    underWay++
    board.postHere(unpackPost({ head: word.post, text: texts[0] ?? Buffer.alloc(0) }), endingOf(word.n))
  }

  socket.on('message', (data: Buffer) => {
    // What came while this process stood still was given up by those who sent it.
    if (!awake.is()) end()
    if (isOver) return
    try {
      for (const one of readWords<Asked>(data)) if (!isOver) hear(one)
    } catch {
      end()
    }
  })
  socket.on('close', end)
  socket.on('error', end)

  return {
    tell(groupId, first, bodies) {
      if (!isOver && socket.bufferedAmount < mostUnsentBytes) outbox.put({ do: 'spoken', groupId, first }, bodies)
    },
    leave: () => outbox.put({ do: 'leaving' }),
    underWay: () => underWay,
    close: end,
  }
}
