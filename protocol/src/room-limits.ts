/**
 * The limits of a room: budgets of messages and bytes for its agents, and detection of repetition. At a limit the room halts for its
 * client. The client's own messages cost nothing. Pure. @see SPEC.md#rooms
 */

/** The limits of one room. An omitted or null limit never halts the room. */
export type RoomLimits = {
  /** How long a turn lasts without a message, milliseconds. */
  readonly turnMs: number
  /** Posted messages of agents: in total, and per agent. null: no limit. */
  readonly messages: number | null
  readonly messagesEach: number | null
  /** Bytes of their parts: about four per token. */
  readonly bytes: number | null
  readonly bytesEach?: number | null
  /** How often similar messages may occur within the last `repeatWindow` messages. */
  readonly repeats: number | null
}
/** Without limits: a turn lasts 60 s, and no budget ends. */
export const noRoomLimits: RoomLimits = { turnMs: 60_000, messages: null, messagesEach: null, bytes: null, repeats: null }

/** What a room's agents have used so far: posted messages, and bytes of their parts. `by`: messages by member. */
export type SpentBudget = {
  readonly messages: number
  readonly bytes: number
  readonly by: { readonly [member: string]: number }
  /** Bytes by member, for members with any. */
  readonly bytesBy?: { readonly [member: string]: number }
  /** Simhashes of the last messages, newest last. */
  readonly recent: readonly string[]
}
/** The counters of a new room: zero messages and zero bytes. */
export const nothingSpent: SpentBudget = { messages: 0, bytes: 0, by: {}, recent: [] }

/** The cost of one message. `simhash`: of its text; empty if the message has no words. */
export type MessageCost = { readonly bytes: number; readonly simhash: string }

/** The number of last messages that are searched for repetition. */
export const repeatWindow = 8
/** The maximum number of differing bits, of 64, at which two messages count as similar. */
const nearBits = 6

/** The counters after one more message from `by`. Pure. */
export function spendMessage(spent: SpentBudget, by: string, cost: MessageCost = { bytes: 0, simhash: '' }): SpentBudget {
  return {
    messages: spent.messages + 1,
    bytes: spent.bytes + cost.bytes,
    by: { ...spent.by, [by]: (spent.by[by] ?? 0) + 1 },
    ...(cost.bytes > 0 && { bytesBy: { ...spent.bytesBy, [by]: (spent.bytesBy?.[by] ?? 0) + cost.bytes } }),
    recent: cost.simhash === '' ? spent.recent : [...spent.recent, cost.simhash].slice(-repeatWindow),
  }
}

/** The sentence with which the room halts; null if no limit is reached. */
export function limitReached(spent: SpentBudget, by: string, limits: RoomLimits): string | null {
  const { messages, messagesEach, bytes, bytesEach = null, repeats } = limits
  if (messages !== null && spent.messages >= messages) return `The agents have used all ${messages} messages of this room.`
  if (messagesEach !== null && (spent.by[by] ?? 0) >= messagesEach)
    return `One agent has used all ${messagesEach} messages that each agent has in this room.`
  if (bytes !== null && spent.bytes >= bytes) return `The agents have used all ${bytes} bytes of messages of this room.`
  if (bytesEach !== null && (spent.bytesBy?.[by] ?? 0) >= bytesEach)
    return `One agent has used all ${bytesEach} bytes of messages that each agent has in this room.`
  const last = spent.recent.at(-1)
  if (repeats !== null && last !== undefined && spent.recent.filter((one) => isNear(one, last)).length > repeats)
    return `The agents repeat themselves. Similar messages occurred more than ${repeats} times in the last ${repeatWindow}.`
  return null
}

/**
 * 64 bits of a text, as 16 hex digits. They differ in few places if two texts differ in few words (Charikar's simhash over
 * pairs of words). Case, digits and punctuation are ignored. Empty if there are no words.
 */
export function simhash(text: string): string {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (words.length === 0) return ''
  const votes = new Int32Array(64)
  words.forEach((word, index) => {
    for (const shingle of [word, `${words[index - 1] ?? ''} ${word}`]) {
      const [high, low] = hash64(shingle)
      for (let bit = 0; bit < 32; bit++) {
        votes[bit] = (votes[bit] ?? 0) + (((high >>> bit) & 1) * 2 - 1)
        votes[bit + 32] = (votes[bit + 32] ?? 0) + (((low >>> bit) & 1) * 2 - 1)
      }
    }
  })
  const half = (from: number) => {
    let bits = 0
    for (let bit = 0; bit < 32; bit++) if ((votes[from + bit] ?? 0) > 0) bits |= 1 << bit
    return (bits >>> 0).toString(16).padStart(8, '0')
  }
  return half(0) + half(32)
}

/** Two FNV-1a hashes with different seeds, mixed so that every bit counts. */
function hash64(text: string): [number, number] {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let index = 0; index < text.length; index++) {
    high = Math.imul(high ^ text.charCodeAt(index), 0x01000193)
    low = Math.imul(low ^ text.charCodeAt(index), 0x85ebca6b)
  }
  return [mix(high), mix(low)]
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return (twice ^ (twice >>> 16)) >>> 0
}

function isNear(one: string, other: string): boolean {
  return distance(one.slice(0, 8), other.slice(0, 8)) + distance(one.slice(8), other.slice(8)) <= nearBits
}

function distance(one: string, other: string): number {
  let bits = (Number.parseInt(one, 16) ^ Number.parseInt(other, 16)) >>> 0
  let count = 0
  for (; bits !== 0; bits &= bits - 1) count++
  return count
}
