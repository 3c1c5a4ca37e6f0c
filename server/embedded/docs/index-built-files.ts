import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** The files of the built site, by their path below `/docs`. */
export type BuiltFiles = {
  /** Hashes of the inline scripts of all pages, as a content security policy names them. */
  readonly scripts: readonly string[]
  /** `file`: below the folder. `etag`: without quotes. `fixed`: its content never changes under this path. */
  readonly files: { readonly [at: string]: { readonly file: string; readonly etag: string; readonly isFixed: boolean } }
}

/** Lists what the generator has written. A page is at its path without `.html`. */
export function indexBuiltFiles(folder: string): BuiltFiles {
  const names = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')] : []))
    .filter((name) => name !== 'index.json')
    .sort()
  const scripts = new Set<string>()
  const files = names.map((file) => {
    const bytes = fs.readFileSync(path.join(folder, file))
    if (file.endsWith('.html')) for (const hash of inlineScriptHashes(bytes.toString())) scripts.add(hash)
    const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    return [addressOf(file), { file, etag, isFixed: file.startsWith('assets/') }] as const
  })
  return { scripts: [...scripts].sort(), files: Object.fromEntries(files) }
}

const addressOf = (file: string): string => (file === 'index.html' ? '' : file.replace(/\.html$/, ''))

/** `'sha256-…'` of each script that a page contains. */
export const inlineScriptHashes = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
