import { z } from 'zod'
import { issueNonce, listSessions, loginStatement, revokeSession, signIn, signOut } from '../../identity/index.ts'
import { admitRate } from '../../policy/index.ts'
import { setSessionCookie } from '../call.ts'
import { createRouter, open, signedIn } from '../init.ts'

export const identityRouter = createRouter({
  /** What the wallet is to sign: a nonce that is good once, and the one statement that is accepted. */
  issueNonce: open.mutation(async ({ ctx }) => {
    await admitRate(ctx.ctx, 'identity', ctx.source)
    return { ...(await issueNonce(ctx.ctx)), statement: loginStatement }
  }),
  signIn: open.input(z.object({ message: z.string().max(4_096), signature: z.string().max(20_000) })).mutation(async ({ ctx, input }) => {
    await admitRate(ctx.ctx, 'identity', ctx.source)
    const { token, session, person } = await signIn(ctx.ctx, { ...input, userAgent: ctx.userAgent }, ctx.world.operators)
    setSessionCookie(ctx, { token, expiresAt: session.expiresAt })
    return { did: person.did, address: person.address }
  }),
  signOut: open.mutation(async ({ ctx }) => {
    if (ctx.token !== null) await signOut(ctx.ctx, ctx.token)
    setSessionCookie(ctx, null)
  }),
  listSessions: signedIn.query(({ ctx }) => listSessions(ctx.ctx, ctx.token)),
  revokeSession: signedIn.input(z.object({ id: z.string().max(64) })).mutation(({ ctx, input }) => revokeSession(ctx.ctx, input.id)),
})
