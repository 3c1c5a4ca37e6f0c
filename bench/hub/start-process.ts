import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { LoadCommand } from './load-process-main.ts'

export type Child = {
  readonly pid: number
  readonly ready: { port: number; server?: string }
  ask<T>(command: LoadCommand): Promise<T>
  end(): Promise<void>
}

/** Starts one of the processes in this folder. Waits for its first message if `speaksFirst`. */
export async function startChild(file: string, env: Record<string, string> = {}, speaksFirst = true): Promise<Child> {
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const next = async (): Promise<unknown> => {
    const [word] = await Promise.race([once(child, 'message'), gone.then(() => Promise.reject(new Error(`${file} ended`)))])
    return word
  }
  const ready = (speaksFirst ? await next() : { port: 0 }) as Child['ready']
  return {
    pid: child.pid ?? 0,
    ready,
    async ask(command) {
      const answered = next()
      child.send(command)
      const { answer, error } = (await answered) as { answer: never; error?: string }
      if (error !== undefined) throw new Error(error)
      return answer
    },
    async end() {
      child.disconnect()
      await gone
    },
  }
}

/** CPU seconds of a process and its children, ended ones included, as the kernel counts them; 0 if the system does not count. */
export function cpuSeconds(pid: number): number {
  const ticks = (one: number) => [11, 12, 13, 14].reduce((sum, field) => sum + Number(statOf(one)[field] ?? 0), 0)
  return family(pid).reduce((sum, one) => sum + ticks(one), 0) / 100
}

/** Private memory of a process, bytes. */
export function memoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024
  } catch {
    return 0
  }
}

function family(pid: number): number[] {
  try {
    const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(statOf(Number(name))[1]) === pid)
    return [pid, ...others.map(Number)]
  } catch {
    return [pid]
  }
}

/** From the state on, which follows the name in brackets. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}
