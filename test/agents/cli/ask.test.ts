import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readAttachedFiles } from '../../../agents/cli/src/ask/attached-files.ts'
import { saveAnswerFile } from '../../../agents/cli/src/ask/save-answer-file.ts'
import { type AskedGoal, waitForGoal } from '../../../agents/cli/src/ask/wait-for-goal.ts'
import { CliError } from '../../../agents/cli/src/cli-error.ts'

const root = mkdtempSync(path.join(os.tmpdir(), 'parley-ask-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = () => mkdtempSync(path.join(root, 'folder-'))

describe('saveAnswerFile', () => {
  const bytes = Buffer.from('new')
  it.each([
    ['report.md', 'report.md'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\run.cmd', 'run.cmd'],
    ['.bashrc', 'bashrc'],
    ['..', 'answer'],
    ['a\u0000b.txt', 'ab.txt'],
  ])('saves %j as %s, inside the folder', async (name, saved) => {
    const folder = newFolder()
    expect(await saveAnswerFile(folder, name, bytes)).toBe(path.join(folder, saved))
    expect(readdirSync(folder)).toEqual([saved])
  })

  it('never replaces a file, and uses one with the same content again', async () => {
    const folder = newFolder()
    writeFileSync(path.join(folder, 'a.md'), 'mine')
    expect(await saveAnswerFile(folder, 'a.md', bytes)).toBe(path.join(folder, 'a-2.md'))
    expect(await saveAnswerFile(folder, 'a.md', bytes)).toBe(path.join(folder, 'a-2.md'))
    expect(readFileSync(path.join(folder, 'a.md'), 'utf8')).toBe('mine')
    expect(readdirSync(folder).sort()).toEqual(['a-2.md', 'a.md'])
  })

  it('writes through no link, and says why a folder cannot be written', async () => {
    const folder = newFolder()
    const outside = path.join(root, 'outside.md')
    symlinkSync(outside, path.join(folder, 'a.md'))
    expect(await saveAnswerFile(folder, 'a.md', bytes)).toBe(path.join(folder, 'a-2.md'))
    expect(existsSync(outside)).toBe(false)
    await expect(saveAnswerFile(path.join(folder, 'a-2.md'), 'b', bytes)).rejects.toThrow(/cannot be saved in .*: EEXIST/)
  })
})

describe('attached files', () => {
  it('are at most eight, have different names, and end', async () => {
    const [one, other] = [newFolder(), newFolder()]
    for (const folder of [one, other]) writeFileSync(path.join(folder, 'a.txt'), 'text')
    await expect(readAttachedFiles([path.join(one, 'a.txt'), path.join(other, 'a.txt')])).rejects.toThrow('Two files have the name a.txt')
    await expect(readAttachedFiles(Array<string>(9).fill('x'))).rejects.toThrow('at most 8 files')
    await expect(readAttachedFiles([one])).rejects.toThrow('cannot be read: EISDIR')
    writeFileSync(path.join(one, 'big.csv'), Buffer.alloc(2_097_153, 'x'))
    await expect(readAttachedFiles([path.join(one, 'big.csv')])).rejects.toThrow('too large. The maximum is 2097152 bytes')
  })

  it.runIf(existsSync('/dev/zero'))('are read no further than they may be long', async () => {
    await expect(readAttachedFiles(['/dev/zero'])).rejects.toThrow('too large')
  })
})

describe('waitForGoal', () => {
  const away = () => new CliError('The market cannot be reached.', { isTemporary: true })
  function waiting(answers: (string | Error)[], options: object = {}) {
    const notes: string[] = []
    const read = async () => {
      const next = answers.shift()
      if (next instanceof Error) throw next
      return { id: 'g', roomId: 'r', state: next, outcome: null } as AskedGoal
    }
    const way = { api: { read } as never, terminal: { note: (line: string) => void notes.push(line) }, lookEveryMs: 0, ...options }
    return { notes, done: waitForGoal('g', ['review'], Date.now() + 60_000, way) }
  }

  it('notes each state once, and lasts while the market is away', async () => {
    const { notes, done } = waiting(['open', 'open', away(), away(), 'underway', 'review'])
    expect((await done).state).toBe('review')
    expect(notes).toEqual(['  open', '  The market cannot be reached. This waits and tries again.', '  underway', '  review'])
  })

  it('does not note a state again that was noted', async () => {
    const { notes, done } = waiting(['open', 'review'], { shown: 'open' })
    await done
    expect(notes).toEqual(['  review'])
  })

  it('ends when the market stays away or refuses', async () => {
    await expect(waiting([away(), away()], { maxAwayMs: 0 }).done).rejects.toThrow('cannot be reached')
    await expect(waiting([new CliError('There is no such goal.')]).done).rejects.toThrow('no such goal')
  })
})
