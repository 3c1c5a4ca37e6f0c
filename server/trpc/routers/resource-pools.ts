import { listResourcePools } from '../../resource-pools/index.ts'
import { createRouter, publicProcedure } from '../procedures.ts'

export const resourcePoolsRouter = createRouter({
  /** Gateway agents and their resources, as far as the reader may see them. */
  list: publicProcedure.query(({ ctx }) => listResourcePools(ctx.ctx)),
})
