import { expect, it, vi } from 'vitest'
import { createQueryClient } from '../../../app/_trpc/query-client.ts'

it('asks once while a page is being rendered, whose reader waits', async () => {
  const ask = vi.fn(() => Promise.reject(new Error('There is no such goal.')))
  await expect(createQueryClient().fetchQuery({ queryKey: ['goal'], queryFn: ask })).rejects.toThrow('no such goal')
  expect(ask).toHaveBeenCalledOnce()
})
