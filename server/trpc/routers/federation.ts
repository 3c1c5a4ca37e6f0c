import { AddPeer, RemovePeer } from '@parley/protocol'
import { dispatchCommand } from '../../commands/index.ts'
import { listPeers } from '../../federation/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'

export const federationRouter = createRouter({
  /** For operators. */
  listPeers: signedInProcedure.query(({ ctx }) => listPeers(ctx.ctx)),
  addPeer: publicProcedure
    .input(AddPeer.omit({ type: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'peer.add' })),
  removePeer: publicProcedure
    .input(RemovePeer.omit({ type: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'peer.remove' })),
})
