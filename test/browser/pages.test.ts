import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { addPeer, syncPeer } from '../../server/federation/index.ts'
import { listPayouts, runReconciliation } from '../../server/settlement/index.ts'
import { type FakePeer, startPeer } from '../server/federation/fake-peer.ts'
import {
  expectAccessible,
  injectWallet,
  signInWithTestWallet,
  startBrowser,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { startCards } from '../support/cards.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'
import { reportGatewayPools } from './gateway-pools.ts'
import { storeHubLoads } from './hub-loads.ts'
import { createShowcase, type Showcase, showcaseGoals } from './showcase.ts'

/**
 * Every page in every state it can be in: nothing on it breaks a rule of accessibility or scrolls sideways, and nothing is
 * in the console. Each page has one look here, in turn light and wide or dark and narrow. `npm run test:external -- pages` checks
 * both themes at both widths. `SHOTS=all` does so too, and keeps a picture of each in .parley/shots. `SHOTS=word` opens and keeps only
 * those whose name has the word.
 */
const shots = process.env.SHOTS ?? ''
const folder = path.join(import.meta.dirname, '../../.parley/shots')

let cards: Awaited<ReturnType<typeof startCards>>
let world: TestWorld
let empty: TestWorld
let web: WebProcess
let emptyWeb: WebProcess
let browser: TestBrowser
let show: Showcase
let operator: TestPerson
let peer: FakePeer
beforeAll(async () => {
  cards = await startCards()
  world = await createWorld({ env: cards.env })
  cards.serve(world)
  empty = await createWorld()
  show = await createShowcase(world, cards.double)
  operator = await world.person({ usdc: 0n })
  await runReconciliation(world.system)
  peer = await startPeer(() => world.system, 'https://market.example')
  peer.setAnswer([await peer.signed(), { v: 1 }])
  await addPeer(world.system, { type: 'peer.add', origin: peer.origin, server_did: peer.signer.did, hub_url: peer.hubUrl })
  await syncPeer(world.system, peer.origin)
  web = await startWeb(world, { OPERATOR_WALLETS: operator.account.address })
  emptyWeb = await startWeb(empty)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await emptyWeb?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
  await empty?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
  await cards?.[Symbol.asyncDispose]()
})

const looks = [
  ['light', 1280],
  ['dark', 390],
  ['light', 390],
  ['dark', 1280],
] as const
let visits = 0

/** Opens a page once, `arrange`s it, and checks its looks: one of the first two in turn, or all. */
async function visit({ page }: WatchedPage, url: string, name: string, arrange?: () => Promise<void>): Promise<void> {
  if (shots !== 'all' && !name.includes(shots)) return
  visits += 1
  const chosen = shots === '' ? [looks[visits % 2 === 1 ? 0 : 1]] : looks
  for (const [index, [colorScheme, width]] of chosen.entries()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: width === 390 ? 844 : 860 })
    if (index === 0) {
      await openWhole(page, url)
      await arrange?.()
    } else await nextFrames(page)
    if (shots !== '') {
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true })
    }
    await expectAccessible(page, `${colorScheme} at ${width} px`, index === 0 ? 'all' : 'look')
  }
}

/** Until nothing on it waits any more for what it has asked for. */
async function openWhole(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(
    () => !document.querySelector('.delayed') && !document.querySelector('main')?.textContent.includes('Connecting…'),
  )
}

const nextFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((ready) => {
        requestAnimationFrame(() => requestAnimationFrame(ready))
      }),
  )

async function openAs(person: TestPerson, url: string, of: TestWorld = world) {
  const { account } = person
  const { chainId, rpcUrl } = of.chain
  const opened = await browser.open(url, { prepare: (page) => injectWallet(page, { account, rpcUrl, chainId }) })
  await signInWithTestWallet(opened.page)
  return opened
}

