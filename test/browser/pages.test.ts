import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listPayouts } from '../../server/settlement/index.ts'
import { expectAccessible, injectWallet, signInWithTestWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'
import { chapters, type Showcase, setShowcase } from './showcase.ts'

/**
 * Every page in every state it can be in: nothing on it breaks a rule of accessibility or scrolls sideways, and nothing is
 * in the console. `SHOTS=all` keeps a picture of each in .parley/shots, in both themes at both widths; `SHOTS=word` opens
 * and keeps only those whose name has the word.
 */
const shots = process.env.SHOTS ?? ''
const folder = path.join(import.meta.dirname, '../../.parley/shots')

let world: TestWorld
let empty: TestWorld
let web: WebProcess
let emptyWeb: WebProcess
let browser: TestBrowser
let show: Showcase
beforeAll(async () => {
  world = await createWorld()
  empty = await createWorld()
  show = await setShowcase(world)
  web = await startWeb(world)
  emptyWeb = await startWeb(empty)
  browser = await startBrowser()
}, 420_000)
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await emptyWeb?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
  await empty?.[Symbol.asyncDispose]()
})

const bothWays = [
  ['light', 1280],
  ['dark', 390],
] as const
const looks = shots === 'all' ? ([...bothWays, ['dark', 1280], ['light', 390]] as const) : bothWays
type Look = (typeof looks)[number]

async function visit(page: Page, url: string, name: string, [theme, width]: Look): Promise<void> {
  if (shots !== 'all' && !name.includes(shots)) return
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  if (shots !== '') {
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: path.join(folder, `${name}-${theme}-${width}.png`), fullPage: true })
  }
  await expectAccessible(page)
}

const optionsOf = ([colorScheme, width]: Look) => ({ colorScheme, viewport: { width, height: width === 390 ? 844 : 860 } })

async function openAs(person: TestPerson, url: string, look: Look, of: TestWorld = world) {
  const { account } = person
  const { chainId, rpcUrl } = of.chain
  const opened = await browser.open(url, {
    ...optionsOf(look),
    prepare: (page) => injectWallet(page, { account, rpcUrl, chainId }),
  })
  await signInWithTestWallet(opened.page)
  return opened
}

describe.each(looks)('in %s at %d px', (...look) => {
  it('shows a goal in each of its states to its client', async () => {
    const { page, faults } = await openAs(show.client, web.url, look)
    await show.keepWorking()
    for (const chapter of chapters) await visit(page, `${web.url}/goals/${show.goals[chapter]}`, `goal-${chapter}`, look)
    expect(faults).toEqual([])
  })

  it('shows its client what was said and what was moved', async () => {
    const { page, faults } = await openAs(show.client, web.url, look)
    for (const chapter of ['funding', 'working', 'paid', 'refunded'] as const) {
      await visit(page, `${web.url}/goals/${show.goals[chapter]}/transcript`, `transcript-${chapter}`, look)
      await visit(page, `${web.url}/goals/${show.goals[chapter]}/payouts`, `money-${chapter}`, look)
    }
    for (const name of ['payouts', 'account', 'operate', 'goals/new', 'goals?show=mine', 'publish/new'])
      await visit(page, `${web.url}/${name}`, `client-${name.replace(/\W/g, '-')}`, look)
    expect(faults).toEqual([])
  })

  it('shows a publisher what its agents earn', async () => {
    const { page, faults } = await openAs(show.publisher, web.url, look)
    const [payout] = await listPayouts(world.system, { goalId: show.goals.paid })
    await visit(page, `${web.url}/receipts/${payout?.id}`, 'receipt', look)
    for (const name of ['payouts', 'publish', 'publish/report-writer', 'agents/report-writer'])
      await visit(page, `${web.url}/${name}`, `publisher-${name.replace(/\W/g, '-')}`, look)
    expect(faults).toEqual([])
  })

  it('shows a stranger the market', async () => {
    const { page, faults } = await browser.open(web.url, optionsOf(look))
    const [payout] = await listPayouts(world.system, { goalId: show.goals.paid })
    for (const name of ['', 'goals', 'agents', 'agents/report-writer', 'explorer', 'payouts', 'operate', 'account', 'publish', 'problems'])
      await visit(page, `${web.url}/${name}`, `stranger-${name.replace(/\W/g, '-') || 'home'}`, look)
    for (const chapter of ['review', 'paid'] as const)
      await visit(page, `${web.url}/goals/${show.goals[chapter]}`, `stranger-goal-${chapter}`, look)
    await visit(page, `${web.url}/explorer/tx/${payout?.tx}`, 'explorer-tx', look)
    await visit(page, `${web.url}/explorer/address/${world.chain.escrow}`, 'explorer-address', look)
    expect(faults).toEqual([])
  })

  it('says what is not there yet, and what is not there at all', async () => {
    const person = await empty.person()
    const { page } = await openAs(person, emptyWeb.url, look, empty)
    for (const name of ['', 'goals', 'agents', 'payouts', 'publish', 'operate', 'explorer'])
      await visit(page, `${emptyWeb.url}/${name}`, `empty-${name || 'home'}`, look)
    const nothing = '0'.repeat(32)
    for (const name of [
      `goals/gol_${nothing}`,
      'agents/nobody-here',
      `receipts/pay_${nothing}`,
      'nowhere',
      `explorer/tx/0x${nothing}${nothing}`,
    ])
      await visit(page, `${emptyWeb.url}/${name}`, `missing-${name.split('/')[0]}`, look)
  })
})
