import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')

/** What a process of its own writes when it logs these. */
function logged(level: string, calls: string): { [field: string]: unknown }[] {
  const program = `import { createLog } from './server/log.ts'; const log = createLog('hub', '${level}'); ${calls}`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' })
  return output
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { [field: string]: unknown })
}

describe('createLog', () => {
  it('writes one JSON line each, with who writes', () => {
    expect(logged('info', `log.info({ port: 4000 }, 'the hub listens')`)).toEqual([
      expect.objectContaining({ level: 30, name: 'hub', port: 4000, msg: 'the hub listens' }),
    ])
  })

  it('writes nothing below its level', () => {
    expect(logged('warn', `log.info('quiet'); log.debug('quieter'); log.warn('loud')`).map((line) => line.msg)).toEqual(['loud'])
    expect(logged('silent', `log.fatal('nothing')`)).toEqual([])
  })

  it('writes no secret under any of the names that hold one, on top or inside', () => {
    const names = ['token', 'signature', 'authorization', 'cookie', 'privateKey']
    const secrets = `{ ${names.map((name) => `${name}: 'open-sesame'`).join(', ')} }`
    const [line] = logged('info', `const held = ${secrets}; log.info({ ...held, request: held, kept: 'yes' }, 'came in')`)
    expect(JSON.stringify(line)).not.toContain('open-sesame')
    expect(line).toMatchObject({ kept: 'yes', token: '[secret]', request: { cookie: '[secret]' } })
  })
})
