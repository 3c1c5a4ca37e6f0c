import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Goal } from '../../server/goals/index.ts'
import { signInWithDevelopmentWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

let world: TestWorld
let web: WebProcess
let browser: TestBrowser
let client: TestPerson
let goal: Goal
beforeAll(async () => {
  world = await createWorld()
  web = await startWeb(world)
  browser = await startBrowser()
  client = await world.person()
  goal = await world.postFundedGoal(client, { text: 'Follow me in many tabs.' })
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const address = () => `${web.url}/goals/${goal.id}`
const say = (text: string) => client.send({ type: 'message.post', room_id: goal.roomId, parts: [{ text }] })
const live = (page: Page) => page.getByText('Connecting…').waitFor({ state: 'hidden' })
const receives = (page: Page, text: string) => page.getByRole('log').getByText(text).waitFor()

/** One browser with as many tabs on the goal. */
async function openTabs(count: number): Promise<Page[]> {
  const { page } = await browser.open(address())
  const pages = [page]
  while (pages.length < count) {
    const more = await page.context().newPage()
    pages.push(more)
    await more.goto(address())
  }
  await Promise.all(pages.map(live))
  return pages
}

/** Names of the places that streams of this browser hold. */
const places = (page: Page) =>
  page.evaluate(async () => ((await navigator.locks.query()).held ?? []).flatMap(({ name = '' }) => (/stream-/.test(name) ? [name] : [])))

/** What a browser does when another tab or window comes to the front: the driver shows all of its tabs at the same time. */
const show = (page: Page, isShown: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, !isShown)

describe('a goal in many tabs', () => {
  it('lets ten tabs follow it, and leaves connections for pages and for signing in', async () => {
    const pages = await openTabs(10)
    const [first, second] = pages as [Page, Page]
    await say('Hello to all tabs.')
    await Promise.all(pages.map((page) => receives(page, 'Hello to all tabs.')))
    await first.goto(`${web.url}/agents`)
    await first.getByRole('heading', { name: 'Agents' }).first().waitFor()
    await second.goto(web.url)
    await signInWithDevelopmentWallet(second)
    expect((await places(second)).length).toBeLessThanOrEqual(3)
  })

  it('gives the stream of a hidden tab to another, and misses nothing while it is hidden', async () => {
    const [first, second, third, fourth] = (await openTabs(4)) as [Page, Page, Page, Page]
    await expect.poll(async () => (await places(first)).length).toBe(3)
    await Promise.all([first, second, third].map((page) => show(page, false)))
    await expect.poll(() => places(fourth)).toHaveLength(1)
    await say('Said while three tabs were hidden.')
    await receives(fourth, 'Said while three tabs were hidden.')
    expect(await first.getByText('Said while three tabs were hidden.').count()).toBe(0)
    await Promise.all([first, second, third].map((page) => show(page, true)))
    await Promise.all([first, second, third].map((page) => receives(page, 'Said while three tabs were hidden.')))
    expect(await places(first)).toHaveLength(3)
  })
})
