export const dynamic = 'force-dynamic'

/** The liveness probe. It does not check dependencies, so that a failed database does not restart the process. */
export function GET(): Response {
  return Response.json({ ok: true })
}
