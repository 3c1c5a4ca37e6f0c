export const dynamic = 'force-dynamic'

/** The process is up. Whether what it needs is up is not asked here, so that a broken database does not restart it. */
export function GET(): Response {
  return Response.json({ ok: true })
}
