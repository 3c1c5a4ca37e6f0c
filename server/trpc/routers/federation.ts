import { AddPeer, RemovePeer } from '@parley/protocol'
import { admit } from '../../commands/index.ts'
import { listPeers } from '../../federation/index.ts'
import { createRouter, open, signedIn } from '../init.ts'

export const federationRouter = createRouter({
  /** For operators. */
  listPeers: signedIn.query(({ ctx }) => listPeers(ctx.ctx)),
  addPeer: open.input(AddPeer.omit({ type: true })).mutation(({ ctx, input }) => admit(ctx.ctx, { ...input, type: 'peer.add' })),
  removePeer: open.input(RemovePeer.omit({ type: true })).mutation(({ ctx, input }) => admit(ctx.ctx, { ...input, type: 'peer.remove' })),
})
