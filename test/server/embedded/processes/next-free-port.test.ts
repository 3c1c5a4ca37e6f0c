import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anyFreePort, isPortFree, nextFreePort } from '../../../../server/embedded/processes/next-free-port.ts'

async function occupy(port: number, host = '127.0.0.1'): Promise<void> {
  const server = net.createServer()
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done))
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
}

describe('ports', () => {
  it('distinguishes a used port from a free one', async () => {
    const port = await anyFreePort()
    expect(await isPortFree(port)).toBe(true)
    await occupy(port)
    expect(await isPortFree(port)).toBe(false)
  })

  it('counts a port as taken that another holds on all addresses', async () => {
    const port = await anyFreePort()
    await occupy(port, '0.0.0.0')
    expect(await isPortFree(port)).toBe(false)
  })

  it('gives no two processes that start at once the same port, though neither listens yet', async () => {
    const from = await anyFreePort()
    const ports = new URL('../../../../server/embedded/processes/next-free-port.ts', import.meta.url).href
    const script = `const { nextFreePort } = await import(${JSON.stringify(ports)}); console.log(await nextFreePort(${from})); process.stdin.resume()`
    const starting = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    onTestFinished(() => {
      for (const child of starting) child.kill('SIGKILL')
    })
    const picked = await Promise.all(starting.map(async (child) => Number(String((await once(child.stdout, 'data'))[0]))))
    expect(new Set(picked).size).toBe(6)
    // Whose process has ended holds nothing.
    const ended = starting.map((child) => once(child, 'exit'))
    for (const child of starting) child.kill('SIGKILL')
    await Promise.all(ended)
    expect(picked).toContain(await nextFreePort(Math.min(...picked)))
  })

  it('continues to the next free port, and takes the wanted one when it is free', async () => {
    const port = await anyFreePort()
    expect(await nextFreePort(port)).toBe(port)
    await occupy(port)
    expect(await nextFreePort(port)).toBeGreaterThan(port)
  })
})
