import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, injectWallet, signInWithTestWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
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

describe('a goal that the planner can’t read', () => {
  it('is asked about in the room, and done once the client has answered there', async () => {
    const client = await world.person()
    const goal = await world.postFundedGoal(client, {
      text: 'A report on the annual revenue, please',
      criteria: ['There is a report.'],
    })
    const { chainId, rpcUrl } = world.chain
    const { page, faults } = await browser.open(`${web.url}/goals/${goal.id}`, {
      prepare: (page) => injectWallet(page, { account: client.account, rpcUrl, chainId }),
    })
    await signInWithTestWallet(page)
    const status = page.getByRole('main').getByRole('status').first()
    await status.filter({ hasText: 'The planner has a question for you' }).waitFor()
    await page
      .getByRole('log')
      .getByText(/Which company/)
      .waitFor()
    await page.getByText('The planner is waiting for your answer.').waitFor()
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)

    const answer = page.getByLabel('Your answer')
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await answer.fill('Apple, from 2015 to 2020')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText('Apple, from 2015 to 2020').waitFor()
    await page.getByLabel('Write a message to the room').waitFor()
    expect(await page.getByText('The planner is waiting for your answer.').count()).toBe(0)

    await status.filter({ hasText: /^Delivered/ }).waitFor()
    // The report stands in full in the answer, before the steps and the files.
    const report = page.getByRole('article', { name: 'report.md' })
    await report.getByRole('heading', { name: /Apple/ }).first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const top = (await page.getByRole('heading', { name: 'Answer', exact: true }).boundingBox())?.y ?? Number.POSITIVE_INFINITY
    expect(top).toBeLessThan(700)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: 'Accept all and pay' }).click()
    await status.filter({ hasText: /^Paid/ }).waitFor()
    await expectAccessible(page)
    expect((await world.goal(goal.id)).state).toBe('paid')
    const html = (await (await page.goto(`${web.url}/goals/${goal.id}`))?.text()) ?? ''
    // Nothing is left for a script to move there before the page is hydrated.
    expect(html.slice(0, html.indexOf('</head>'))).toContain('rel="icon"')
    expect(html.indexOf('rel="icon"', html.indexOf('</head>'))).toBe(-1)
    expect(faults).toEqual([])
  })
})
