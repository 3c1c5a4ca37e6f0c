import { describe, expect, it } from 'vitest'
import { listPayouts, reconcile } from '../../server/settlement/index.ts'
import { openChain } from '../demo/chain.ts'
import { postAndFund, signIn, teamApproval } from '../demo/client.ts'
import { startBuiltinAgents } from '../support/builtin-agents.ts'
import { balanceOf, mintTestMoney } from '../support/test-money.ts'
import { startWeb } from '../support/web.ts'
import { createWorld } from '../support/world.ts'

describe('the web', () => {
  it('is killed after the signature, while the team works, and during the settlement: the login holds, and everyone is paid once', async () => {
    await using world = await createWorld()
    await using web = await startWeb(world)
    await using _house = await startBuiltinAgents(world)
    const client = await signIn(web.url, openChain(world.chain.rpcUrl))
    await mintTestMoney(world.chain, client.address, 100_000_000n)
    const posted = await postAndFund(client, {
      text: 'I want to know the annual revenue of Alphabet from 2016 to 2020. Please generate a figure in text format, and a trend analysis report',
      criteria: ['The report covers every year from 2016 to 2020.'],
      budget: 10_000_000n,
      attachments: [],
    } as never)
    const { goalId } = posted
    await web.kill('SIGKILL')
    await world.until('the goal to open without the web', async () => (await world.goal(goalId)).state !== 'funding')
    await web.start()
    await world.until('the team at work', async () => (await world.goal(goalId)).state === 'underway')
    const approve = teamApproval(client, posted)
    await world.until('the approval', async () => {
      const run = await client.api.goals.getPage.query({ goal_id: goalId } as never)
      await approve(run)
      return run.approval?.state === 'approved'
    })
    await web.kill('SIGKILL')
    await web.start()
    await world.until('the delivery', async () => (await world.goal(goalId)).state === 'review')
    await client.api.tasks.accept.mutate({ goal_id: goalId } as never)
    await web.kill('SIGKILL')
    await world.until('the payment', async () => (await world.goal(goalId)).state === 'paid')
    const payouts = await listPayouts(world.system, { goalId })
    expect(payouts.map((payout) => payout.state)).toEqual(payouts.map(() => 'paid'))
    const paid = payouts.reduce((sum, payout) => sum + payout.amount, 0n)
    expect(await balanceOf(world.chain, client.address)).toBe(100_000_000n - paid - (paid * 250n) / 10_000n)
    const books = await reconcile(world.system)
    expect([books.onlyLedger, books.onlyChain, books.differing]).toEqual([[], [], []])
  })
})
