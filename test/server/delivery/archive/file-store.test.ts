import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createArchiveFileStore } from '../../../../server/delivery/archive/file-store.ts'
import type { ArchivedRow } from '../../../../server/ports.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rows = (count: number): ArchivedRow[] =>
  Array.from({ length: count }, (_, index) => ({
    roomId: 'rom_1',
    seq: index + 1,
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    senderId: 'did:key:z6Mk',
    type: 'discussion',
    state: 'discussion',
    taskId: null,
    body: `word ${index} `.repeat(20),
    bodyHash: 'h',
    hash: 'h',
    receivedAt: '2026-01-01T00:00:00.000Z',
  }))
async function* lots(of: readonly ArchivedRow[]) {
  yield of
}
async function readAll(files: ReturnType<typeof createArchiveFileStore>, file: { name: string; sha256: string }): Promise<number> {
  let read = 0
  for await (const lot of files.all(file)) read += lot.length
  return read
}

describe('a file of messages', () => {
  it('is taken for whole at no length but its own', async () => {
    const filed = await createArchiveFileStore(folder).write('message_2026_01', lots(rows(600)))
    const [name = ''] = readdirSync(folder)
    const bytes = readFileSync(path.join(folder, name))
    expect(bytes.length).toBe(filed.bytes)
    const step = Math.max(1, Math.floor(bytes.length / 150))
    const cuts = [...Array.from({ length: 150 }, (_, index) => index * step), bytes.length - 1, bytes.length - 12, bytes.length - 13]
    const files = () => createArchiveFileStore(folder)
    for (const cut of cuts) {
      writeFileSync(path.join(folder, name), bytes.subarray(0, cut))
      await expect(readAll(files(), filed), `${cut} of ${bytes.length} bytes`).rejects.toThrow()
      await expect(files().read(filed, { roomId: 'rom_1', after: 0, limit: 10 }), `${cut} bytes`).rejects.toThrow()
      // As long as the whole, but for what never reached the disk.
      writeFileSync(path.join(folder, name), Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(bytes.length - cut)]))
      await expect(readAll(files(), filed), `${cut} bytes and zeros`).rejects.toThrow()
    }
    writeFileSync(path.join(folder, name), bytes)
    expect(await readAll(files(), filed)).toBe(600)
    rmSync(path.join(folder, name))
  })

  it('that was left half written is removed once it is a day old, and not while a process may be writing it', async () => {
    const [old, young] = ['message_2026_01.old.part', 'message_2026_01.young.part'].map((name) => path.join(folder, name)) as [
      string,
      string,
    ]
    for (const half of [old, young]) writeFileSync(half, 'half')
    const before = new Date(Date.now() - 90_000_000)
    utimesSync(old, before, before)
    const filed = await createArchiveFileStore(folder).write('message_2026_02', lots(rows(3)))
    expect(readdirSync(folder).sort()).toEqual(['message_2026_01.young.part', `message_2026_02-${filed.sha256.slice(0, 16)}.jsonl.zst`])
  })
})
