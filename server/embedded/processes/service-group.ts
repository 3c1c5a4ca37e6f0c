import { SetupProblem } from '../install/ensure-installed.mjs'
import { printLine } from '../install/terminal-output.mjs'
import { endScripts } from './run-script.ts'
import { type ProcessFolders, type Running, type Service, supervise } from './supervise.ts'

export type ProcessGroup = {
  /** Starts the service as part of the group. */
  keep(service: Service): Promise<void>
  /** Runs `main`, and keeps its services running until a stop signal. After a failure everything ends with exit code 1. */
  runUntilAsked(main: () => Promise<void>): void
}

// npm and the terminal may both signal one Ctrl-C. The second signal arrives within this time.
const echoMs = 700

/** The services of `title`, which stop together. `stopsFirst`: the kinds of services in stop order. */
export function openServiceGroup(title: string, stopsFirst: readonly string[], processFolders: ProcessFolders): ProcessGroup {
  const running: Running[] = []
  let stopping: Promise<void> | null = null
  let requestedAt = 0

  async function stopAll(): Promise<void> {
    endScripts('SIGTERM')
    for (const kind of stopsFirst)
      await Promise.all(running.filter(({ name }) => name.replace(/-\d+$/, '') === kind).map((part) => part.stop()))
  }

  /** The first signal stops everything in order, a later one by force. An echo of the first is ignored. */
  function stop(): void {
    if (stopping === null) {
      requestedAt = Date.now()
      printLine(`\nEnding ${title}. Once more ends it by force.`)
      stopping = stopAll()
      void stopping.then(() => process.exit(0))
    } else if (Date.now() - requestedAt > echoMs) {
      endScripts('SIGKILL')
      for (const part of running) part.kill()
      process.exit(1)
    }
  }

  return {
    async keep(service) {
      if (stopping) throw new SetupProblem('It is being ended.')
      const started = supervise(service, processFolders)
      running.push(started)
      await started.ready
    },
    runUntilAsked(main) {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
      process.on('disconnect', stop)
      main().catch(async (error: unknown) => {
        if (stopping) return
        stopping = stopAll()
        await stopping
        console.error(error instanceof SetupProblem ? `\n${error.message}` : error)
        process.exit(1)
      })
    },
  }
}
