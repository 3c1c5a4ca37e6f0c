import { listLoad } from '../../telemetry/index.ts'
import { createRouter, signedInProcedure } from '../procedures.ts'

export const hubLoadRouter = createRouter({
  /** For operators: the load of every hub in the last minutes, oldest first, and the server's time. */
  listLoad: signedInProcedure.query(async ({ ctx }) => ({ now: ctx.ctx.clock.now(), reported: await listLoad(ctx.ctx) })),
})
