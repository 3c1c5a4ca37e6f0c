import { limits } from '@parley/protocol'
import { z } from 'zod'
import { getMarkdownFormatter } from '../../markdown/format-markdown.ts'
import { createRouter, open } from '../init.ts'

export const markdownRouter = createRouter({
  /**
   * A text as a tree of elements; null: show it as it stands. It changes nothing, and is posted all the same: texts are too long for
   * an address.
   */
  format: open
    .meta({ rate: 'format' })
    .input(z.object({ text: z.string().max(limits.markdownLength) }))
    .mutation(({ input }) => getMarkdownFormatter().format(input.text)),
})
