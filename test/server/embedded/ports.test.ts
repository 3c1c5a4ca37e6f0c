import net from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anyFreePort, isPortFree, nextFreePort } from '../../../server/embedded/ports.ts'

async function occupy(port: number, host = '127.0.0.1'): Promise<void> {
  const server = net.createServer()
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done))
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
}

describe('ports', () => {
  it('tells a taken port from a free one', async () => {
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

  it('goes on to the next free port, and takes the wanted one when it is free', async () => {
    const port = await anyFreePort()
    expect(await nextFreePort(port)).toBe(port)
    await occupy(port)
    expect(await nextFreePort(port)).toBeGreaterThan(port)
  })
})
