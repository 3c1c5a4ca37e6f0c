import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const skipped = new Set(['node_modules', '.next', '.parley', '.git', 'client', '__pycache__'])

/** One hash over the names and contents of these files and folders. A missing file counts as missing. */
export function hashSources(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources) addTo(hash, root, source)
  return hash.digest('hex')
}

function addTo(hash: ReturnType<typeof createHash>, root: string, name: string): void {
  const file = path.join(root, name)
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) {
    for (const entry of fs.readdirSync(file).sort()) if (!skipped.has(entry)) addTo(hash, root, `${name}/${entry}`)
  } else {
    // The lengths separate names from contents.
    const content = stat ? fs.readFileSync(file) : null
    hash.update(`${name.length}:${name}:${content?.length ?? 'absent'}:`)
    if (content) hash.update(content)
  }
}

/** A stamp records the source hash of a build. It is removed before the build, so that a partial result is never trusted. */
export type Stamp = { isCurrent: () => boolean; remove: () => void; put: () => void }

export function buildStampFor(stampsDir: string, name: string, hash: string): Stamp {
  const file = path.join(stampsDir, name)
  return {
    isCurrent: () => fs.existsSync(file) && fs.readFileSync(file, 'utf8') === hash,
    remove: () => fs.rmSync(file, { force: true }),
    put: () => {
      fs.mkdirSync(stampsDir, { recursive: true })
      fs.writeFileSync(`${file}.${process.pid}`, hash)
      fs.renameSync(`${file}.${process.pid}`, file)
    },
  }
}
