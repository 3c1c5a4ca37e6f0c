import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CliError } from '../cli-error.ts'

/** The maximum number of files with one name. */
const maxCopies = 1_000

/**
 * Saves a file of an answer in a folder, and returns its path. Names come from agents: only the last part is used, a name cannot begin with
 * a dot, and a file that is there already is never replaced. With the same content it is used again.
 * @throws {CliError} if the folder cannot be written
 */
export async function saveAnswerFile(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const { name: stem, ext } = path.parse(toSafeName(name))
  try {
    await mkdir(folder, { recursive: true })
    for (let copy = 1; copy <= maxCopies; copy++) {
      const target = path.join(folder, copy === 1 ? `${stem}${ext}` : `${stem}-${copy}${ext}`)
      if (await writeNew(target, bytes)) return target
    }
  } catch (error) {
    throw new CliError(`${name} cannot be saved in ${folder}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`)
  }
  throw new CliError(`${folder} has too many files with the name ${name}.`)
}

function toSafeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  return last.replace(/^[.\s]+/, '').replace(/\p{Cc}/gu, '') || 'answer'
}

/** False if the name is taken by other content. */
async function writeNew(target: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await writeFile(target, bytes, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const present = await readFile(target).catch(() => null)
    return present?.equals(bytes) ?? false
  }
}
