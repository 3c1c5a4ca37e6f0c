/** The hash of everything that decides the committed ABI files, so that a stale file is found without a build of minutes. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readSource, settings, solc } from './compile.ts'

const root = path.join(import.meta.dirname, '../..')

/** The committed fingerprint: written with the ABI files, from a build. */
export const fingerprintFile = path.join(import.meta.dirname, 'fingerprint.txt')

/**
 * @param abiFiles names of the committed files in this folder
 * @returns SHA-256 in hexadecimal of the compiler, its settings, all sources with what they import, and the committed files
 */
export function hashAbiSources(abiFiles: readonly string[]): string {
  const hash = createHash('sha256')
  const add = (name: string, text: string) => hash.update(`${name}\n${Buffer.byteLength(text)}\n${text}`)
  add('solc', solc.version)
  add('settings', JSON.stringify(settings))
  add('compile.ts', readFileSync(path.join(import.meta.dirname, 'compile.ts'), 'utf8'))
  for (const file of sourceFiles()) add(file, readSource(file))
  for (const file of [...abiFiles].sort()) add(file, readFileSync(path.join(import.meta.dirname, file), 'utf8'))
  return hash.digest('hex')
}

/** All sources of the project, and all that they import from packages. */
function sourceFiles(): string[] {
  const waiting = globSync('contracts/**/*.sol', { cwd: root }).map((file) => file.replaceAll(path.sep, '/'))
  const found = new Set<string>()
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    for (const [, imported = ''] of readSource(file).matchAll(/^\s*import\s[^"']*["']([^"']+)["']/gm))
      waiting.push(imported.startsWith('.') ? path.posix.join(path.posix.dirname(file), imported) : imported)
  }
  return [...found].sort()
}
