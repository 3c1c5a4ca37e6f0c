/** What needs a file system: keys kept in files. Everything else of this library runs in browsers too. */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { randomSeed } from '@parley/protocol'

/** The seed in the file, readable by its owner only; the file is made when it is not there. */
export async function keyFile(file: string): Promise<string> {
  try {
    return await readSeed(file)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  await mkdir(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 })
  // Written aside and moved into place, so that no crash leaves half a key.
  const draft = `${file}.${process.pid}.new`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomSeed()}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await rm(draft, { force: true })
  return readSeed(file)
}

/** @throws {RangeError} where the file holds something else. */
async function readSeed(file: string): Promise<string> {
  const seed = (await readFile(file, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/i.test(seed)) throw new RangeError(`${file} is not a key file: it should hold 64 hex digits.`)
  return seed
}

const isCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code
