import { feeOn, formatAmount } from '@parley/protocol'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getQuotedCharter } from '../../server/settlement/index.ts'
import { expectAccessible, signInWithDevelopmentWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import { startBuiltinAgents, type TestAgents } from '../support/builtin-agents.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

let world: TestWorld
let builtin: TestAgents
let web: WebProcess
let browser: TestBrowser
beforeAll(async () => {
  world = await createWorld()
  builtin = await startBuiltinAgents(world)
  web = await startWeb(world)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await builtin?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const status = (page: Page, words: RegExp) => page.getByRole('main').getByRole('status').filter({ hasText: words }).first().waitFor()

async function writeGoal(page: Page, template: RegExp, terms: (page: Page) => Promise<void> = async () => {}): Promise<void> {
  await page.goto(`${web.url}/goals/new`)
  await page.getByRole('button', { name: template }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await terms(page)
  await page.getByRole('button', { name: 'Continue' }).click()
}

describe('a goal, from the wizard to the receipt', () => {
  it('is posted, funded with one signature, worked on, accepted, paid, proven and judged', async () => {
    const { page, faults } = await browser.open(`${web.url}/account`)
    await signInWithDevelopmentWallet(page)
    await page.getByText('1,000.00').waitFor()
    await page.goto(`${web.url}/goals/new`)
    await expectAccessible(page)
    await writeGoal(page, /Company figures/)
    await page.getByText('Paid to agents if all goes well').waitFor()
    await page.getByText('House Plotter').first().waitFor()
    await page.getByText('Quoted goal: one approval').waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Post and sign' }).click()
    // What the signature approves: the agents that were quoted, and nothing beyond their price.
    await page.getByText('The same signature approves this team and these payments.').waitFor()
    const confirm = page.getByRole('dialog', { name: 'Set money aside' })
    const [goal] = await world.system.db.goal.findMany({ orderBy: { postedAt: 'desc' }, take: 1 })
    const quoted = await getQuotedCharter(world.system, goal?.id ?? '')
    const price = quoted?.charter.steps.reduce((sum, { amount }) => sum + BigInt(amount), 0n) ?? 0n
    expect(goal?.budget).toBe(price + feeOn(price, world.world.market.feeBps))
    expect(await confirm.textContent()).toContain(`${formatAmount(goal?.budget ?? 0n, 6)} USDC`)
    await confirm.getByRole('button', { name: 'Approve' }).click()
    await status(page, /^Delivered/)
    // No one asked for another approval.
    expect(await world.system.db.charterAuthorization.count({ where: { goalId: goal?.id ?? '' } })).toBe(0)
    expect(await page.title()).toContain('Delivered.')
    await page.getByText('Met', { exact: true }).first().waitFor()
    await expectAccessible(page)

    // The button names the amount, so nothing else is asked.
    await page.getByRole('button', { name: /^Accept all and pay [\d.]+ ?USDC/ }).click()
    await status(page, /^Paid: 6 agents/)
    await page.locator('summary', { hasText: 'report.md' }).click()
    await page
      .getByRole('heading', { name: /Microsoft/ })
      .last()
      .waitFor()
    await page.locator('summary', { hasText: 'Draw a chart in text' }).click()
    await page.getByRole('button', { name: 'Give feedback' }).click()
    await page.locator('summary', { hasText: 'Draw a chart in text' }).waitFor({ state: 'detached' })
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Money', exact: true }).click()
    await page.getByText('Sums to zero', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^Receipt of step 1/ }).click()
    await page.getByRole('heading', { name: 'Receipt' }).waitFor()
    await expectAccessible(page)
    await page.goBack()

    await page.getByRole('link', { name: 'Transcript', exact: true }).click()
    const shown = await page.getByText(/^\d+ of \d+ messages/).textContent()
    const count = /of (\d+) messages/.exec(shown ?? '')?.[1]
    await page.getByRole('button', { name: 'Verify' }).click()
    const verdict = page.getByText(/^(Verified|Unbroken|Not the transcript|Broken)/)
    await verdict.waitFor()
    expect(await verdict.textContent()).toContain(`Verified: ${count} messages`)
    await page.getByText(/^On chain:/).waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
  })
})

describe('the wizard', () => {
  it('keeps the draft through a reload, and refuses a budget over the balance in a sentence', async () => {
    const { page } = await browser.open(web.url)
    // The reader leaves the page of the sign-in before its requests for test money arrive.
    await page.route(/market\.(getBalance|faucet)/, (route) => route.abort())
    await signInWithDevelopmentWallet(page)
    await page.unrouteAll()
    await page.goto(`${web.url}/goals/new`)
    await page.getByRole('button', { name: /My own table/ }).click()
    await page.reload()
    await page.getByText('visits.csv').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    // What it holds is asked of the chain; a client that continues earlier sees it on the next page.
    await page.getByText(/Your wallet holds 1,000\.00/).waitFor()
    await page.getByLabel(/^Budget/).fill('1000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').filter({ hasText: 'more than your wallet holds' }).waitFor()
    await expectAccessible(page)
    expect(await page.getByText('Paid to agents if all goes well').count()).toBe(0)
  })
})

describe('the quote', () => {
  it('shows the plan while the goal is written, and refuses what no one can do and what the budget does not pay', async () => {
    const { page, faults } = await browser.open(web.url)
    await page.goto(`${web.url}/goals/new`)
    const goal = page.getByLabel('The goal')
    const quote = page.getByRole('region', { name: 'What happens with this goal' })
    await goal.fill('Vorrei conoscere il fatturato annuo di Microsoft dal 2014 al 2020')
    await quote.getByText('The goal is in Italian.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').filter({ hasText: 'Only a goal with a plan can be posted.' }).waitFor()
    await goal.fill('Paint my fence green next Tuesday')
    await quote.getByText('Say it in other words').waitFor()
    await goal.fill('Compare the annual revenue of Apple and Amazon from 2015 to 2020 in a report, with a view of the sea')
    await quote.getByText(/annual revenue of Apple and Amazon, 2015 to 2020/).waitFor()
    await quote.getByText(/^Not used: view, sea/).waitFor()
    await page.getByText('The report covers every year from 2015 to 2020.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel(/^Budget/).fill('1.50')
    await page.getByText(/The plan costs 3\.40 and the fee is 0\.085\. The budget must be at least 3\.485\./).waitFor()
    const mode = page.getByLabel('How it is planned')
    expect(await mode.locator('option', { hasText: 'no model is configured' }).count()).toBe(2)
    expect(faults).toEqual([])
  })
})

describe('a private goal', () => {
  it('can be stopped before it is funded, and is not there for anyone else', async () => {
    const { page } = await browser.open(web.url)
    // The test money is late; the goal can be written and posted nevertheless.
    await page.route(/market\.faucet/, (route) => route.abort())
    await signInWithDevelopmentWallet(page)
    await writeGoal(page, /My own table/, async () => {
      await page.getByLabel('Who can read the goal').selectOption('private')
    })
    await page.getByRole('button', { name: 'Post and sign' }).click()
    await page.getByRole('button', { name: 'Sign and fund' }).waitFor()
    const address = page.url()
    const file = await page
      .locator('summary', { hasText: 'visits.csv' })
      .click()
      .then(() => page.getByRole('link', { name: 'Download' }).getAttribute('href'))
    const bytes = await page.request.get(`${web.url}${file}`)
    expect(bytes.headers()['content-security-policy']).toContain('sandbox')
    expect(await bytes.text()).toContain('2025-12,2610')

    const stranger = await browser.open(web.url)
    const read = (url: string) => stranger.page.request.get(url)
    for (const url of [`${address}/transcript.jsonl`, `${address}/transcript.csv`, `${web.url}${file}`])
      expect((await read(url)).status()).toBe(404)
    for (const url of [address, `${address}/transcript`, `${address}/payouts`]) {
      const text = await (await read(url)).text()
      expect(text).toContain('Page not found')
      expect(text).not.toContain('visits')
    }

    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await status(page, /^Canceled before any money moved/)
  })
})

describe('the transcript’s address', () => {
  it('leads to one message and holds the filter, and a spreadsheet runs nothing of it', async () => {
    const client = await world.person()
    const goal = await world.postFundedGoal(client, {
      text: '=1+1 is what I want to know, in a report, from nobody in particular',
      visibility: 'public',
    })
    const base = `${web.url}/goals/${goal.id}/transcript`
    const { page } = await browser.open(`${base}#m-2`)
    await page.locator('#m-2:focus').waitFor()
    await page.goto(`${base}?agent=${encodeURIComponent(client.did)}`)
    await page.getByText(/^1 of \d+ messages/).waitFor()
    const csv = await (await page.request.get(`${web.url}/goals/${goal.id}/transcript.csv`)).text()
    expect(csv).toContain("'=1+1 is what I want")
    expect(csv).not.toMatch(/(^|,)=/m)
  })
})

describe('on a phone', () => {
  it('shows board, goal, explorer and reconciliation without sideways scrolling', async () => {
    const { page } = await browser.open(web.url, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await page.goto(`${web.url}/goals`)
    await page
      .getByRole('main')
      .getByRole('link', { name: /Microsoft/ })
      .first()
      .waitFor()
    await expectAccessible(page)
    await page
      .getByRole('main')
      .getByRole('link', { name: /Microsoft/ })
      .first()
      .click()
    await status(page, /^Paid/)
    await page.getByText('House Principal').first().waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Money', exact: true }).click()
    await page.getByText('Sums to zero', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.goto(`${web.url}/explorer`)
    await page.getByText('PlanFunded').first().waitFor()
    await expectAccessible(page)
    await page.locator('ol a[href^="/explorer/tx/"]').first().click()
    await page.getByText('Function', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.goto(`${web.url}/admin`)
    await page.getByText('Sign in first').waitFor()
    await expectAccessible(page)
  })
})
