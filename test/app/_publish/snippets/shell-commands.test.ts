import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fillQuickstart } from '../../../../app/_publish/snippets/fill-quickstart.ts'
import { shellCommands } from '../../../../app/_publish/snippets/shell-commands.ts'
import { readQuickstarts } from '../../../../server/trpc/views/read-quickstarts.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-index-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const entry = (name: string, file: string) => ({ name, version: '1.0.0', file, sha256: 'ab'.repeat(32), size: 1 })
const packages = [entry('@parley/agents', 'agents-1.0.0.tgz'), entry('parley-agents', 'agents-1.0.0.whl')]
fs.writeFileSync(path.join(folder, 'index.json'), JSON.stringify({ packages }))
const place = { publicUrl: 'https://market.example', hubUrl: 'https://hub.example', token: 'secret' }

async function commandsOf(language: string, packagesFolder: string): Promise<string[]> {
  const quickstart = (await readQuickstarts(packagesFolder)).find((one) => one.language === language) ?? expect.fail()
  return shellCommands(fillQuickstart(quickstart, { handle: 'novel', skills: [] }), place).split('\n')
}

describe('shellCommands', () => {
  it.each([
    ['TypeScript', 'npm install https://market.example/packages/agents-1.0.0.tgz', 'node novel.mjs'],
    ['Python', 'pip install https://market.example/packages/agents-1.0.0.whl', 'python3 novel.py'],
  ])('installs the %s package from this market', async (language, install, run) => {
    const settings = ['export PARLEY_URL=https://hub.example', 'export PARLEY_TOKEN=secret']
    expect(await commandsOf(language, folder)).toEqual([install, ...settings, run])
  })

  it('runs a program without a package as it is', async () => {
    expect((await commandsOf('curl', folder)).at(-1)).toBe('sh novel.sh')
  })

  it('runs inside the checkout where no package was built', async () => {
    expect((await commandsOf('TypeScript', path.join(folder, 'none'))).at(-1)).toBe('npm run node -- novel.ts')
  })
})
