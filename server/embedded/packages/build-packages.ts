import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { create } from 'tar'
import { buildStampFor, hashSources, type Stamp } from '../install/build-stamps.ts'
import { buildWheel } from './build-wheel.ts'
import { compileSources } from './compile-sources.ts'
import { publishedManifest, type WorkspaceManifest } from './published-manifest.ts'
import { rewriteImports } from './rewrite-imports.ts'

/** A package that is built from a workspace. `includes`: workspaces whose code its archive contains, so that it installs from one URL. */
type PackageSource = { readonly workspace: string; readonly includes: readonly string[]; readonly files: readonly string[] }

const packages: readonly PackageSource[] = [
  { workspace: 'protocol', includes: [], files: ['README.md', 'SPEC.md', 'schemas', 'vectors'] },
  { workspace: 'agents', includes: ['protocol'], files: ['README.md'] },
  { workspace: 'agents/cli', includes: ['protocol', 'agents'], files: ['README.md'] },
]

const pythonSource = 'agents/python'
const workspaces = packages.map(({ workspace }) => workspace)
/** What the archives depend on besides the workspaces' code. */
const otherSources = [
  ...packages.flatMap(({ workspace, files }) => files.map((file) => `${workspace}/${file}`)),
  `${pythonSource}/parley_agents`,
  `${pythonSource}/pyproject.toml`,
  `${pythonSource}/README.md`,
  'LICENSE',
  'tsconfig.json',
  'package-lock.json',
  'server/embedded/packages',
]

/** One archive that is served. `file`: its name. `sha256`: of its bytes, in lower-case hex. `size`: in bytes. */
export type BuiltPackage = {
  readonly name: string
  readonly version: string
  readonly file: string
  readonly sha256: string
  readonly size: number
}

/** Where the archives are, from the root. The web serves this folder at `/packages`. */
export const packagesFolder = 'dist/packages'

/** Whether the archives are those of the present sources. */
export function arePackagesCurrent(root: string, stateDir: string): boolean {
  return packagesStamp(root, stateDir).isCurrent() && fs.existsSync(path.join(root, packagesFolder, 'index.json'))
}

/** Builds the archives unless they are current. */
export async function ensurePackages(root: string, stateDir: string): Promise<void> {
  if (arePackagesCurrent(root, stateDir)) return
  const stamp = packagesStamp(root, stateDir)
  stamp.remove()
  await buildPackages(root, path.join(root, packagesFolder), path.join(stateDir, 'packages'))
  stamp.put()
}

function packagesStamp(root: string, stateDir: string): Stamp {
  const sources = [...workspaces.flatMap((one) => [`${one}/src`, `${one}/package.json`]), ...otherSources]
  return buildStampFor(path.join(stateDir, 'stamps'), 'packages', hashSources(root, sources))
}

/** Builds an archive of each package into `out`, with an `index.json` that lists them. `work`: a folder for intermediate files. */
export async function buildPackages(root: string, out: string, work: string): Promise<BuiltPackage[]> {
  fs.rmSync(work, { recursive: true, force: true })
  fs.rmSync(out, { recursive: true, force: true })
  fs.mkdirSync(out, { recursive: true })
  const compiled = path.join(work, 'compiled')
  await compileSources(root, workspaces, compiled, path.join(work, 'compile.log'))
  const built: BuiltPackage[] = []
  for (const source of packages) built.push(await buildPackage(root, { source, compiled, out, work }))
  built.push(buildWheel(path.join(root, pythonSource), out))
  fs.writeFileSync(path.join(out, 'index.json'), `${JSON.stringify({ packages: built }, null, 2)}\n`)
  return built
}

type Folders = { readonly source: PackageSource; readonly compiled: string; readonly out: string; readonly work: string }

async function buildPackage(root: string, { source, compiled, out, work }: Folders): Promise<BuiltPackage> {
  const staging = path.join(work, 'staging', source.workspace)
  const dist = path.join(staging, 'package', 'dist')
  const manifest = readManifest(root, source.workspace)
  const included = source.includes.map((folder) => ({ folder, manifest: readManifest(root, folder) }))
  const inside = included.map(({ folder, manifest: { name } }) => ({ name, folder }))
  copyCompiled(path.join(compiled, source.workspace, 'src'), dist, '', inside)
  for (const { folder } of included) copyCompiled(path.join(compiled, folder, 'src'), dist, folder, inside)
  for (const file of source.files)
    fs.cpSync(path.join(root, source.workspace, file), path.join(staging, 'package', file), { recursive: true })
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(staging, 'package', 'LICENSE'))
  const published = publishedManifest(manifest, included)
  fs.writeFileSync(path.join(staging, 'package', 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  const file = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
  // Without times and owners, so that the same sources give the same bytes.
  await create(
    { cwd: staging, file: path.join(out, file), gzip: true, portable: true, mtime: new Date(0), noDirRecurse: true },
    listFiles(staging),
  )
  const bytes = fs.readFileSync(path.join(out, file))
  return {
    name: manifest.name,
    version: manifest.version,
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
  }
}

const readManifest = (root: string, workspace: string) =>
  JSON.parse(fs.readFileSync(path.join(root, workspace, 'package.json'), 'utf8')) as WorkspaceManifest

type Inside = Parameters<typeof rewriteImports>[2]

/** Copies compiled files into `dist/folder`. `inside`: the packages that the archive contains. */
function copyCompiled(from: string, dist: string, folder: string, inside: Inside): void {
  for (const name of listFiles(from)) {
    const file = path.posix.join(folder, name)
    const code = fs.readFileSync(path.join(from, name), 'utf8')
    fs.mkdirSync(path.dirname(path.join(dist, file)), { recursive: true })
    fs.writeFileSync(path.join(dist, file), name.endsWith('.map') ? code : rewriteImports(code, file, inside))
  }
}

/** The files below a folder, sorted, with `/`. */
function listFiles(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()
}