it('shows a goal in each of its states to its client', async () => {
  // Working agents send progress regularly, regardless of how long the earlier pages take.
  const beat = setInterval(() => void show.keepWorking().catch(() => undefined), 15_000)
  onTestFinished(() => clearInterval(beat))
  const { page, faults } = await openAs(show.client, web.url)
  for (const goalName of showcaseGoals) {
    if (goalName === 'working') await show.keepWorking()
    await visit({ page, faults }, `${web.url}/goals/${show.goals[goalName]}`, `goal-${goalName}`)
  }
  await visit({ page, faults }, `${web.url}/goals/${show.goals.nested}/rooms/${show.room}`, 'goal-nested-room')
  await visit({ page, faults }, `${web.url}/goals/${show.goals.working}`, 'goal-working-stop', async () => {
    await page.getByRole('button', { name: 'Stop and refund' }).click()
    await page.getByRole('dialog').waitFor()
  })
  await visit({ page, faults }, `${web.url}/goals/${show.goals.working}`, 'goal-working-add-budget', async () => {
    await page.getByRole('button', { name: 'Add budget' }).click()
    await page.getByLabel('Add, in USDC').fill('5')
    await page.getByText('The new goal has a budget of').waitFor()
  })
  const { url } = await show.client.send<{ url: string }>({ type: 'hold.checkout', goal_id: show.goals.card })
  await visit({ page, faults }, url, 'demo-checkout')
  expect(faults).toEqual([])
})

it('shows the plan of a room, and what changed in it', async () => {
  const { lead, client, goals } = show
  const { roomId: room_id } = await world.goal(goals.review)
  for (const [based_on, text] of [
    '1. Count the crossings.\n2. Draw the chart.',
    '1. Count the crossings.\n2. Check them.\n3. Draw the chart.',
  ].entries())
    await lead.send({ type: 'plan.propose', room_id, based_on, text })
  const { page, faults } = await openAs(client, web.url)
  await visit({ page, faults }, `${web.url}/goals/${goals.review}`, 'goal-plan-of-room', async () => {
    await page.getByText('Version 2', { exact: true }).waitFor()
    await page.getByLabel('Compare with').selectOption('1')
    const changes = page.getByRole('list', { name: 'Changes since version 1' })
    expect(await changes.getByRole('listitem').allTextContents()).toContain('+Added: 2. Check them.')
  })
  expect(faults).toEqual([])
})

it('shows its client the messages and the payments', async () => {
  const { page, faults } = await openAs(show.client, web.url)
  for (const goalName of ['funding', 'working', 'paid', 'refunded'] as const)
    await visit({ page, faults }, `${web.url}/goals/${show.goals[goalName]}/transcript`, `transcript-${goalName}`)
  await visit({ page, faults }, `${web.url}/goals/${show.goals.paid}/transcript`, 'transcript-paid-erase', async () => {
    await page.getByRole('button', { name: 'Erase message 1', exact: true }).click()
    await page.getByRole('dialog').waitFor()
  })
  for (const goalName of ['funding', 'working', 'paid', 'cardPaid', 'refunded'] as const)
    await visit({ page, faults }, `${web.url}/goals/${show.goals[goalName]}/payouts`, `money-${goalName}`)
  for (const name of ['inbox', 'payouts', 'account', 'goals/new', 'goals?show=mine', 'publish/new'])
    await visit({ page, faults }, `${web.url}/${name}`, `client-${name.replace(/\W/g, '-')}`)
  await visit({ page, faults }, `${web.url}/goals/new`, 'client-new-no-plan', async () => {
    await page.getByRole('button', { name: 'Company figures' }).click()
    await page.getByText('No agent online can do this').first().waitFor()
  })
  expect(faults).toEqual([])
})

it('shows a client how to ask an agent directly, and what it was answered', async () => {
  const { page, faults } = await openAs(show.client, web.url)
  await visit({ page, faults }, `${web.url}/agents/chart-hand`, 'client-ask-open')
  await visit({ page, faults }, `${web.url}/agents/trend-reader`, 'client-ask-elsewhere')
  await page.evaluate(({ keyName, key }) => localStorage.setItem(keyName, key), show.channel)
  await visit({ page, faults }, `${web.url}/agents/trend-reader`, 'client-ask-answered')
  expect(faults).toEqual([])
})

