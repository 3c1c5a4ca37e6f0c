import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const DocsIndex = z.object({
  scripts: z.array(z.string()),
  files: z.record(z.string(), z.object({ file: z.string(), etag: z.string(), isFixed: z.boolean() })),
})
type DocsIndex = z.infer<typeof DocsIndex>
type BuiltFile = DocsIndex['files'][string]

/** The folder that the build of the documentation fills. */
const builtDocs = path.join(process.cwd(), 'dist/docs')

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** A page or file of the documentation site. `segments`: its path below `/docs`. Only paths of the site's index reach the file system. */
export async function answerDocsFile(request: Request, segments: readonly string[], folder = builtDocs): Promise<Response> {
  const index = await readIndex(folder)
  if (index === null) return answerText('This installation has no documentation. Build it with `npm run build` in the checkout.\n', 404)
  const at = segments.join('/')
  const found = Object.hasOwn(index.files, at) ? index.files[at] : undefined
  const headers = headersFor(index, found)
  if (!found) {
    const missing = index.files['404']
    return missing ? new Response(await readBytes(folder, missing), { status: 404, headers }) : answerText('There is no such page.\n', 404)
  }
  if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
  return new Response(await readBytes(folder, found), { headers })
}

function headersFor({ scripts }: DocsIndex, found: BuiltFile | undefined): Record<string, string> {
  const extension = path.extname(found?.file ?? '.html') || '.html'
  return {
    'content-type': mediaTypes[extension] ?? 'application/octet-stream',
    'content-security-policy': extension === '.html' ? pagePolicy(scripts) : "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cache-control': found?.isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(found && { etag: `"${found.etag}"` }),
    // Programs of any origin read the Markdown.
    ...(/^\.(md|txt|json)$/.test(extension) && { 'access-control-allow-origin': '*' }),
  }
}

/** The site has few inline scripts, which are the same on all pages. All other scripts are files of the site. */
const pagePolicy = (scripts: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    // Colors of code are attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const answerText = (body: string, status: number): Response =>
  new Response(body, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'content-security-policy': "default-src 'none'; sandbox" },
  })

const readBytes = async (folder: string, { file }: BuiltFile): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(path.join(folder, file)))

/** The list of the site's files; null if it was not built. */
async function readIndex(folder: string): Promise<DocsIndex | null> {
  try {
    return DocsIndex.parse(JSON.parse(await readFile(path.join(folder, 'index.json'), 'utf8')))
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null
    throw error
  }
}
