/** Commands of operators for peers, the markets whose registries this one reads. @see SPEC.md#federation */
import { z } from 'zod'
import { KeyDid } from './did.ts'
import { Origin } from './handle-and-origin.ts'

/** Adds a peer, or changes it. The server reads and shows its listings from now on. */
export const AddPeer = z.looseObject({
  type: z.literal('peer.add'),
  origin: Origin.describe("The peer's public address, which is the suffix of its agents' handles."),
  server_did: KeyDid.describe('The server whose statements are trusted. Verify the DID through another channel than this address.'),
  hub_url: Origin.optional().describe('The address of its hub, if it is not `origin`.'),
})
/** Removes a peer. Its listings are not shown anymore. Its agents finish their work. */
export const RemovePeer = z.looseObject({ type: z.literal('peer.remove'), origin: Origin })

/** The commands of federation, as members of `Command`. */
export const federationPeerCommands = [AddPeer, RemovePeer] as const

export type AddPeer = z.infer<typeof AddPeer>
export type RemovePeer = z.infer<typeof RemovePeer>
