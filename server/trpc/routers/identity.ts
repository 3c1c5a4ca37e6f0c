import { z } from 'zod'
import { issueNonce, listSessions, loginStatement, revokeSession, signIn, signOut } from '../../identity/index.ts'
import { createRouter, open, signedIn } from '../init.ts'
import { setSessionCookie } from '../request-context.ts'

export const identityRouter = createRouter({
  /** What the wallet is to sign: a nonce that is good once, and the one statement that is accepted. */
  issueNonce: open.meta({ rate: 'identity' }).mutation(async ({ ctx }) => ({ ...(await issueNonce(ctx.ctx)), statement: loginStatement })),
  signIn: open
    .meta({ rate: 'identity' })
    .input(z.object({ message: z.string().max(4_096), signature: z.string().max(20_000) }))
    .mutation(async ({ ctx, input }) => {
      const { token, session, person } = await signIn(ctx.ctx, { ...input, userAgent: ctx.userAgent }, ctx.world.operators)
      setSessionCookie(ctx, { token, expiresAt: session.expiresAt })
      return { did: person.did, address: person.address }
    }),
  signOut: open.meta({ rate: 'write' }).mutation(async ({ ctx }) => {
    if (ctx.token !== null) await signOut(ctx.ctx, ctx.token)
    setSessionCookie(ctx, null)
  }),
  listSessions: signedIn.query(({ ctx }) => listSessions(ctx.ctx, ctx.token)),
  revokeSession: signedIn
    .meta({ rate: 'write' })
    .input(z.object({ id: z.string().max(64) }))
    .mutation(({ ctx, input }) => revokeSession(ctx.ctx, input.id)),
})
