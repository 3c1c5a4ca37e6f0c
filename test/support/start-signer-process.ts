import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Hex } from 'viem'

export type SignerProcess = AsyncDisposable & {
  readonly url: string
  readonly token: string
  /** As a machine that is switched off. */
  kill(): Promise<void>
  /** On the same port. */
  start(): Promise<void>
}
type Key = {
  readonly role: string
  readonly privateKey: Hex
  readonly perHour?: number
  readonly maxTransactionFee?: bigint
  readonly wallet?: Hex
}
export type SignerSite = { readonly chainId: number; readonly escrow: Hex; readonly channels: Hex | null }

const main = path.join(import.meta.dirname, '../../server/embedded/signer/main.ts')

/** The remote signer, as a separate process, with a token for all roles. */
export async function startSigner(site: SignerSite, keys: readonly Key[]): Promise<SignerProcess> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-signer-'))
  const token = 'a token of more than sixteen characters'
  let child: ChildProcess | null = null
  let port = 0

  async function start(): Promise<void> {
    const settings = {
      port,
      ...site,
      keys: keys.map(({ privateKey, maxTransactionFee = 10n ** 18n, perHour = 1_000, ...policy }, index) => {
        fs.writeFileSync(path.join(folder, `${index}.key`), privateKey)
        return { ...policy, perHour, maxTransactionFee: maxTransactionFee.toString(), file: `${index}.key` }
      }),
      clients: [{ token, roles: ['settler', 'evaluator', 'arbitrator'] }],
    }
    const file = path.join(folder, 'signer.json')
    fs.writeFileSync(file, JSON.stringify(settings))
    const started = spawn(process.execPath, [main, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    port = await new Promise<number>((resolve, reject) => {
      let output = ''
      started.stdout.on('data', (part: Buffer) => {
        output += part.toString()
        const found = /port (\d+)/.exec(output)
        if (found) resolve(Number(found[1]))
      })
      started.once('exit', (code) => reject(new Error(`the signer ended with ${code}`)))
    })
  }
  async function kill(): Promise<void> {
    const running = child
    child = null
    if (!running || running.exitCode !== null) return
    const ended = new Promise((done) => {
      running.once('exit', done)
    })
    running.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
