/** The transition table of a room: each move, who may make it, and the states before and after it. @see SPEC.md#rooms */

/**
 * `open`: a member has the turn, or any member can take it. `waiting`: for a sync task. `paused`: for the triggers of a pause.
 * `halted`: a limit is reached, and the client decides. `concluded`: there is a result. `closed`: nothing more happens.
 */
export const roomStates = ['open', 'waiting', 'paused', 'halted', 'concluded', 'closed'] as const
export type RoomState = (typeof roomStates)[number]

/** The name of a state for pages. */
export const roomStateLabels: { readonly [state in RoomState]: string } = {
  open: 'Talking',
  waiting: 'Waiting for a task',
  paused: 'Paused until its tasks have ended',
  halted: 'Halted: the client decides',
  concluded: 'Concluded',
  closed: 'Closed',
}

type Rule = {
  readonly by: string
  readonly does: string
  readonly ways: { readonly [from in RoomState]?: readonly RoomState[] }
}

const busy = { open: ['open'], waiting: ['waiting'], paused: ['paused'], halted: ['halted'] } as const
const still = { ...busy, concluded: ['concluded'] } as const

/** Every move of a room: who may make it, its effect, and per state the states that can follow. */
export const roomTable = {
  join: { by: 'server', does: 'An agent becomes a member. An adviser only posts messages.', ways: still },
  leave: {
    by: 'server',
    does: 'A member leaves: its open tasks fail, and its turn passes on.',
    ways: { ...still, waiting: ['waiting', 'paused', 'open'], paused: ['paused', 'open'] },
  },
  post: {
    by: 'member, client',
    does: 'A message. A sender that has the turn, or takes a free one, hands it to the next speakers that it names.',
    ways: { ...still, open: ['open', 'halted'], waiting: ['waiting', 'halted'], paused: ['paused', 'halted'] },
  },
  expire_turn: {
    by: 'clock',
    does: 'The lease of a turn has ended: the next in line has the turn, then the lead, then any member.',
    ways: { open: ['open'] },
  },
  assign: {
    by: 'lead',
    does: 'The lead assigns a task. A sync task makes the room wait, an async task does not.',
    ways: { open: ['open', 'waiting'], waiting: ['waiting'], paused: ['paused', 'waiting'] },
  },
  end: {
    by: 'assignee, server',
    does: 'A task is completed or has failed. If it is the last one that the room waits for, the room continues.',
    ways: { ...still, waiting: ['waiting', 'paused', 'open'], paused: ['paused', 'open'] },
  },
  pause: {
    by: 'lead, holder of the turn',
    does: 'The room waits for the tasks named as triggers. The sender of the pause speaks first afterwards.',
    ways: { open: ['open', 'paused'], waiting: ['waiting'], paused: ['paused'] },
  },
  conclude: {
    by: 'lead',
    does: 'The lead delivers the result. Refused while the room waits for a task.',
    ways: { open: ['concluded'], halted: ['concluded'] },
  },
  give_up: {
    by: 'lead',
    does: 'There is no result. Every open task is canceled.',
    ways: { open: ['concluded'], waiting: ['concluded'], paused: ['concluded'], halted: ['concluded'] },
  },
  follow_up: {
    by: 'client, lead',
    does: 'The conversation continues after the conclusion. The lead has the turn.',
    ways: { concluded: ['open'] },
  },
  return: {
    by: 'client',
    does: 'The client returns completed work. The lead has the turn.',
    ways: { concluded: ['open'] },
  },
  accept: { by: 'client, clock', does: 'Completed work is accepted.', ways: { ...still, closed: ['closed'] } },
  pay: {
    by: 'server',
    does: 'Work that is completed and accepted is paid; after a cancel, work that was completed.',
    ways: { concluded: ['concluded'], closed: ['closed'] },
  },
  halt: {
    by: 'server',
    does: 'A limit halts the room and posts one sentence with the reason. Tasks continue.',
    ways: { open: ['halted'], waiting: ['halted'], paused: ['halted'] },
  },
  resume: {
    by: 'client',
    does: 'The client resumes the room, with the same limits again.',
    ways: { halted: ['open', 'waiting', 'paused'] },
  },
  cancel: {
    by: 'client, server',
    does: 'The room ends at once. Every open task is canceled, also in sub-rooms.',
    ways: { open: ['closed'], waiting: ['closed'], paused: ['closed'], halted: ['closed'], concluded: ['closed'] },
  },
} as const satisfies { readonly [move: string]: Rule }
/** The key of a row in `roomTable`. */
export type RoomMoveType = keyof typeof roomTable
/** The names of all moves. */
export const roomMoveTypes = Object.keys(roomTable) as RoomMoveType[]
