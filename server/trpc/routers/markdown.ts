import { limits } from '@parley/protocol'
import { z } from 'zod'
import { getMarkdownFormatter } from '../../markdown/format-markdown.ts'
import { admitRate } from '../../policy/index.ts'
import { createRouter, open } from '../init.ts'

export const markdownRouter = createRouter({
  /**
   * A text as a tree of elements; null: show it as it stands. It changes nothing, and is posted all the same: texts are too long for
   * an address.
   */
  format: open.input(z.object({ text: z.string().max(limits.markdownLength) })).mutation(async ({ ctx, input }) => {
    const formatter = getMarkdownFormatter()
    if (!formatter.has(input.text)) await admitRate(ctx.ctx, 'read', ctx.source)
    return formatter.format(input.text)
  }),
})
