import { type DeliveredEnvelope, Proposal, tally, Vote } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { findMessageById, iterateArchived, replaceCorrupt, type StoredMessage, sortUniqueBySeq } from '../../delivery/index.ts'
import { postSystemMessage } from '../messaging/post-system-message.ts'

/** Counts the votes on a proposal, one per owner of the agents in the room. The decision is posted once; later votes change nothing. */
export async function tallyVotes(ctx: Context, input: { roomId: string; proposalId: string }): Promise<void> {
  const { roomId, proposalId } = input
  await inTransaction(ctx, async (tx) => {
    // The row lock serializes concurrent votes. Otherwise both or neither of two votes could decide.
    await tx.db.$queryRaw`select 1 from "conversation" where "roomId" = ${roomId} for update`
    const proposed = await findMessageById(tx, { roomId, id: proposalId })
    const [sound] = proposed ? await replaceCorrupt(tx, roomId, [proposed]) : []
    const proposal = sound && proposalIn(JSON.parse(sound.body) as DeliveredEnvelope)
    if (!proposed || !proposal) return
    const members = await tx.db.membership.findMany({ where: { roomId, leftAt: null, ownerId: { not: null } } })
    const ownerOf = new Map(members.map((member) => [member.memberId, member.ownerId]))
    const voteMessages = await tx.db.message.findMany({
      where: {
        roomId,
        seq: { gt: proposed.seq },
        OR: [
          { type: 'vote', senderId: { in: [...ownerOf.keys()] } },
          { senderId: tx.market.serverDid, body: { contains: proposalId } },
        ],
      },
      orderBy: { seq: 'asc' },
      select: { seq: true, body: true, hash: true, bodyHash: true },
    })
    const filed: StoredMessage[] = []
    for await (const one of iterateArchived(tx, roomId, proposed.seq)) if (one.type === 'vote' && ownerOf.has(one.senderId)) filed.push(one)
    // A corrupt message does not count.
    const counted = await replaceCorrupt(tx, roomId, sortUniqueBySeq<StoredMessage>([...filed, ...voteMessages]))
    const messages = counted.map(({ body }) => JSON.parse(body) as DeliveredEnvelope)
    if (messages.some((one) => one.sender_id === tx.market.serverDid && one.parts.some((part) => part.data?.kind === 'vote.decided')))
      return
    const votes = messages.flatMap((one) => {
      const isLate = proposal.deadline !== undefined && one.received_at > proposal.deadline
      const vote = one.reply_to === proposalId && !isLate ? Vote.safeParse(one.parts.find((part) => part.data)?.data) : undefined
      return vote?.success ? [{ by: one.sender_id, choice: vote.data.choice }] : []
    })
    const owners = [...new Set(members.flatMap((member) => member.ownerId ?? []))]
    const { counts, decided } = tally(proposal.options, votes, { owners, ownerOf: (member) => ownerOf.get(member) ?? null })
    if (decided === undefined) return
    await postSystemMessage(tx, {
      roomId,
      kind: 'vote.decided',
      data: { proposal_id: proposalId, choice: decided, counts: counts as never, owners: owners.length },
      text: decided === null ? 'The vote has no majority of the owners.' : `The owners have decided: ${decided}`,
    })
  })
}

function proposalIn(envelope: DeliveredEnvelope): { options: string[]; deadline: string | undefined } | null {
  const read = envelope.type === 'propose' ? Proposal.safeParse(envelope.parts.find((part) => part.data)?.data) : undefined
  return read?.success ? { options: read.data.options, deadline: envelope.deadline } : null
}
