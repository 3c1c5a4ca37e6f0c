import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { DomainError } from '../errors.ts'
import { answerPublicFile, type PublicFile, type PublicRequest } from './answer-public-file.ts'

/** The specification, a schema or a test vector. `segments`: its path below `protocol/`. */
export const answerProtocolFile = (request: PublicRequest, segments: readonly string[]): Promise<Response> =>
  answerPublicFile(request, () => readProtocolFile(segments))

const mediaTypes: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}

const segmentPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

async function readProtocolFile(segments: readonly string[]): Promise<PublicFile> {
  const [first = ''] = segments
  const mediaType = mediaTypes[path.extname(segments.at(-1) ?? '')]
  const isServed = (segments.length === 1 && first === 'SPEC.md') || first === 'schemas' || first === 'vectors'
  if (!isServed || mediaType === undefined || segments.some((segment) => !segmentPattern.test(segment))) throw notFound()
  const base = path.join(process.cwd(), 'protocol')
  try {
    const file = await realpath(path.join(base, ...segments))
    if (!file.startsWith(`${await realpath(base)}${path.sep}`)) throw notFound()
    return { mediaType, body: await readFile(file, 'utf8') }
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') throw notFound()
    throw error
  }
}

const notFound = () =>
  new DomainError('request.not_found', 'There is no such file of the protocol.', {
    hint: 'There are: /protocol/SPEC.md, /protocol/schemas/TYPE.json and /protocol/vectors/KIND/CASE.json.',
  })
