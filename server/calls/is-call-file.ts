import type { Context } from '../context.ts'

/** Whether a call has a file of these bytes, asked with it or answered. */
export async function isCallFile(ctx: Context, sha256: string): Promise<boolean> {
  const named = [{ sha256 }]
  const [row] = await ctx.db.$queryRaw<{ id: string }[]>`
    select "id" from "call" where "attachments" @> ${JSON.stringify(named)}::jsonb or "artifacts" @> ${JSON.stringify(named)}::jsonb limit 1`
  return row !== undefined
}
