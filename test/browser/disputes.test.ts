import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listPayouts, submitReclaim } from '../../server/settlement/index.ts'
import { expectAccessible, injectWallet, signInWithTestWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import { createFundedGoal, deliverForReview, sealTeamOf } from '../support/goal-fixture.ts'
import { balanceOf } from '../support/test-money.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

let world: TestWorld
let web: WebProcess
let browser: TestBrowser
let operator: TestPerson
beforeAll(async () => {
  world = await createWorld()
  operator = await world.person({ usdc: 0n })
  web = await startWeb(world, { OPERATOR_WALLETS: operator.account.address })
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const [light, dark] = [{ colorScheme: 'light' }, { colorScheme: 'dark' }] as const
const phone = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const

async function openAs(person: TestPerson, path: string, look: typeof light | typeof dark | typeof phone) {
  const { chainId, rpcUrl } = world.chain
  const opened = await browser.open(`${web.url}${path}`, {
    ...look,
    prepare: (page) => injectWallet(page, { account: person.account, rpcUrl, chainId }),
  })
  await signInWithTestWallet(opened.page)
  return opened
}

const disputesOn = (page: Page) => page.locator('section', { has: page.getByRole('heading', { name: 'Disputes', exact: true }) })
/** Signs a proposal to split a step. */
async function propose(page: Page, step: string, percent: string): Promise<void> {
  const panel = disputesOn(page)
  if (!(await panel.getByLabel('Step to split').isVisible())) await panel.getByText('Propose a split').click()
  await panel.getByLabel('Step to split').selectOption({ label: step })
  await panel.getByLabel('To the payee, percent').fill(percent)
  await panel.getByRole('button', { name: 'Sign and propose' }).click()
}
const says = (page: Page, words: RegExp) => page.getByRole('main').getByRole('status').filter({ hasText: words }).first().waitFor()
const stat = (page: Page, name: string) => page.locator('dl > div', { hasText: name }).locator('dd')

describe('a disputed step', () => {
  it('is opened by the client, ruled upon by an operator elsewhere, and divided as ruled', async () => {
    const fixture = await createFundedGoal(world, 'odds-')
    await deliverForReview(fixture)
    const path = `/goals/${fixture.goal.id}`
    const evidence = 'The second text ends in the middle of a sentence.'

    const client = await openAs(fixture.client, path, light)
    const open = client.page.getByRole('button', { name: 'Dispute a step' })
    await open.focus()
    await client.page.keyboard.press('Enter')
    const dialog = client.page.getByRole('dialog', { name: 'Dispute a step?' })
    expect(await dialog.textContent()).toMatch(/An operator can rule until .*Without a ruling or an agreement by then/)
    const sign = dialog.getByRole('button', { name: 'Sign and dispute' })
    expect(await sign.isDisabled()).toBe(true)
    await dialog.getByLabel('Step').selectOption({ label: '2. Step 2' })
    await dialog.getByLabel('Evidence').fill(evidence)
    await expectAccessible(client.page)
    await sign.click()
    await disputesOn(client.page).getByText('Open', { exact: true }).waitFor()
    await disputesOn(client.page).getByText(evidence).waitFor()
    expect(await disputesOn(client.page).textContent()).toContain('The time for a ruling ends')
    await expectAccessible(client.page)

    // The other side reads the evidence and proposes a split; a third party reads only that there is a dispute.
    const publisher = await openAs(fixture.publisher, path, phone)
    await disputesOn(publisher.page).getByText(evidence).waitFor()
    await propose(publisher.page, '2. Step 2', '80')
    await expectAccessible(publisher.page)
    await disputesOn(client.page).getByRole('button', { name: 'Sign and accept 80 % of step 2' }).waitFor()
    const stranger = await browser.open(`${web.url}${path}`)
    await disputesOn(stranger.page).getByText('Only the parties and operators can read the evidence.').waitFor()
    expect(await stranger.page.getByText(evidence).count()).toBe(0)
    expect(await stranger.page.getByText('Proposals to split').count()).toBe(0)

    // The undisputed step need not wait for the ruling, and the disputed one is not the client's to decide any more.
    await client.page.getByText(/ 1\.025\s*USDC stays in the escrow for disputed steps\./).waitFor()
    await client.page.getByText(/^Accepting pays 1\.025\s*USDC in one settlement and refunds 7\.95\s*USDC\./).waitFor()
    await client.page.getByText('Decide on single steps').click()
    expect(await client.page.getByRole('checkbox', { name: /^2\. Step 2/ }).count()).toBe(0)
    await client.page.getByRole('checkbox', { name: /^1\. Step 1/ }).check()
    await client.page.getByRole('button', { name: 'Accept 1' }).click()
    const states = async () => (await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ state }) => state)
    await world.until('the undisputed step to be paid', async () => (await states()).join() === 'paid,disputed')

    const ruling = await openAs(operator, '/admin', dark)
    await ruling.page.getByText(evidence).waitFor()
    await expectAccessible(ruling.page)
    await ruling.page.getByRole('button', { name: 'Rule', exact: true }).click()
    const words = ruling.page.getByRole('dialog', { name: 'Rule on step 2?' })
    await words.getByLabel('To the payee, percent').fill('60')
    expect(await words.getByLabel('To the payee, slider').inputValue()).toBe('60')
    await words.getByText('40 % is refunded to the client.').waitFor()
    await words.getByLabel('Reason').fill('Most of it is there.')
    await expectAccessible(ruling.page)
    await words.getByRole('button', { name: 'Rule: 60 % to the payee' }).click()
    await ruling.page.getByText('No open disputes').waitFor()

    // 1.00 and 0.60 of the second step, with 2.5 % on both.
    await says(client.page, /^Paid: 2 agents received 1\.60 USDC\. The fee was 0\.04 USDC\. 8\.36 USDC was refunded\./)
    await disputesOn(client.page).getByText('The arbitrator ruled: 60 % of the step to the payee').waitFor()
    await disputesOn(client.page).getByText('Most of it is there.').waitFor()
    await client.page.getByRole('tab', { name: 'Table' }).click()
    const row = client.page.getByRole('table', { name: 'Steps of the plan' }).getByRole('row', { name: /Step 2/ })
    expect(await row.textContent()).toMatch(/Paid in part0\.60USDCof 1\.00USDC$/)
    expect(await disputesOn(client.page).getByRole('button').count()).toBe(0)
    await expectAccessible(client.page)
    expect(await states()).toEqual(['paid', 'split'])
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n - 1_640_000n)
    // Its first sign-in on a local chain has brought it test money.
    expect(await balanceOf(world.chain, fixture.publisher.account.address)).toBe(1_000_000_000n + 1_600_000n)

    await disputesOn(publisher.page).getByText('The arbitrator ruled: 60 % of the step to the payee').waitFor()
    await publisher.page.goto(`${web.url}/payouts`)
    await publisher.page.getByRole('heading', { name: 'Earnings' }).waitFor()
    expect(await stat(publisher.page, 'Paid for work').textContent()).toBe('1.60USDC')
    expect(await stat(publisher.page, 'Disputed').textContent()).toBe('0.00USDC')
    await publisher.page.getByRole('table', { name: 'Payouts' }).getByText('Paid in part').waitFor()
    await expectAccessible(publisher.page)
    expect([...client.faults, ...publisher.faults, ...stranger.faults, ...ruling.faults]).toEqual([])
  })
})

