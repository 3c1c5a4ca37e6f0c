/** Everything that is proved of the contracts' sources, and the process that proves it. */
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { channelTheorems, planTheorems, type Sources } from './arithmetic-theorems.ts'
import type { Verdict } from './prove.ts'
import { channelSlotTheorems, planSlotTheorems, type Theorem } from './slot-theorems.ts'

const folder = path.join(import.meta.dirname, '../../../contracts')
const files = {
  PlanSlot: 'libraries/PlanSlot.sol',
  ChannelSlot: 'libraries/ChannelSlot.sol',
  PlanStore: 'escrow/PlanStore.sol',
  PlanPayments: 'escrow/PlanPayments.sol',
  PlanFunding: 'escrow/PlanFunding.sol',
  VoucherChannels: 'VoucherChannels.sol',
}
export type File = keyof typeof files

export function readSources(): Record<File, string> {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, readFileSync(path.join(folder, file), 'utf8')])) as Record<
    File,
    string
  >
}

export function theoremsOf(sources: Sources): Theorem[] {
  return [
    ...planSlotTheorems(String(sources.PlanSlot)),
    ...channelSlotTheorems(String(sources.ChannelSlot)),
    ...planTheorems(sources),
    ...channelTheorems(sources),
  ]
}

/** Has all of them proved by one process, which is gone afterwards. */
export function proveAll(theorems: readonly Theorem[]): Promise<Verdict[]> {
  const child = fork(path.join(import.meta.dirname, 'prove.ts'), { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return new Promise((done, failed) => {
    child.once('message', (verdicts: Verdict[]) => done(verdicts))
    child.once('error', failed)
    child.once('exit', (code) => failed(new Error(`the solver ended with ${code}`)))
    child.send(theorems)
  })
}
