import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { childEnvironment } from '../install/child-environment.mjs'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { signal as send } from './process-records.ts'

export const root = path.resolve(import.meta.dirname, '../../..')

export type ToolRun = { env?: Record<string, string | undefined>; log: string; cwd?: string }

/** A failed script. The message for the user has the reason, the last lines and the log file. */
export class ToolFailure extends SetupProblem {
  override name = 'ToolFailure'
}

/** Runs a script on this Node, with its output in the log. */
export function runScript(title: string, script: string, args: readonly string[], run: ToolRun): Promise<void> {
  fs.mkdirSync(path.dirname(run.log), { recursive: true })
  const log = fs.openSync(run.log, 'w')
  const child = spawn(process.execPath, [path.resolve(root, script), ...args], {
    cwd: run.cwd ?? root,
    env: childEnvironment(run.env),
    stdio: ['ignore', log, log],
    detached: true,
  })
  if (child.pid !== undefined) atWork.add(child.pid)
  return new Promise((done, fail) => {
    child.once('error', (error) => {
      fs.closeSync(log)
      fail(error)
    })
    child.once('exit', (code, signal) => {
      fs.closeSync(log)
      atWork.delete(child.pid ?? 0)
      if (code === 0) done()
      else fail(new ToolFailure(`${title} failed (${signal ?? `exit code ${code}`}).\n${lastLines(run.log)}\nThe whole log: ${run.log}`))
    })
  })
}

const atWork = new Set<number>()

/** Signals all running scripts and their children. */
export function endScripts(name: NodeJS.Signals): void {
  for (const pid of atWork) send(pid, name)
}

export function lastLines(file: string, count = 15): string {
  try {
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
    return lines
      .slice(-count)
      .map((line) => `  ${line.slice(0, 400)}`)
      .join('\n')
  } catch {
    return ''
  }
}
