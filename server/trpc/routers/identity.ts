import { z } from 'zod'
import { issueNonce, listSessions, revokeSession, signIn, signOut, siweStatement } from '../../identity/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'
import { setSessionCookie } from '../request-context.ts'

export const identityRouter = createRouter({
  /** What the wallet signs: a single-use nonce, and the required statement. */
  issueNonce: publicProcedure
    .meta({ rate: 'identity' })
    .mutation(async ({ ctx }) => ({ ...(await issueNonce(ctx.ctx)), statement: siweStatement })),
  signIn: publicProcedure
    .meta({ rate: 'identity' })
    .input(z.strictObject({ message: z.string().max(4_096), signature: z.string().max(20_000) }))
    .mutation(async ({ ctx, input }) => {
      const { token, session, person } = await signIn(ctx.ctx, { ...input, userAgent: ctx.userAgent }, ctx.services.operators)
      setSessionCookie(ctx, { token, expiresAt: session.expiresAt })
      return { did: person.did, address: person.address }
    }),
  signOut: publicProcedure.meta({ rate: 'write' }).mutation(async ({ ctx }) => {
    if (ctx.token !== null) await signOut(ctx.ctx, ctx.token)
    setSessionCookie(ctx, null)
  }),
  listSessions: signedInProcedure.query(({ ctx }) => listSessions(ctx.ctx, ctx.token)),
  revokeSession: signedInProcedure
    .meta({ rate: 'write' })
    .input(z.strictObject({ id: z.string().max(64) }))
    .mutation(({ ctx, input }) => revokeSession(ctx.ctx, input.id)),
})