describe('a proposal to split', () => {
  it('is carried out once the other side has signed it too, whichever side made it', async () => {
    const fixture = await createFundedGoal(world, 'deal-')
    await deliverForReview(fixture)
    const path = `/goals/${fixture.goal.id}`
    const client = await openAs(fixture.client, path, dark)
    await propose(client.page, '1. Step 1', '70')
    await disputesOn(client.page).getByText('The client proposes to pay the payee 70 % of step 1').waitFor()
    expect(
      await disputesOn(client.page)
        .getByRole('button', { name: /^Sign and accept/ })
        .count(),
    ).toBe(0)

    const publisher = await openAs(fixture.publisher, path, phone)
    await disputesOn(publisher.page).getByRole('button', { name: 'Sign and accept 70 % of step 1' }).click()
    await disputesOn(publisher.page).getByText('Carried out in').waitFor()
    await expectAccessible(publisher.page)
    const payouts = async () =>
      (await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ state, paidAmount }) => `${state} ${paidAmount}`).join()
    expect(await payouts()).toBe('split 700000,sealed null')

    await propose(publisher.page, '2. Step 2', '40')
    await disputesOn(client.page).getByRole('button', { name: 'Sign and accept 40 % of step 2' }).click()
    // 0.70 and 0.40, with 2.5 % on both.
    await says(client.page, /^Paid: 2 agents received 1\.10 USDC\. The fee was 0\.0275 USDC\. 8\.8725 USDC was refunded\./)
    expect(await payouts()).toBe('split 700000,split 400000')
    expect(await disputesOn(client.page).getByRole('button').count()).toBe(0)
    await expectAccessible(client.page)
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n - 1_127_500n)
    expect([...client.faults, ...publisher.faults]).toEqual([])
  })
})

describe('a plan that has expired', () => {
  // The last of this file: it moves the time of the chain and of the web.
  it('has what is left sent back by anyone who asks', async () => {
    const fixture = await createFundedGoal(world, 'late-')
    await sealTeamOf(fixture)
    const days = 3
    // Not the hub's, which would send it back automatically.
    await web.advance(days * 86_400_000)
    await world.chain.warp(days * 86_400)
    const { chainId, rpcUrl } = world.chain
    const visitor = await world.person({ usdc: 0n })
    const { page, faults } = await browser.open(`${web.url}/goals/${fixture.goal.id}`, {
      ...dark,
      prepare: async (opened) => {
        await opened.clock.install({ time: Date.now() + days * 86_400_000 })
        await injectWallet(opened, { account: visitor.account, rpcUrl, chainId })
      },
    })
    await disputesOn(page).getByText('The plan has expired.').waitFor()
    expect(await disputesOn(page).getByRole('button').count()).toBe(0)
    await signInWithTestWallet(page)
    await disputesOn(page).getByRole('button', { name: 'Refund the rest' }).click()
    await disputesOn(page).getByText('The remaining money is on its way.').waitFor()
    await expectAccessible(page)
    // The hub's own clock is behind, so that the job is not due there.
    await submitReclaim(world.system, fixture.goal.id)
    await says(page, /^Ended without payment: 10\.00 USDC was refunded/)
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n)
    expect(faults).toEqual([])
  })
})
