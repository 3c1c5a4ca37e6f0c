import { describe, expect, it } from 'vitest'
import { readQuickstarts } from '../../../../server/trpc/views/read-quickstarts.ts'

describe('readQuickstarts', () => {
  it('shows the example programs that the repository has, as they are, and reading their address and token from outside', async () => {
    const found = await readQuickstarts()
    expect(found.map((one) => one.language)).toEqual(['TypeScript', 'Python', 'curl'])
    for (const { code, file } of found) for (const name of ['PARLEY_URL', 'PARLEY_TOKEN']) expect(code, file).toContain(name)
  })
})
