import { canonicalize, type Json, type RegistryPage, signStatement } from '@parley/protocol'
import type { Context } from '../context.ts'
import { lastRevision, listOwnListingChanges } from '../registry/index.ts'
import { revisionBeyondLast } from './errors.ts'
import { publishedPageBytes, publishedPageStatements, statementLifetimeMs } from './registry-sync-policy.ts'

/** `page`: null if the reader already has it. */
export type PublishedPage = { readonly etag: string; readonly page: RegistryPage | null }

/**
 * One page of signed statements about our own agents, signed on request. `after`: the last revision that the reader has; `known`: the
 * ETag of its last answer. Public.
 * @throws cursor.beyond_head
 */
export async function publishRegistryPage(ctx: Context, input: { after: number; known: string | null }): Promise<PublishedPage> {
  const { after } = input
  const last = await lastRevision(ctx)
  if (after > last) throw revisionBeyondLast(after, last)
  const etag = `"${after}.${last}"`
  if (input.known === etag) return { etag, page: null }
  const changes = await listOwnListingChanges(ctx, { after, limit: publishedPageStatements + 1 })
  const now = ctx.clock.now()
  const origin = new URL(ctx.market.publicUrl).origin
  const statements: RegistryPage['statements'] = []
  let next = after
  let bytes = 0
  for (const change of changes.slice(0, publishedPageStatements)) {
    const statement = await signStatement(ctx.ports.signer, {
      v: 1,
      origin,
      ...change,
      issued_at: now.toISOString(),
      expires_at: new Date(now.getTime() + statementLifetimeMs).toISOString(),
    })
    bytes += Buffer.byteLength(canonicalize(statement as unknown as Json))
    if (bytes > publishedPageBytes && statements.length > 0) break
    statements.push(statement as unknown as RegistryPage['statements'][number])
    next = change.revision
  }
  return { etag, page: { v: 1, statements, next, has_more: statements.length < changes.length } }
}