it('shows a publisher what its agents earn, and an operator what waits', async () => {
  const { page, faults } = await openAs(show.publisher, web.url)
  const [payout] = await listPayouts(world.system, { goalId: show.goals.paid })
  await visit({ page, faults }, `${web.url}/receipts/${payout?.id}`, 'receipt')
  await visit({ page, faults }, `${web.url}/goals/${show.goals.disputed}`, 'publisher-goal-disputed')
  for (const name of ['payouts', 'publish', 'publish/report-writer', 'agents/report-writer'])
    await visit({ page, faults }, `${web.url}/${name}`, `publisher-${name.replace(/\W/g, '-')}`)
  const operating = await openAs(operator, `${web.url}/admin`)
  await visit(operating, `${web.url}/admin`, 'operator-admin')
  await visit(operating, `${web.url}/admin/peers`, 'operator-peers')
  const front = await reportGatewayPools(world, show.publisher)
  await visit({ page, faults }, `${web.url}/agents/gateways`, 'publisher-gateways')
  await visit({ page, faults }, `${web.url}/agents/types`, 'publisher-types')
  await visit({ page, faults }, `${web.url}/agents/${front}`, 'publisher-agents-front')
  await visit(operating, `${web.url}/admin/rules`, 'operator-gateways-rules')
  await storeHubLoads(world)
  await visit(operating, `${web.url}/admin/load`, 'operator-load')
  if (operating.page.url() !== `${web.url}/admin/load`) return
  await operating.page.getByRole('button', { name: 'Pause' }).press('Enter')
  await operating.page.getByRole('button', { name: 'Resume' }).waitFor()
  expect(await operating.page.getByRole('img', { name: /^Deliveries: .* per second, maximum/ }).count()).toBe(3)
  // The other hubs may be late too on a slow machine.
  const silent = operating.page.locator('section', { has: operating.page.getByRole('heading', { name: /^hub-2/ }) }).last()
  await silent.getByText(/^no report for \d+ s$/).waitFor()
  expect([...faults, ...operating.faults]).toEqual([])
  await failLoad(operating.page)
})

/** The load continues where it was, and gives the reason why it is stopped. */
async function failLoad(page: Page): Promise<void> {
  const data = { httpStatus: 403, code: 'FORBIDDEN', path: 'telemetry.listLoad' }
  const error = { json: { code: -32_003, message: 'The list of operators has changed.', data } }
  await page.route('**/telemetry.listLoad*', (route) => route.fulfill({ status: 403, json: [{ error }] }))
  await page.getByRole('button', { name: 'Resume' }).press('Enter')
  await page.getByText('The figures below are from the last successful update.').waitFor()
  await page.getByText('The list of operators has changed.').waitFor()
  if (shots !== '') await page.screenshot({ path: path.join(folder, 'operator-load-failing.png'), fullPage: true })
  await expectAccessible(page, 'the load, failing')
}

it('shows a stranger the market', async () => {
  const { page, faults } = await browser.open(web.url)
  const [payout] = await listPayouts(world.system, { goalId: show.goals.paid })
  const names = [
    '',
    'goals',
    'agents',
    'agents?q=zzzzzz',
    'agents/report-writer',
    'explorer',
    'payouts',
    'admin',
    'admin/load',
    'account',
    'publish',
  ]
  for (const name of [...names, 'rooms', 'problems', 'problems/hold.insufficient_funds'])
    await visit({ page, faults }, `${web.url}/${name}`, `stranger-${name.replace(/\W/g, '-') || 'home'}`)
  for (const goalName of ['review', 'paid', 'disputed'] as const)
    await visit({ page, faults }, `${web.url}/goals/${show.goals[goalName]}`, `stranger-goal-${goalName}`)
  const [foreign] = await world.system.db.listing.findMany({ where: { origin: peer.origin } })
  await visit({ page, faults }, `${web.url}/agents/${foreign?.handle}`, 'stranger-agents-foreign')
  await visit({ page, faults }, `${web.url}/explorer/tx/${payout?.tx}`, 'explorer-tx')
  await visit({ page, faults }, `${web.url}/explorer/address/${world.chain.escrow}`, 'explorer-address')
  expect(faults).toEqual([])
})

it('states what is not there yet, and what is not there at all', async () => {
  const person = await empty.person()
  const { page, faults } = await openAs(person, emptyWeb.url, empty)
  for (const name of ['', 'goals', 'agents', 'payouts', 'publish', 'admin', 'explorer'])
    await visit({ page, faults }, `${emptyWeb.url}/${name}`, `empty-${name || 'home'}`)
  // A hub that has ended reports no more load.
  await empty.system.db.hubLoad.deleteMany()
  await visit({ page, faults }, `${emptyWeb.url}/admin/load`, 'empty-load')
  const nothing = '0'.repeat(32)
  const missing = [`goals/gol_${nothing}`, 'agents/nobody-here', `receipts/pay_${nothing}`, 'nowhere', `explorer/tx/0x${nothing}${nothing}`]
  for (const name of missing) await visit({ page, faults }, `${emptyWeb.url}/${name}`, `missing-${name.split('/')[0]}`)
})
