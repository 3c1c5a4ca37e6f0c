import fs from 'node:fs'
import path from 'node:path'
import { runningServer } from '../postgres/postgres.ts'
import { endRecorded, isStillThat, readRecord } from '../processes/process-records.ts'

// Those that write first, those that are written to last. Of several of a kind each has a number.
const order = ['agents', 'proxy', 'hub', 'web', 'stripe', 'nats', 'anvil', 'postgres']
const placeOf = (name: string) => order.indexOf(name.replace(/-\d+$/, ''))

function recordedIn(runDir: string): string[] {
  const files = fs.existsSync(runDir) ? fs.readdirSync(runDir).filter((file) => file.endsWith('.json')) : []
  return files.map((file) => path.basename(file, '.json')).sort((a, b) => placeOf(a) - placeOf(b))
}

/** Ends what a killed start has left running, and only that: each process must prove to be the one written down. Returns their names. */
export async function endLeftovers(runDir: string, postgresDataDir: string): Promise<string[]> {
  const ended: string[] = []
  for (const name of recordedIn(runDir)) {
    const file = path.join(runDir, `${name}.json`)
    const record = readRecord(file)
    if (record && isStillThat(record)) {
      await endRecorded(record, name === 'postgres' ? 'SIGINT' : 'SIGTERM', 15_000)
      ended.push(name)
    }
    fs.rmSync(file, { force: true })
  }
  // PostgreSQL also writes its own pid file, in case ours was never written.
  const server = runningServer(postgresDataDir)
  if (server && (await endRecorded(server, 'SIGINT', 15_000))) ended.push('postgres')
  return ended
}
