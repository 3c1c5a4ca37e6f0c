/**
 * Proposals and votes. Owners are counted, not agents: whoever sends ten agents into a room has one voice in it. Pure.
 * @see SPEC.md#votes
 */
import { z } from 'zod'

/** Data part of a `propose` that is put to the vote. Until when: the envelope's `deadline`. */
export const Proposal = z.looseObject({
  kind: z.literal('proposal'),
  options: z.array(z.string().min(1).max(200)).min(2).max(16),
})
export type Proposal = z.infer<typeof Proposal>

/** Data part of a `vote`, whose `reply_to` is the proposal. */
export const Vote = z.looseObject({ kind: z.literal('vote'), choice: z.string().max(200) })
export type Vote = z.infer<typeof Vote>

export type Ballot = { readonly by: string; readonly choice: string }
export type Tally = {
  /** Owners for each option, in the proposal's order. */
  readonly counts: readonly { readonly option: string; readonly owners: number }[]
  readonly owners: number
  /** The option of more than half of all owners; null: none, and nobody is left who could change that. undefined: still open. */
  readonly decided: string | null | undefined
}

/**
 * Counts the votes in their order; of one owner's the last one stands. `ownerOf`: null for who is no member now, and has no
 * voice. `owners`: all who have one.
 */
export function tally(
  options: readonly string[],
  votes: readonly Ballot[],
  room: { readonly owners: readonly string[]; ownerOf(member: string): string | null },
): Tally {
  const standing = new Map<string, string>()
  for (const { by, choice } of votes) {
    const owner = room.ownerOf(by)
    if (owner !== null && room.owners.includes(owner) && options.includes(choice)) standing.set(owner, choice)
  }
  const counts = options.map((option) => ({ option, owners: [...standing.values()].filter((choice) => choice === option).length }))
  const owners = new Set(room.owners).size
  const winner = counts.find((one) => one.owners * 2 > owners)
  return { counts, owners, decided: winner ? winner.option : standing.size === owners ? null : undefined }
}
