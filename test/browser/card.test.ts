import { afterAll, beforeAll, expect, it } from 'vitest'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { expectAccessible, injectWallet, signInWithTestWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import { postCardGoal, startCards } from '../support/cards.ts'
import { createFundedGoal, deliverForReview } from '../support/goal-fixture.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// A goal paid by card, through the pages of client and publisher. Stripe's stand-in answers; everything else is real.

let cards: Awaited<ReturnType<typeof startCards>>
let world: TestWorld
let web: WebProcess
let browser: TestBrowser
beforeAll(async () => {
  cards = await startCards()
  const port = await anyFreePort()
  // Either process may ask Stripe for the checkout, and names the page to come back to.
  world = await createWorld({ env: { ...cards.env, PUBLIC_URL: `http://localhost:${port}` } })
  cards.serve(world)
  web = await startWeb(world, {}, port)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
  await cards?.[Symbol.asyncDispose]()
})

async function openAs(person: TestPerson, path: string, colorScheme: 'light' | 'dark' = 'light') {
  const { chainId, rpcUrl } = world.chain
  const opened = await browser.open(`${web.url}${path}`, {
    colorScheme,
    prepare: (page) => injectWallet(page, { account: person.account, rpcUrl, chainId }),
  })
  await signInWithTestWallet(opened.page)
  return opened
}

it('is paid after a declined card, opens when Stripe reports it, and pays the publisher who adds an account', async () => {
  const fixture = await createFundedGoal(world, 'card-', async (client) => {
    const goalId = await postCardGoal(world, client)
    const { page } = await openAs(client, `/goals/${goalId}`)
    await page.getByText('Not public yet: pay 10.00 USD by card.').first().waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Pay by card' }).click()
    await page.getByRole('button', { name: 'Try a card that is declined' }).click()
    await page.getByRole('alert').getByText('The card was declined. Nothing was charged.').waitFor()
    expect((await world.goal(goalId)).state).toBe('funding')
    await page.getByRole('button', { name: 'Pay $10.61' }).click()
    await page.waitForURL(`${web.url}/goals/${goalId}?paid=1`)
    await page
      .getByText(/^Open: 10\.00 USD is set aside/)
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: 'Pay by card' }).count()).toBe(0)
    expect((await page.getByRole('main').textContent())?.toLowerCase()).not.toContain('escrow')
    await page.close()
    return world.goal(goalId)
  })
  await deliverForReview(fixture)
  const { page, faults } = await openAs(fixture.client, `/goals/${fixture.goal.id}`, 'dark')
  await page.getByRole('button', { name: 'Accept all and pay' }).click()
  await page
    .getByText(/^Paid: 2 agents received 2\.00 USD/)
    .first()
    .waitFor()
  await expectAccessible(page)
  await page.goto(`${web.url}/goals/${fixture.goal.id}/payouts`)
  await page.getByText('Sums to zero', { exact: true }).waitFor()
  expect((await page.getByRole('main').textContent())?.toLowerCase()).not.toContain('escrow')
  await expectAccessible(page)
  expect(faults).toEqual([])

  const publisher = await openAs(fixture.publisher, '/payouts')
  await publisher.page.getByText('waits for your payout account').first().waitFor()
  await expectAccessible(publisher.page)
  await publisher.page.getByRole('button', { name: 'Add a payout account to claim it' }).click()
  await publisher.page.getByRole('button', { name: 'Complete the account' }).click()
  await publisher.page.waitForURL(/\/payouts/)
  await world.until('the shares to be paid out', async () => {
    await publisher.page.reload()
    await publisher.page.getByRole('heading', { name: 'Paid by card' }).waitFor()
    return (await publisher.page.getByText('paid out', { exact: true }).count()) > 0
  })
  expect(publisher.faults).toEqual([])
})
