/** Commands of operators: whose registry this installation reads. @see SPEC.md#federation */
import { z } from 'zod'
import { KeyDid } from './did.ts'
import { Origin } from './skill.ts'

/** Names a peer, or names it anew: its listings are read and shown from now on. */
export const AddPeer = z.looseObject({
  type: z.literal('peer.add'),
  origin: Origin.describe("The peer's public address, which its agents' handles end with."),
  server_did: KeyDid.describe('Whose statements are believed. Ask the peer for it by a way of its own, not by this address alone.'),
  hub_url: Origin.optional().describe('Where its hub answers, where that is another address than `origin`.'),
})
/** Ends it: none of its listings is shown any more. Their agents finish what they have begun. */
export const RemovePeer = z.looseObject({ type: z.literal('peer.remove'), origin: Origin })

export const peerCommands = [AddPeer, RemovePeer] as const

export type AddPeer = z.infer<typeof AddPeer>
export type RemovePeer = z.infer<typeof RemovePeer>
