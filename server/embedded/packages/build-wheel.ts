import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { readPyproject } from './read-pyproject.ts'

/** A wheel of a Python package: its distribution, the file's name in the output folder, its SHA-256 in hex, and its size in bytes. */
export type BuiltWheel = {
  readonly name: string
  readonly version: string
  readonly file: string
  readonly sha256: string
  readonly size: number
}

/** One time for all entries, so that the same source gives the same bytes. The zip format begins with this year, in local time. */
const entryTime = new Date(1980, 0, 1)
const unixSystem = 3
/** A regular file that its owner may write and all may read. */
const fileMode = 0o100644
const attributesOf = (mode: number) => mode * 2 ** 16

/**
 * Builds a wheel of a pure Python package (PEP 427), with no Python on this machine. Depends on `pyproject.toml`, `README.md`, `LICENSE`
 * and the package's folder only: the same source gives the same bytes.
 * @param source folder of the Python project
 * @param out folder for the wheel, created if it does not exist
 * @throws {RangeError} if a required field of `pyproject.toml` is missing
 */
export function buildWheel(source: string, out: string): BuiltWheel {
  const project = readPyproject(fs.readFileSync(path.join(source, 'pyproject.toml'), 'utf8'))
  const read = (file: string) => fs.readFileSync(path.join(source, file))
  const module = project.name.replaceAll('-', '_')
  const info = `${module}-${project.version}.dist-info`
  const files = new Map<string, Uint8Array>(listPackageFiles(source, module).map((file) => [file, read(file)]))
  files.set(`${info}/LICENSE`, read('LICENSE'))
  files.set(`${info}/METADATA`, strToU8(metadataOf(project, read('README.md').toString())))
  files.set(`${info}/WHEEL`, strToU8('Wheel-Version: 1.0\nGenerator: parley\nRoot-Is-Purelib: true\nTag: py3-none-any\n'))
  files.set(`${info}/RECORD`, strToU8(recordOf(files, `${info}/RECORD`)))
  const entries: Zippable = Object.fromEntries(files)
  const bytes = zipSync(entries, { level: 9, mtime: entryTime, os: unixSystem, attrs: attributesOf(fileMode) })
  const file = `${module}-${project.version}-py3-none-any.whl`
  replaceFile(path.join(out, file), bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { name: project.name, version: project.version, file, sha256, size: bytes.length }
}

/** The modules of a package and the marker of its types, sorted, with forward slashes. */
function listPackageFiles(source: string, folder: string): string[] {
  const entries = fs.readdirSync(path.join(source, folder), { withFileTypes: true })
  return entries
    .flatMap((entry) => {
      const at = `${folder}/${entry.name}`
      if (entry.isDirectory()) return entry.name === '__pycache__' ? [] : listPackageFiles(source, at)
      return entry.name.endsWith('.py') || entry.name === 'py.typed' ? [at] : []
    })
    .sort()
}

function metadataOf(project: ReturnType<typeof readPyproject>, readme: string): string {
  const fields: [string, string][] = [
    ['Metadata-Version', '2.1'],
    ['Name', project.name],
    ['Version', project.version],
    ['Summary', project.description],
    ['License', project.license],
    ['Keywords', project.keywords.join(',')],
    ...project.classifiers.map((value): [string, string] => ['Classifier', value]),
    ['Requires-Python', project.requiresPython],
    ...project.dependencies.map((value): [string, string] => ['Requires-Dist', value]),
    ['Description-Content-Type', 'text/markdown'],
    ['License-File', 'LICENSE'],
  ]
  return `${fields.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${readme}`
}

/** The list of all files with hash and size in bytes. The record itself has neither. */
function recordOf(files: ReadonlyMap<string, Uint8Array>, record: string): string {
  const lines = [...files].map(([file, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url')
    return `${file},sha256=${hash},${bytes.length}`
  })
  return `${[...lines, `${record},,`].join('\n')}\n`
}

/** Writes under another name and renames, so that a reader never gets a partial file. */
function replaceFile(file: string, bytes: Uint8Array): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}.new`
  fs.writeFileSync(temporary, bytes)
  fs.renameSync(temporary, file)
}
