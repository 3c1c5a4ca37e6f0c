import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinNames } from '../../agents/builtin/agent-names.ts'
import { countClicks, expectAccessible, injectWallet, signInWithTestWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import { startBuiltinAgents, type TestAgents } from '../support/builtin-agents.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

let world: TestWorld
let builtin: TestAgents
let web: WebProcess
let browser: TestBrowser
beforeAll(async () => {
  world = await createWorld()
  builtin = await startBuiltinAgents(
    world,
    builtinNames.filter((name) => name !== 'web'),
  )
  web = await startWeb(world)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await builtin?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

describe('the search box of the home page', () => {
  it('answers in place what one skill can answer, for its price', async () => {
    const client = await world.person()
    const { chainId, rpcUrl } = world.chain
    const { page, faults } = await browser.open(web.url, {
      prepare: (page) => injectWallet(page, { account: client.account, rpcUrl, chainId }),
    })
    const box = page.getByLabel('What do you need?')
    const ask = page.getByRole('region', { name: 'Ask for work' })
    await box.fill('What is 15% of 240?')
    await ask.getByText(/answers this now for 0\.10/).waitFor()
    await expectAccessible(page)
    await signInWithTestWallet(page)
    await ask.getByRole('button', { name: 'Set aside and ask' }).click()
    const answer = ask.getByRole('region', { name: 'Answer' })
    await answer.getByText('36').first().waitFor()
    await answer.getByText(/You paid 0\.10/).waitFor()
    await expectAccessible(page)

    // The second question needs no signature.
    await box.fill('What is 20% of 240?')
    await ask.getByRole('button', { name: 'Ask', exact: true }).click()
    await answer.getByText('48').first().waitFor()
    expect(faults).toEqual([])
  })

  it('answers a question about a file in place, and takes the file along to the form', async () => {
    const client = await world.person()
    const { chainId, rpcUrl } = world.chain
    const { page, faults } = await browser.open(web.url, {
      prepare: (page) => injectWallet(page, { account: client.account, rpcUrl, chainId }),
    })
    const ask = page.getByRole('region', { name: 'Ask for work' })
    const attach = async (name: string, text: string) =>
      await ask.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await attach('virus.exe', 'x')
    await ask
      .getByRole('alert')
      .getByText(/virus\.exe/)
      .waitFor()
    await attach('sales.csv', 'shop,sales\nNorth,5\nSouth,7\nNorth,2\n')
    await page.getByLabel('What do you need?').fill('What is the total of sales per shop?')
    await ask.getByText(/answers this now for 0\.30/).waitFor()
    await expectAccessible(page)
    await signInWithTestWallet(page)
    await ask.getByRole('button', { name: 'Set aside and ask' }).click()
    const answer = ask.getByRole('region', { name: 'Answer' })
    await answer.getByText('North').first().waitFor()
    await answer.getByText(/You paid 0\.30/).waitFor()

    await ask.getByRole('link', { name: /Add terms/ }).click()
    await page.getByRole('heading', { name: 'What do you want done?' }).waitFor()
    await page.getByText('sales.csv').waitFor()
    expect(faults).toEqual([])
  })

  it('goes from the first words to a paid team in six clicks, the sign-in included', async () => {
    const { page, faults } = await browser.open('about:blank')
    const clicks = await countClicks(page)
    await page.goto(web.url)
    await page.getByLabel('What do you need?').fill('Plot the revenue of Apple from 2016 to 2020 as SVG and write a report')
    await page.getByRole('link', { name: 'Review plan and cost' }).click()
    // The plan and the whole price are on the first page that opens.
    await page.getByText('Paid to agents if all goes well').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in and post' }).click()
    await page.getByRole('button', { name: /Development wallet/ }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    // The goal is posted, the test money arrives, and the wallet is asked without another click.
    await page.getByRole('dialog', { name: 'Set money aside' }).getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('button', { name: /^Accept all and pay [\d.]+ ?USDC/ }).click()
    await page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /^Paid: / })
      .first()
      .waitFor()
    expect(clicks()).toBe(6)
    expect(faults).toEqual([])
  })

  it('shows a team with its price, a question, and an honest no', async () => {
    const { page, faults } = await browser.open(web.url)
    const box = page.getByLabel('What do you need?')
    const ask = page.getByRole('region', { name: 'Ask for work' })
    await box.fill('Plot the revenue of Apple from 2016 to 2020 as SVG and write a report')
    await ask.getByText(/A team does \d steps of this for/).waitFor()
    await box.fill('Plot the annual revenue, please')
    await ask.getByText('One question first').waitFor()
    await box.fill('Sing me a song about the sea')
    await ask.getByText('No agent online can do this').waitFor()
    await expectAccessible(page)
    await ask.getByRole('link', { name: /closest agents/ }).click()
    await page.getByRole('heading', { name: 'What do you want done?' }).waitFor()
    expect(await page.getByLabel('The goal', { exact: true }).inputValue()).toBe('Sing me a song about the sea')
    expect(faults).toEqual([])
  })
})
