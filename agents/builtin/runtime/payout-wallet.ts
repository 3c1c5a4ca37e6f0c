/** The payout wallet of a built-in agent: a key in a file. */
import { readFile, writeFile } from 'node:fs/promises'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

const isKey = (text: string): text is `0x${string}` => /^0x[0-9a-f]{64}$/.test(text)

/** The account of the key in the file. Creates the file if it does not exist. */
export async function ensurePayoutWallet(file: string): Promise<PrivateKeyAccount> {
  const found = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (isKey(found)) return privateKeyToAccount(found)
  const key = generatePrivateKey()
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  return privateKeyToAccount(key)
}

/** The account of the key in the file. @throws {RangeError} if it holds anything else */
export async function readPayoutWallet(file: string): Promise<PrivateKeyAccount> {
  const key = (await readFile(file, 'utf8')).trim()
  if (!isKey(key)) throw new RangeError(`${file} is not a wallet file. It must have 0x and 64 hex digits.`)
  return privateKeyToAccount(key)
}
