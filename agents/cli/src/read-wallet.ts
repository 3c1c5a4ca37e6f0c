import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { CliError } from './cli-error.ts'
import { settingsFolder } from './settings-store.ts'

const keyFile = () => path.join(settingsFolder(), 'wallet.key')

/**
 * The wallet of `PARLEY_WALLET_KEY`, or of the key file that `parley login --new-wallet` made. No message of an error contains the key.
 * @throws {CliError} without a key
 */
export async function readWallet(env: NodeJS.ProcessEnv = process.env): Promise<PrivateKeyAccount> {
  const key = (env.PARLEY_WALLET_KEY || (await readFile(keyFile(), 'utf8').catch(() => ''))).trim()
  if (key === '')
    throw new CliError('There is no wallet. Set PARLEY_WALLET_KEY to its private key, or create one with parley login --new-wallet.')
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new CliError('The wallet key must be 0x and 64 hexadecimal digits.')
  try {
    return privateKeyToAccount(key as `0x${string}`)
  } catch {
    throw new CliError('The wallet key is no valid private key: it is zero or too large.')
  }
}

/** Creates a key file that only the user can read. It never replaces one. @throws {CliError} if there is one */
export async function createWallet(): Promise<PrivateKeyAccount> {
  const key = generatePrivateKey()
  try {
    await mkdir(settingsFolder(), { recursive: true, mode: 0o700 })
    const handle = await open(keyFile(), 'wx', 0o600)
    await handle
      .writeFile(`${key}\n`)
      .then(() => handle.sync())
      .finally(() => handle.close())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CliError(`There is a wallet already: ${keyFile()}. Sign in with parley login.`)
    throw new CliError(`The key cannot be written to ${keyFile()}: ${code}.`)
  }
  return privateKeyToAccount(key)
}
