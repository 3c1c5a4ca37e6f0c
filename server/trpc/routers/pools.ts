import { listPools } from '../../pools/index.ts'
import { createRouter, open } from '../init.ts'

export const poolsRouter = createRouter({
  /** Gateway agents and their resources, as far as the asker may see them. */
  list: open.query(({ ctx }) => listPools(ctx.ctx)),
})
