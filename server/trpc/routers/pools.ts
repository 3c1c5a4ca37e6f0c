import { listPools } from '../../pools/index.ts'
import { createRouter, publicProcedure } from '../procedures.ts'

export const poolsRouter = createRouter({
  /** Gateway agents and their resources, as far as the reader may see them. */
  list: publicProcedure.query(({ ctx }) => listPools(ctx.ctx)),
})
