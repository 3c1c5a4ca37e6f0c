/** Key files. The only part of this library that needs a file system; the rest runs in browsers, too. */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { randomSeed } from '@parley/protocol'

/** The seed in the file: 64 hex digits. Creates the file, readable by its owner only, if it does not exist. @throws {RangeError} if it holds anything else */
export async function loadOrCreateSeed(file: string): Promise<string> {
  try {
    return await readSeed(file)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await mkdir(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 })
  // Written to a temporary file and renamed, so that a crash cannot leave a partial key.
  const temporary = `${file}.${process.pid}.new`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomSeed()}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file)
  await rm(temporary, { force: true })
  return readSeed(file)
}

async function readSeed(file: string): Promise<string> {
  const seed = (await readFile(file, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/i.test(seed)) throw new RangeError(`${file} is not a key file. It must have 64 hex digits.`)
  return seed
}

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code
