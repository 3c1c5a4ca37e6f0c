import { randomUUID } from 'node:crypto'
import { DomainError, toProblem } from '../errors.ts'

/** A page's form for programs: the text, or the problem, with a type of its own. Anybody's script may read it. */
export async function answerTwin(mediaType: string, work: () => Promise<string>): Promise<Response> {
  const headers = {
    'access-control-allow-origin': '*',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-cache',
  }
  try {
    return new Response(await work(), { headers: { ...headers, 'content-type': `${mediaType}; charset=utf-8` } })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const problem = toProblem(error, randomUUID())
    return Response.json(problem, { status: problem.status, headers: { ...headers, 'content-type': 'application/problem+json' } })
  }
}
