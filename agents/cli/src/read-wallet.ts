import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { CliError } from './cli-error.ts'
import { settingsFolder } from './settings-store.ts'

const keyFile = () => path.join(settingsFolder(), 'wallet.key')

/** The wallet of `PARLEY_WALLET_KEY`, or of the key file that `parley login --new-wallet` made. @throws {CliError} without a key */
export async function readWallet(env: NodeJS.ProcessEnv = process.env): Promise<PrivateKeyAccount> {
  const key = env.PARLEY_WALLET_KEY ?? (await readFile(keyFile(), 'utf8').catch(() => ''))
  if (key.trim() === '')
    throw new CliError('There is no wallet. Set PARLEY_WALLET_KEY to its private key, or create one with parley login --new-wallet.')
  if (!/^0x[0-9a-fA-F]{64}$/.test(key.trim())) throw new CliError('The wallet key must be 0x and 64 hexadecimal digits.')
  return privateKeyToAccount(key.trim() as `0x${string}`)
}

/** Creates a key file that only the user can read. It never replaces one. @throws {CliError} if there is one */
export async function createWallet(): Promise<PrivateKeyAccount> {
  await mkdir(settingsFolder(), { recursive: true, mode: 0o700 })
  const key = generatePrivateKey()
  const handle = await open(keyFile(), 'wx', 0o600).catch(() => {
    throw new CliError(`There is a wallet already: ${keyFile()}. Sign in with parley login.`)
  })
  try {
    await handle.writeFile(`${key}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return privateKeyToAccount(key)
}
