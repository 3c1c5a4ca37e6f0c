import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  describeProcess,
  endRecorded,
  forgetRecord,
  identityOf,
  isSameProcess,
  readRecord,
  writeRecord,
} from '../../../../server/embedded/processes/process-records.ts'

function start(script = 'setInterval(() => {}, 1000)') {
  const child = spawn(process.execPath, ['-e', `${script}; process.stdout.write("up")`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const pid = child.pid ?? 0
  onTestFinished(() => void child.kill('SIGKILL'))
  const up = new Promise((done) => child.stdout.once('data', done))
  const ended = new Promise<NodeJS.Signals | null>((done) => child.once('exit', (_code, signal) => done(signal)))
  return { pid, up, ended }
}

describe('identityOf', () => {
  it('is the same each time for one process, and another for another', async () => {
    const [one, other] = [start(), start()]
    await Promise.all([one.up, other.up])
    expect(identityOf(one.pid)).toBe(identityOf(one.pid))
    expect(identityOf(one.pid)).not.toBeNull()
    expect(identityOf(process.pid)).not.toBe(identityOf(one.pid))
  })

  it('is null for a process that has ended', async () => {
    const { pid, up, ended } = start()
    await up
    process.kill(pid, 'SIGKILL')
    await ended
    expect(identityOf(pid)).toBeNull()
  })
})

describe('endRecorded', () => {
  it('leaves a stranger alone that was given the recorded id', async () => {
    const { pid, up } = start()
    await up
    expect(await endRecorded({ name: 'hub', pid, identity: 'another boot/1' })).toBe(false)
    expect(await endRecorded({ name: 'hub', pid, identity: '' })).toBe(false)
    expect(identityOf(pid)).not.toBeNull()
  })

  it('ends the recorded process politely', async () => {
    const { pid, up, ended } = start()
    await up
    expect(await endRecorded(describeProcess('hub', pid))).toBe(true)
    expect(await ended).toBe('SIGTERM')
  })

  it('ends one by force that does not listen', async () => {
    const { pid, up, ended } = start('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)')
    await up
    await endRecorded(describeProcess('hub', pid), 'SIGTERM', 100)
    expect(await ended).toBe('SIGKILL')
  })
})

describe('records', () => {
  it('come back as they were written, and are gone when forgotten', () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'))
    onTestFinished(() => fs.rmSync(dir, { recursive: true }))
    const written = writeRecord(dir, 'hub', process.pid)
    expect(readRecord(path.join(dir, 'hub.json'))).toEqual(written)
    expect(isSameProcess(written)).toBe(true)
    forgetRecord(dir, 'hub')
    expect(readRecord(path.join(dir, 'hub.json'))).toBeNull()
  })

  it('are nothing where the file was cut off', () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'))
    onTestFinished(() => fs.rmSync(dir, { recursive: true }))
    for (const text of ['', '{"pid":', 'null', '{"pid":"1","identity":"x","name":"hub"}']) {
      fs.writeFileSync(path.join(dir, 'hub.json'), text)
      expect(readRecord(path.join(dir, 'hub.json'))).toBeNull()
    }
  })
})
