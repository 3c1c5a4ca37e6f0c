import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { CliError } from './cli-error.ts'

/** What `parley login` keeps. `hub`: the market of the token. `expiresAt`: of the token, RFC 3339. */
export type CliSettings = { readonly hub?: string; readonly token?: string; readonly expiresAt?: string; readonly address?: string }

export const defaultHub = 'http://localhost:4000'

/** The folder for settings and keys: `PARLEY_HOME`, or `parley` in the user's folder for configuration. */
export function settingsFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env.PARLEY_HOME || path.join(env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'parley')
}

/** The settings; empty without a file. @throws {CliError} if the file has something else */
export async function readSettings(): Promise<CliSettings> {
  const file = path.join(settingsFolder(), 'settings.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '{}'
    throw new CliError(`${file} cannot be read: ${error.code}.`)
  })
  const settings = parseObject(text)
  if (settings === null) throw new CliError(`${file} has no settings. Delete it, and sign in again with parley login.`)
  return settings
}

function parseObject(text: string): CliSettings | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Only the user can read the file, because a token acts for the wallet. It is replaced as a whole. @throws {CliError} if it cannot be written */
export async function writeSettings(settings: CliSettings): Promise<void> {
  const folder = settingsFolder()
  const file = path.join(folder, `settings.json.${randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(`${JSON.stringify(settings, null, 2)}\n`).finally(() => handle.close())
    await rename(file, path.join(folder, 'settings.json'))
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined)
    throw new CliError(`The settings cannot be written to ${folder}: ${(error as NodeJS.ErrnoException).code}.`)
  }
}

/** The token of the last login, for this market only. @throws {CliError} if there is none, or it has ended */
export function requireToken({ hub, token, expiresAt }: CliSettings, of: string, now = new Date()): string {
  if (token === undefined) throw new CliError('You are not signed in. Run parley login.')
  if (hub !== of) throw new CliError(`You are signed in at ${hub}, not at ${of}. Run parley --hub ${of} login.`)
  if (expiresAt !== undefined && new Date(expiresAt) <= now) throw new CliError('Your login has ended. Run parley login again.')
  return token
}
