import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { CliError } from './cli-error.ts'

/** What `parley login` keeps. `expiresAt`: of the token, RFC 3339. */
export type CliSettings = { readonly hub?: string; readonly token?: string; readonly expiresAt?: string; readonly address?: string }

export const defaultHub = 'http://localhost:4000'

/** The folder for settings and keys: `PARLEY_HOME`, or `parley` in the user's folder for configuration. */
export function settingsFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env.PARLEY_HOME ?? path.join(env.XDG_CONFIG_HOME ?? path.join(homedir(), '.config'), 'parley')
}

export async function readSettings(): Promise<CliSettings> {
  const file = path.join(settingsFolder(), 'settings.json')
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text) as CliSettings
  } catch {
    throw new CliError(`${file} is not JSON. Delete it, and sign in again with parley login.`)
  }
}

/** Only the user can read the file, because a token acts for the wallet. */
export async function writeSettings(settings: CliSettings): Promise<void> {
  const folder = settingsFolder()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, 'settings.json')
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
}

/** The token of the last login. @throws {CliError} if there is none, or it has ended */
export function requireToken({ token, expiresAt }: CliSettings, now = new Date()): string {
  if (token === undefined) throw new CliError('You are not signed in. Run parley login.')
  if (expiresAt !== undefined && new Date(expiresAt) <= now) throw new CliError('Your login has ended. Run parley login again.')
  return token
}
