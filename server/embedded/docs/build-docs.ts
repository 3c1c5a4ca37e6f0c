import fs from 'node:fs'
import path from 'node:path'
import { buildStampFor, hashSources, type Stamp } from '../install/build-stamps.ts'
import { waitForFileLock } from '../processes/file-lock.ts'
import { runScript } from '../processes/run-script.ts'
import { outsideSources, readDocsPages } from './docs-pages.ts'
import { indexBuiltFiles } from './index-built-files.ts'
import { stageSite } from './stage-site.ts'

/** Where the site is, from the root. The web serves this folder at `/docs`. */
export const docsFolder = 'dist/docs'

/** Whether the site is that of the present documents. */
export function areDocsCurrent(root: string, stateDir: string): boolean {
  return docsStamp(root, stateDir).isCurrent() && fs.existsSync(path.join(root, docsFolder, 'index.json'))
}

/** Builds the site unless it is current. Waits for a concurrent build. */
export async function ensureDocs(root: string, stateDir: string): Promise<void> {
  if (areDocsCurrent(root, stateDir)) return
  using _lock = await waitForFileLock(path.join(stateDir, 'docs-build.lock'))
  if (areDocsCurrent(root, stateDir)) return
  const stamp = docsStamp(root, stateDir)
  stamp.remove()
  await buildDocs(root, path.join(root, docsFolder), path.join(stateDir, 'docs'))
  stamp.put()
}

function docsStamp(root: string, stateDir: string): Stamp {
  const sources = ['docs', ...outsideSources, 'app/icon.svg', 'server/embedded/docs', 'package-lock.json']
  return buildStampFor(path.join(stateDir, 'stamps'), 'docs', hashSources(root, sources))
}

/** Builds the site into `out`, with an `index.json` of its files. `work`: a folder of the checkout for intermediate files. */
export async function buildDocs(root: string, out: string, work: string): Promise<void> {
  // The web serves the former site until the new one is complete.
  const next = `${work}/built`
  const staged = path.join(work, 'site')
  stageSite(root, staged, readDocsPages(root), next)
  await runScript('Building the documentation', 'node_modules/vitepress/bin/vitepress.js', ['build', staged], {
    log: path.join(work, 'build.log'),
  })
  fs.writeFileSync(path.join(next, 'index.json'), `${JSON.stringify(indexBuiltFiles(next))}\n`)
  fs.rmSync(out, { recursive: true, force: true })
  fs.mkdirSync(path.dirname(out), { recursive: true })
  fs.renameSync(next, out)
}
