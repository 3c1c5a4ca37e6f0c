import type { Charter } from '@parley/protocol'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listPayouts } from '../../server/settlement/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import { expectAccessible, injectWallet, signInWithTestWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import {
  createFundedGoal,
  deliverForReview,
  doStep,
  type GoalFixture,
  publishTestAgent,
  sealTeamOf,
  stepPrice,
} from '../support/goal-fixture.ts'
import { balanceOf } from '../support/test-money.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

let world: TestWorld
let web: WebProcess
let browser: TestBrowser
beforeAll(async () => {
  world = await createWorld()
  web = await startWeb(world)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

/** What each client has before its goal. */
const mint = 1_000_000_000n
/** What so many steps cost, with the fee. */
const withFee = (steps: bigint) => steps * stepPrice + (steps * stepPrice * 250n) / 10_000n

async function openAs(person: TestPerson, url: string, colorScheme: 'light' | 'dark' = 'light') {
  const { chainId, rpcUrl } = world.chain
  const opened = await browser.open(url, {
    colorScheme,
    prepare: (page) => injectWallet(page, { account: person.account, rpcUrl, chainId }),
  })
  await signInWithTestWallet(opened.page)
  return opened
}

const says = (page: Page, words: RegExp) => page.getByRole('main').getByRole('status').filter({ hasText: words }).first().waitFor()
const held = (fixture: GoalFixture) => balanceOf(world.chain, fixture.client.account.address)

describe('the client of a delivered goal', () => {
  it('requests changes with a reason, sees the team at work, and reviews what it delivers again', async () => {
    const open = (client: TestPerson) =>
      world.postFundedGoal(client, {
        text: 'Write two short texts, please.',
        criteria: ['At least 2 words', 'It reads well.'],
        deadlineMs: 86_400_000,
        more: { revision_rounds: 1 },
      })
    const fixture = await createFundedGoal(world, 'change-', open)
    await deliverForReview(fixture)
    const { page, faults } = await openAs(fixture.client, `${web.url}/goals/${fixture.goal.id}`)
    await says(page, /^Delivered/)
    await page.getByText('There is an answer.').waitFor()
    await page.getByText('The answer has 4 words; at least 2 are asked.').waitFor()
    await page.getByText('1 is yours to check').waitFor()
    await page.getByText('1 round of changes is left. It costs nothing.').waitFor()
    await page.getByRole('button', { name: 'Request changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Request changes?' })
    const send = dialog.getByRole('button', { name: 'Request changes' })
    expect(await send.isDisabled()).toBe(true)
    await dialog.getByLabel('What should change').fill('Make both longer.')
    await expectAccessible(page)
    await send.click()
    await dialog.waitFor({ state: 'detached' })
    await says(page, /^Changes requested/)
    await page.getByRole('log').getByText('The client requests changes (round 1 of 1): Make both longer.').waitFor()
    await page.getByRole('button', { name: 'Pause new work' }).click()
    await page.getByText('The client has paused this goal. No new step begins.').waitFor()
    await page.getByRole('button', { name: 'Resume work' }).click()
    await page.getByRole('button', { name: 'Pause new work' }).waitFor()
    await doStep(fixture, 1, fixture.first)
    await doStep(fixture, 2, fixture.second)
    await fixture.lead.send({
      type: 'goal.conclude',
      goal_id: fixture.goal.id,
      outcome: 'delivered',
      parts: [{ text: 'Both are longer now.' }],
    })
    await says(page, /^Delivered/)
    await page.getByText('No round of changes is left.').waitFor()
    expect(await page.getByRole('button', { name: 'Request changes' }).isDisabled()).toBe(true)
    expect(faults).toEqual([])
  })

  it('returns a step with a reason, which is then not paid, and accepts the other', async () => {
    const fixture = await createFundedGoal(world, 'return-')
    await deliverForReview(fixture)
    const { page, faults } = await openAs(fixture.client, `${web.url}/goals/${fixture.goal.id}`)
    await says(page, /^Delivered/)
    await page.getByText('Decide on single steps').click()
    await page.getByRole('checkbox', { name: /^2\. Step 2/ }).check()
    await page.getByRole('button', { name: 'Return 1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Return a step?' })
    expect(await dialog.getByRole('button', { name: 'Return' }).isDisabled()).toBe(true)
    expect(await dialog.textContent()).toContain('No agent is paid for it')
    await dialog.getByLabel('What is wrong').fill('It is far too long.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Return' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('log').getByText('The client returns a step: It is far too long.').waitFor()
    await page.getByRole('checkbox', { name: /^2\. Step 2/ }).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Table' }).click()
    await page.getByRole('table', { name: 'Steps of the plan' }).getByText('Returned').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Accept all and pay' }).click()
    await says(
      page,
      /^Settling: the accepted steps are paid\. The rest stays in the escrow for another \d+ min, so that the returned steps can be disputed\./,
    )
    expect(await held(fixture)).toBe(mint - fixture.goal.budget)
    await expectAccessible(page)
    world.clock.advance(3_601_000)
    await says(page, /^Paid: 1 agent received 1\.00 USDC\. The fee was 0\.025 USDC\. 8\.975 USDC was refunded\./)
    await expectAccessible(page)
    expect(faults).toEqual([])
    expect(await held(fixture)).toBe(mint - withFee(1n))
    // The web's clock stayed: what it does for other goals would be an hour late to the hub.
    world.clock.advance(-3_601_000)
  })

  it('accepts step by step, and no one is paid before the last', async () => {
    const fixture = await createFundedGoal(world, 'accept-')
    await deliverForReview(fixture)
    const before = await held(fixture)
    const { page, faults } = await openAs(fixture.client, `${web.url}/goals/${fixture.goal.id}`, 'dark')
    await page.getByText('Decide on single steps').click()
    await page.getByRole('checkbox', { name: /^1\. Step 1/ }).check()
    await page.getByRole('button', { name: 'Accept 1' }).click()
    await page.getByRole('checkbox', { name: /^1\. Step 1/ }).waitFor({ state: 'detached' })
    await page.getByText('Accepted', { exact: true }).first().waitFor()
    expect(await held(fixture)).toBe(before)
    await says(page, /^Delivered/)
    await expectAccessible(page)
    await page.getByRole('checkbox', { name: /^2\. Step 2/ }).check()
    await page.getByRole('button', { name: 'Accept 1' }).click()
    await says(page, /^Paid: 2 agents received 2\.00 USDC/)
    await expectAccessible(page)
    expect(faults).toEqual([])
    expect(await held(fixture)).toBe(mint - withFee(2n))
  })
})

describe('stopping a goal', () => {
  it('pays what is finished, sends the rest back, and reports both to the unit before', async () => {
    const fixture = await createFundedGoal(world, 'stop-')
    await sealTeamOf(fixture)
    await doStep(fixture, 1, fixture.first)
    const { page, faults } = await openAs(fixture.client, `${web.url}/goals/${fixture.goal.id}`, 'dark')
    await says(page, /^1 of 2 steps done/)
    await page.getByRole('button', { name: 'Stop and refund' }).click()
    const dialog = page.getByRole('dialog', { name: 'Stop this goal?' })
    expect(await dialog.textContent()).toMatch(/including the fee1\.025USDC.*Refunded to you8\.975USDC/)
    await dialog.getByLabel('Reason').fill('The exhibition is off.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Stop and refund' }).click()
    await says(page, /^Paid: 1 agent received 1\.00 USDC\. The fee was 0\.025 USDC\. 8\.975 USDC was refunded\./)
    await page.getByRole('log').getByText('The exhibition is off.').waitFor()
    expect(await page.getByRole('button', { name: 'Stop and refund' }).count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Money', exact: true }).click()
    await page.getByText('Sums to zero', { exact: true }).waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    expect(await held(fixture)).toBe(mint - withFee(1n))
    const payouts = await listPayouts(world.system, { goalId: fixture.goal.id })
    expect(payouts.map(({ step, state }) => [step, state])).toEqual([
      [1, 'paid'],
      [2, 'refunded'],
    ])
  })

  it('in review pays what it has not returned, and shows by the transition table what may happen in the room', async () => {
    const fixture = await createFundedGoal(world, 'enough-')
    const [, second] = await deliverForReview(fixture)
    await fixture.client.send({ type: 'task.return', goal_id: fixture.goal.id, task_ids: [second], reason: 'It is blank.' })
    const { page, faults } = await openAs(fixture.client, `${web.url}/goals/${fixture.goal.id}`)
    const room = page.locator('section', { has: page.getByRole('heading', { name: 'Room', exact: true }) })
    await room.getByText('Talking', { exact: true }).waitFor()
    await room.getByText('What can happen next').click()
    expect(await room.textContent()).toContain('pause by lead, holder of the turn')
    await page.getByRole('button', { name: 'End the review and pay' }).click()
    const dialog = page.getByRole('dialog', { name: 'End the review and pay?' })
    expect(await dialog.textContent()).toMatch(/To refuse work, return it first.*including the fee1\.025USDC.*Refunded to you8\.975USDC/)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'End the review and pay' }).click()
    await says(page, /^Settling: the accepted steps are paid\. The rest stays in the escrow/)
    await room.getByText('Closed', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'End the review and pay' }).count()).toBe(0)
    await expectAccessible(page)
    expect(faults).toEqual([])
    expect(await held(fixture)).toBe(mint - fixture.goal.budget)
  })

  it('before any work is done sends all of it back', async () => {
    const fixture = await createFundedGoal(world, 'early-')
    const { page } = await openAs(fixture.client, `${web.url}/goals/${fixture.goal.id}`)
    await page.getByRole('button', { name: 'Stop and refund' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop and refund' }).click()
    await says(page, /^Ended without payment: 10\.00 USDC was refunded/)
    await expectAccessible(page)
    expect(await held(fixture)).toBe(mint)
  })
})

describe('the payouts page', () => {
  it('shows a publisher what its agents earn and a client what it has spent, and gives each its ledger', async () => {
    const fixture = await createFundedGoal(world, 'earn-')
    await deliverForReview(fixture)
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')

    const publisher = await openAs(fixture.publisher, `${web.url}/payouts`)
    const stat = (page: Page, name: string) => page.locator('dl > div', { hasText: name }).locator('dd')
    await publisher.page.getByRole('table', { name: 'Payouts' }).waitFor()
    expect(await stat(publisher.page, 'Paid for work').textContent()).toBe('2.00USDC')
    expect(
      await publisher.page
        .getByRole('table', { name: 'Payouts' })
        .getByRole('link', { name: /^Receipt of step/ })
        .count(),
    ).toBe(2)
    await expectAccessible(publisher.page)
    const csv = await (await publisher.page.request.get(`${web.url}/payouts/ledger.csv`)).text()
    expect(csv).toContain(fixture.publisher.account.address.toLowerCase())
    expect(csv).not.toContain('8.975')

    const client = await openAs(fixture.client, `${web.url}/payouts`, 'dark')
    await client.page.getByRole('table', { name: 'Ledger' }).waitFor()
    expect(await stat(client.page, 'You have paid').textContent()).toBe('2.05USDC')
    await client.page.getByText('No payouts to your agents yet').waitFor()
    await expectAccessible(client.page)
    const stranger = await browser.open(`${web.url}/payouts`)
    await stranger.page.getByText('Only your wallet can see your payouts.').waitFor()
    expect((await stranger.page.request.get(`${web.url}/payouts/ledger.csv`)).status()).toBe(401)
    expect([...publisher.faults, ...client.faults, ...stranger.faults]).toEqual([])
  })
})

describe('a royalty', () => {
  it('waits in the escrow, and is sent to any address that its holder signs for', async () => {
    const holder = await world.person({ usdc: 0n })
    const upstream = await publishTestAgent(world, holder, 'royalty-upstream', 'text.upstream')
    const fixture = await createFundedGoal(world, 'royalty-', undefined, [{ agent_id: upstream.agentId, bps: 2_500 }])
    const [first, second] = fixture.charter().steps
    const owed = { ...second, royalties: [{ agent_id: upstream.agentId, to: upstream.payee, bps: 2_500 }] }
    await deliverForReview({ ...fixture, charter: (changes) => fixture.charter({ steps: [first, owed] as never, ...changes }) })
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')

    const elsewhere = (await world.person({ usdc: 0n })).account.address
    const { page, faults } = await openAs(holder, `${web.url}/payouts`, 'dark')
    await page.getByText(/^You can withdraw 0\.25\s*USDC from the escrow\./).waitFor()
    const to = page.getByLabel('Recipient address')
    expect(await to.inputValue()).toBe(holder.account.address.toLowerCase())
    await to.fill('0x12')
    await page.getByText('Enter an address: 0x and 40 digits or letters from a to f.').waitFor()
    expect(await page.getByRole('button', { name: 'Withdraw credit' }).isDisabled()).toBe(true)
    await to.fill(elsewhere)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Withdraw credit' }).click()
    await page.getByRole('heading', { name: 'Withdrawn' }).waitFor()
    expect(await page.getByRole('button', { name: 'Withdraw credit' }).count()).toBe(0)
    expect(await balanceOf(world.chain, elsewhere)).toBe(250_000n)
    await expectAccessible(page)
    expect(faults).toEqual([])
  })
})

describe('the page of operators', () => {
  it('compares ledger and chain for an operator, and refuses everyone else, on the page and below it', async () => {
    const [operator, other] = [await world.person({ usdc: 0n }), await world.person({ usdc: 0n })]
    // Where operators are named, only they may look.
    await using strict = await startWeb(world, { OPERATOR_WALLETS: operator.account.address })
    const open = (person: TestPerson) =>
      browser.open(`${strict.url}/admin`, {
        prepare: (page) => injectWallet(page, { account: person.account, rpcUrl: world.chain.rpcUrl, chainId: world.chain.chainId }),
      })
    const refused = await open(other)
    await signInWithTestWallet(refused.page)
    await refused.page.getByText('This page is for operators.').waitFor()
    expect(await refused.page.getByText('Matching transfers').count()).toBe(0)
    expect((await refused.page.request.get(`${strict.url}/api/trpc/settlement.reconcile`)).status()).toBe(403)
    await expectAccessible(refused.page)

    const allowed = await open(operator)
    await signInWithTestWallet(allowed.page)
    await allowed.page.getByRole('term').filter({ hasText: 'Matching transfers' }).waitFor()
    await expectAccessible(allowed.page)

    const local = await openAs(other, `${web.url}/admin`, 'dark')
    await local.page.getByText('Ledger and chain match exactly.').waitFor()
    await local.page.getByRole('button', { name: 'Check again' }).click()
    await expectAccessible(local.page)
    expect([...refused.faults.filter((fault) => !fault.includes('403')), ...allowed.faults, ...local.faults]).toEqual([])
  })
})

describe('the client of a copilot goal', () => {
  it('refuses a charter with a reason, confirms the next with a step, and each other step when it is ready', async () => {
    const open = (client: TestPerson) => world.postFundedGoal(client, { text: 'Write two short texts, please.', planner: 'copilot' })
    const fixture = await createFundedGoal(world, 'copilot-', open)
    const submit = (charter: Charter) =>
      fixture.lead.send<{ charter_hash: string }>({
        type: 'charter.submit',
        goal_id: fixture.goal.id,
        charter,
        reason: 'Two texts, one after the other.',
      })
    const first = fixture.charter()
    await submit(first)
    const { page, faults } = await openAs(fixture.client, `${web.url}/goals/${fixture.goal.id}`)
    await says(page, /^The planner has a charter for you/)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Refuse' }).click()
    const dialog = page.getByRole('dialog', { name: 'Refuse this charter?' })
    expect(await dialog.getByRole('button', { name: 'Refuse' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Reason').fill('Name the texts.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('The charter was refused: “Name the texts.”').waitFor()
    const charter = { ...first, steps: first.steps.map((step) => ({ ...step, title: `Text ${step.step}` })) }
    const { charter_hash } = await submit(charter)
    await page.getByRole('checkbox', { name: /^1\. Text 1/ }).check()
    await page.getByRole('button', { name: 'Confirm the charter and one step' }).click()
    await page.getByText('Each other step needs its own confirmation').waitFor()
    await fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter })
    for (const member of [fixture.first, fixture.second]) await member.send({ type: 'team.accept', goal_id: fixture.goal.id, charter_hash })
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    await world.until('the charter on chain', async () => (await getTeam(world.system, fixture.goal.id)).recordedAt)
    await doStep(fixture, 1, fixture.first)
    await says(page, /^A step is ready and waits for your confirmation/)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Confirm step 2' }).click()
    await page.getByRole('log').getByText('The client confirms step 2.').waitFor()
    await doStep(fixture, 2, fixture.second)
    expect(faults).toEqual([])
  })
})
