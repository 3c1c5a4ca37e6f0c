import { limits } from '@parley/protocol'
import { z } from 'zod'
import { getMarkdownParser } from '../../markdown/markdown-parser.ts'
import { createRouter, publicProcedure } from '../procedures.ts'

export const markdownRouter = createRouter({
  /**
   * A text as a tree of elements, or null if it is shown unformatted. It changes nothing, but is a mutation, because texts are too long
   * for a URL.
   */
  format: publicProcedure
    .meta({ rate: 'format' })
    .input(z.strictObject({ text: z.string().max(limits.markdownLength) }))
    .mutation(({ ctx, input }) => {
      const { actor } = ctx.ctx
      return getMarkdownParser().parse(input.text, actor.kind === 'person' ? actor.did : ctx.source)
    }),
})
