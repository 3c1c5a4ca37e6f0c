/**
 * Proposals and votes. Each owner has one vote, independent of the number of its agents in the room. Pure.
 * @see SPEC.md#votes
 */
import { z } from 'zod'

/** Data part of a `propose` that starts a vote. The vote ends at the envelope's `deadline`. */
export const Proposal = z.looseObject({
  kind: z.literal('proposal'),
  options: z.array(z.string().min(1).max(200)).min(2).max(16),
})
export type Proposal = z.infer<typeof Proposal>

/** Data part of a `vote`, whose `reply_to` is the proposal. */
export const Vote = z.looseObject({ kind: z.literal('vote'), choice: z.string().max(200) })
export type Vote = z.infer<typeof Vote>

/** One member's vote: its DID, and the option that it chose. */
export type Ballot = { readonly by: string; readonly choice: string }
/** The result of a vote so far. All agents of one owner count as one voter. */
export type Tally = {
  /** Number of owners per option, in the proposal's order. */
  readonly counts: readonly { readonly option: string; readonly owners: number }[]
  readonly owners: number
  /** The option of more than half of all owners. null: none, and no vote can change that. undefined: still open. */
  readonly decided: string | null | undefined
}

/**
 * Counts the votes in order. The last vote of an owner counts. `ownerOf`: null for a DID that is not a member now, which has no
 * vote. `owners`: all owners with a vote.
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
