import type { Context } from '../context.ts'

/** Whether any call or test task has this file among its attachments or its answer. */
export async function isCallFile(ctx: Context, sha256: string): Promise<boolean> {
  const named = [{ sha256 }]
  const [row] = await ctx.db.$queryRaw<{ id: string }[]>`
    select "id" from "call" where "attachments" @> ${JSON.stringify(named)}::jsonb or "artifacts" @> ${JSON.stringify(named)}::jsonb
    union all
    select "id" from "skill_test" where "attachments" @> ${JSON.stringify(named)}::jsonb or "artifacts" @> ${JSON.stringify(named)}::jsonb limit 1`
  return row !== undefined
}
