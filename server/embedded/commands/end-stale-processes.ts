import fs from 'node:fs'
import path from 'node:path'
import { runningServer } from '../postgres/postgres.ts'
import { endRecorded, isSameProcess, readRecord } from '../processes/process-records.ts'

// Writers first, databases last. Several processes of a kind have a number.
const order = ['agents', 'proxy', 'hub', 'web', 'stripe', 'nats', 'anvil', 'postgres']
const placeOf = (name: string) => order.indexOf(name.replace(/-\d+$/, ''))

function recordedIn(runDir: string): string[] {
  const files = fs.existsSync(runDir) ? fs.readdirSync(runDir).filter((file) => file.endsWith('.json')) : []
  return files.map((file) => path.basename(file, '.json')).sort((a, b) => placeOf(a) - placeOf(b))
}

/** Ends processes that a killed start left running. Each must match its recorded identity. Returns their names. */
export async function endStaleProcesses(runDir: string, postgresDataDir: string): Promise<string[]> {
  const ended: string[] = []
  for (const name of recordedIn(runDir)) {
    const file = path.join(runDir, `${name}.json`)
    const record = readRecord(file)
    if (record && isSameProcess(record)) {
      await endRecorded(record, name === 'postgres' ? 'SIGINT' : 'SIGTERM', 15_000)
      ended.push(name)
    }
    fs.rmSync(file, { force: true })
  }
  // PostgreSQL's own pid file, in case our record was never written.
  const server = runningServer(postgresDataDir)
  if (server && (await endRecorded(server, 'SIGINT', 15_000))) ended.push('postgres')
  return ended
}
