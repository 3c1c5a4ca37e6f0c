import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'
import { buildWheel } from '../../../../server/embedded/packages/build-wheel.ts'
import { readPyproject } from '../../../../server/embedded/packages/read-pyproject.ts'

const source = path.join(import.meta.dirname, '../../../../agents/python')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-wheel-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const wheel = buildWheel(source, path.join(folder, 'out'))
const file = path.join(folder, 'out', wheel.file)
const bytes = fs.readFileSync(file)
const entries = unzipSync(bytes)
const textOf = (name: string) => strFromU8(entries[name] ?? new Uint8Array())
const info = 'parley_agents-0.1.0.dist-info'
const hasVenv = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0

describe('buildWheel', () => {
  it('names the file as PEP 427 does, and states its hash and size', () => {
    expect(wheel).toEqual({
      name: 'parley-agents',
      version: '0.1.0',
      file: 'parley_agents-0.1.0-py3-none-any.whl',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
    })
    expect(fs.readdirSync(path.join(folder, 'out'))).toEqual([wheel.file])
  })

  it('contains every module and the marker of types, and no test and no cache', () => {
    const modules = fs.readdirSync(path.join(source, 'parley_agents')).filter((name) => /\.py$|^py\.typed$/.test(name))
    const meta = ['LICENSE', 'METADATA', 'WHEEL', 'RECORD'].map((name) => `${info}/${name}`)
    expect(modules).toContain('agent.py')
    expect(Object.keys(entries).sort()).toEqual([...modules.map((name) => `parley_agents/${name}`), ...meta].sort())
  })

  it('records every file with its hash and size, the record itself with neither', () => {
    const lines = textOf(`${info}/RECORD`).trim().split('\n')
    expect(lines.length).toBe(Object.keys(entries).length)
    for (const line of lines) {
      const [name = '', hash = '', size = ''] = line.split(',')
      const content = entries[name]
      if (name === `${info}/RECORD`) expect([hash, size]).toEqual(['', ''])
      else {
        expect(hash).toBe(
          `sha256=${createHash('sha256')
            .update(content ?? '')
            .digest('base64url')}`,
        )
        expect(Number(size)).toBe(content?.length)
      }
    }
  })

  it('states the metadata of the project, with the README as its description', () => {
    const metadata = textOf(`${info}/METADATA`)
    const [head = ''] = metadata.split('\n\n')
    for (const line of ['Name: parley-agents', 'Version: 0.1.0', 'Requires-Python: >=3.10', 'License: Apache-2.0'])
      expect(head.split('\n')).toContain(line)
    expect(head.match(/^Requires-Dist: .*$/gm)).toEqual(['Requires-Dist: cryptography>=38', 'Requires-Dist: websockets>=10.4'])
    expect(metadata.endsWith(fs.readFileSync(path.join(source, 'README.md'), 'utf8'))).toBe(true)
    expect(textOf(`${info}/WHEEL`)).toContain('Tag: py3-none-any')
    expect(textOf('parley_agents/__init__.py')).toContain('__version__ = "0.1.0"')
  })

  it('gives the same bytes for the same source, whenever it was written', () => {
    const copy = path.join(folder, 'copy')
    fs.cpSync(source, copy, { recursive: true })
    fs.utimesSync(path.join(copy, 'parley_agents/agent.py'), new Date(0), new Date(0))
    fs.writeFileSync(path.join(copy, 'parley_agents/notes.txt'), 'No module.')
    expect(buildWheel(copy, path.join(folder, 'again')).sha256).toBe(wheel.sha256)
    fs.appendFileSync(path.join(copy, 'parley_agents/agent.py'), '\n')
    expect(buildWheel(copy, path.join(folder, 'again')).sha256).not.toBe(wheel.sha256)
  })

  it.skipIf(!hasVenv)('is installed by pip into a new environment without network (skipped without Python and pip)', () => {
    const venv = path.join(folder, 'venv')
    const run = (command: string, ...args: string[]) => {
      const { PYTHONPATH: _, ...env } = process.env
      const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: folder, env })
      expect(status, `${stdout}${stderr}`).toBe(0)
      return stdout
    }
    run('python3', '-m', 'venv', '--system-site-packages', venv)
    const python = path.join(venv, 'bin/python')
    // The packages may be in another environment than the system's, where this one would not find them.
    const has = spawnSync(python, ['-c', 'import websockets, cryptography']).status === 0
    run(python, '-m', 'pip', 'install', '--no-index', ...(has ? [] : ['--no-deps']), file)
    const shown = run(python, '-m', 'pip', 'show', '--files', 'parley-agents')
    expect(shown).toContain('Version: 0.1.0')
    expect(shown).toContain('parley_agents/py.typed')
    const where = run(python, '-c', 'import importlib.util as u; print(u.find_spec("parley_agents").origin)')
    expect(where.trim().startsWith(fs.realpathSync(venv))).toBe(true)
    if (has) expect(run(python, '-c', 'import parley_agents; print(parley_agents.__version__)').trim()).toBe('0.1.0')
  })
})

describe('readPyproject', () => {
  it('reads texts and lists of the table project only', () => {
    const toml = fs.readFileSync(path.join(source, 'pyproject.toml'), 'utf8')
    expect(readPyproject(toml)).toMatchObject({ name: 'parley-agents', dependencies: ['cryptography>=38', 'websockets>=10.4'] })
    expect(readPyproject(toml).classifiers).toContain('Typing :: Typed')
  })

  it.each(['name', 'version', 'dependencies'])('refuses a project without %s', (key) => {
    const toml = fs.readFileSync(path.join(source, 'pyproject.toml'), 'utf8')
    const without = toml.replace(new RegExp(String.raw`^${key} = (\[[^\]]*\]|.*)\n`, 'm'), '')
    expect(() => readPyproject(without)).toThrow(`project.${key}`)
  })
})
