import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { nodeFileTrace } from '@vercel/nft'
import type { ImageRole } from './image-roles.ts'

/** What an image contains, from the checkout's folder. `links`: symbolic links to folders of packages; a link's target is relative. */
export type ImageContents = { readonly files: readonly string[]; readonly links: ReadonlyMap<string, string> }

/**
 * The files that a role needs at run time, sorted: what its entry points import, the traces of the web build, and whole folders.
 * @throws if an entry point or folder is missing, for example before the build
 */
export async function traceImageFiles(root: string, role: ImageRole): Promise<ImageContents> {
  const files = new Set<string>()
  for (const folder of role.folders) for (const file of filesBelow(root, folder)) files.add(file)
  for (const file of tracedByNext(root, role.nextTraces)) files.add(file)
  const { fileList } = await nodeFileTrace(
    role.entries.map((entry) => existing(root, entry)),
    { base: root, processCwd: root, ignore: [...neverShipped], readFile: readSource },
  )
  for (const file of fileList) files.add(file)
  const links = new Map<string, string>()
  const real = [...files].filter(isShipped).map((file) => withoutLinks(root, file, links))
  return { files: [...new Set(real)].filter((file) => isShipped(file) && isFile(path.join(root, file))).sort(), links }
}

/** The path of the file itself. Notes the links that led to it: a package that two names lead to is copied once. */
function withoutLinks(root: string, file: string, links: Map<string, string>): string {
  const parts = file.split(path.sep)
  for (let length = 1; length <= parts.length; length++) {
    const at = parts.slice(0, length).join(path.sep)
    if (!fs.lstatSync(path.join(root, at), { throwIfNoEntry: false })?.isSymbolicLink()) continue
    const target = fs.readlinkSync(path.join(root, at))
    links.set(at, target)
    return withoutLinks(root, path.join(path.dirname(at), target, ...parts.slice(length)), links)
  }
  return file
}

const isFile = (file: string): boolean => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false

/** What tracing finds through a computed path, and no process in an image runs: other Nodes, command lines, tests, and documents. */
const neverShipped = [
  'node_modules/.bin/**',
  'node_modules/node-*/**',
  'node_modules/*/bin/**',
  'node_modules/@*/*/bin/**',
  'test/**',
  'bench/**',
  'chaos/**',
  'sim/**',
  '.git/**',
  '.parley/**',
]

const isShipped = (file: string): boolean =>
  !/\/query_compiler_\w+\.(?:cockroachdb|mysql|sqlite|sqlserver)\./.test(file) &&
  !/^(?:test|bench|chaos|sim|\.git|\.parley)\//.test(file) &&
  !/\.(?:map|d\.[cm]?ts)$/.test(file) &&
  !file.startsWith('.next/cache/')

/** The tracer reads JavaScript. The product's files are TypeScript that Node runs without their types. */
async function readSource(file: string): Promise<string | Buffer | null> {
  try {
    if (!/\.m?ts$/.test(file) || file.includes('/node_modules/')) return await readFile(file)
    return stripTypeScriptTypes(await readFile(file, 'utf8'))
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** The files that Next has found for its server and each route. */
function tracedByNext(root: string, folder: string | null): string[] {
  if (folder === null) return []
  const traces = fs.globSync('**/*.nft.json', { cwd: existing(root, folder) })
  return traces.flatMap((trace) => {
    const file = path.join(root, folder, trace)
    const { files } = JSON.parse(fs.readFileSync(file, 'utf8')) as { files: string[] }
    return files.map((one) => path.relative(root, path.resolve(path.dirname(file), one)))
  })
}

function filesBelow(root: string, folder: string): string[] {
  if (isFile(existing(root, folder))) return [folder]
  const found = fs.readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
  return found.filter((one) => one.isFile()).map((one) => path.relative(root, path.join(one.parentPath, one.name)))
}

function existing(root: string, name: string): string {
  const file = path.join(root, name)
  if (!fs.existsSync(file)) throw new Error(`${name} is missing. Run npm run build first.`)
  return file
}
