import { newMessageId } from '@parley/agents'
import { prefixedId } from '@parley/protocol'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { markOnline } from '../../server/registry/index.ts'
import { expectAccessible, injectWallet, signInWithTestWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import { startBuiltinAgents, type TestAgents } from '../support/builtin-agents.ts'
import { publishTestAgent, publishTestListing, textUpload } from '../support/goal-fixture.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// What a client gives beside words: values for nested inputs, and the choice of one entry among several.

let world: TestWorld
let builtin: TestAgents
let web: WebProcess
let browser: TestBrowser
beforeAll(async () => {
  world = await createWorld()
  builtin = await startBuiltinAgents(world, ['principal'])
  web = await startWeb(world)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await builtin?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const phone = { width: 390, height: 844 }

async function openAs(person: TestPerson, url: string) {
  const { chainId, rpcUrl } = world.chain
  const opened = await browser.open(url, { prepare: (page) => injectWallet(page, { account: person.account, rpcUrl, chainId }) })
  await signInWithTestWallet(opened.page)
  return opened
}
const fitsWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

async function publishCarrier(): Promise<void> {
  const owner = await world.person({ usdc: 0n })
  const parcel = {
    ...{ type: 'object', title: 'Parcel', required: ['weight'] },
    properties: { weight: { type: 'number', title: 'Weight in kg', minimum: 0.1, maximum: 30 }, fragile: { type: 'boolean' } },
  }
  const schema = {
    ...{ type: 'object', required: ['parcels', 'speed', 'pickup'] },
    properties: {
      parcels: { type: 'array', minItems: 1, maxItems: 3, items: parcel, description: 'What is sent.' },
      speed: { enum: ['slow', 'fast'], title: 'Speed' },
      pickup: { type: 'string', format: 'date', title: 'Day of pickup' },
    },
  }
  const skill = {
    ...{ id: 'parcel.book', name: 'Book a parcel', description: 'Books parcels with a carrier.', price: '100000', tags: ['carrier'] },
    inputs: [{ name: 'order', type: 'order.parcels', schema }],
    outputs: [{ name: 'label', type: 'parcel.label', description: 'A label.' }],
  }
  const listing = { handle: 'carrier', name: 'Carrier', summary: 'Books parcels.', skills: [skill] }
  const { agentId } = await publishTestListing(world, owner, listing as never)
  await markOnline(world.system, agentId, 'test')
}

describe('a goal whose words leave out nested inputs', () => {
  it('asks for them in a form that works by keyboard on a phone, and plans with what is given', async () => {
    await publishCarrier()
    const { page, faults } = await browser.open(`${web.url}/goals/new`)
    await page.setViewportSize(phone)
    await page.getByLabel('The goal', { exact: true }).fill('Book a parcel with a carrier, fast')
    const form = page.getByRole('group', { name: /Book a parcel by carrier also needs/ })
    await form.waitFor()
    await expectAccessible(page)
    expect(await fitsWidth(page)).toBe(true)
    // What the words give is filled in.
    expect(await form.getByLabel('Speed').inputValue()).toBe('fast')
    const use = form.getByRole('button', { name: 'Use these values' })
    await use.focus()
    await page.keyboard.press('Enter')
    await form.getByText('At least 1 value.').waitFor()
    await form.getByText('The agent needs this.').first().waitFor()

    await form.getByRole('button', { name: 'Add to Parcels' }).focus()
    await page.keyboard.press('Enter')
    // The focus is in the new item.
    await page.keyboard.type('31')
    await form.getByText('30 or less.').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('2.5')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await form.getByRole('button', { name: 'Add to Parcels' }).focus()
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Remove Parcels 2' }).focus()
    await page.keyboard.press('Enter')
    expect(await form.getByLabel('Weight in kg').count()).toBe(1)
    await form.getByLabel('Day of pickup').fill('2026-12-01')
    await expectAccessible(page)
    expect(await fitsWidth(page)).toBe(true)
    // Enter in a field uses the values, and does not send the form of the goal.
    await form.getByLabel('Weight in kg').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Values that go with this goal').waitFor()
    await page.getByText(/I read the goal as “Book a parcel”/).waitFor()
    await page
      .getByText(/"weight":2\.5/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Remove values' }).click()
    await form.waitFor()
    expect(faults).toEqual([])
  })
})

describe('a contest', () => {
  it('is posted in the form, with what silence does', async () => {
    const client = await world.person()
    const { page, faults } = await openAs(client, `${web.url}/goals/new`)
    await page.setViewportSize(phone)
    await page.getByLabel('The goal', { exact: true }).fill('Write the shortest text about the sea')
    await page.getByRole('textbox', { name: 'Criterion 1' }).fill('It is about the sea.')
    // The words alone have no plan. Entries need none.
    await page.getByText('No agent online can do this').waitFor()
    await page.getByText('Several agents submit', { exact: true }).click()
    await page.getByRole('checkbox', { name: /Take finished work from several agents/ }).check()
    await page.getByText('Agents read this goal and submit finished work').waitFor()
    await page.getByLabel('Agents that can submit').fill('1')
    await page.getByLabel('What decides').selectOption('A JSON Schema')
    await page.getByLabel('JSON Schema', { exact: true }).fill('{')
    await expectAccessible(page)
    expect(await fitsWidth(page)).toBe(true)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('A whole number from 2 to 16.').first().waitFor()
    await page.getByText('A JSON object, in braces.').first().waitFor()
    await page.getByLabel('Agents that can submit').fill('3')
    await page.getByLabel('JSON Schema', { exact: true }).fill('{"type":"object"}')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'The terms' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/The first entry that passes the check is chosen without you/).waitFor()
    await page.getByRole('button', { name: /^Post and sign/ }).click()
    await page.waitForURL(/\/goals\/gol_/)
    const posted = await world.system.db.goal.findFirstOrThrow({ where: { clientId: client.did } })
    expect(posted.contest).toMatchObject({ max_entries: 3, check: { kind: 'json_schema', schema: { type: 'object' } } })
    expect(faults).toEqual([])
  })

  it('shows its entries to the client, who chooses one and approves its payment', async () => {
    const client = await world.person()
    const owners = await Promise.all([world.person({ usdc: 0n }), world.person({ usdc: 0n })])
    const [ana, ben] = await Promise.all(owners.map((owner, n) => publishTestAgent(world, owner, `contestant-${n}`, 'goal.plan', ['plan'])))
    const entriesBy = new Date(world.clock.now().getTime() + 3_600_000).toISOString()
    const goal = await world.postFundedGoal(client, {
      ...{ text: 'Write the shortest text about the sea.', approves: false, deadlineMs: 86_400_000 },
      more: { on_silence: 'refund', contest: { max_entries: 2, entries_by: entriesBy } },
    })
    const submit = (agent: typeof ana, text: string) =>
      agent?.send({
        ...{ type: 'entry.submit', goal_id: goal.id, entry_id: prefixedId('ent', newMessageId()), price: '1000000', text },
        artifacts: [textUpload(text)],
      })
    await submit(ana, 'The sea.')
    await submit(ben, 'The sea is wide and deep.')
    const { page, faults } = await openAs(client, `${web.url}/goals/${goal.id}`)
    const entries = page.getByRole('main')
    await page.getByRole('heading', { name: 'Entries' }).waitFor()
    await entries.getByText('2 entries').waitFor()
    await entries.getByText('Without a choice, everything is refunded.').waitFor()
    await entries.getByText('The sea is wide and deep.').first().waitFor()
    await page.setViewportSize(phone)
    await expectAccessible(page)
    expect(await fitsWidth(page)).toBe(true)
    await entries.getByRole('button', { name: 'Choose the entry of contestant-0' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose the entry of contestant-0?' })
    await dialog.getByLabel(/Reason for the others/).fill('It is shorter.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Choose entry' }).click()
    await entries.getByText('Chosen', { exact: true }).waitFor()
    await entries.getByText('It is shorter.').waitFor()
    await page.getByRole('button', { name: 'Approve the team' }).click()
    await page.getByRole('main').getByRole('status').filter({ hasText: /^Paid/ }).first().waitFor()
    await page.getByText('The sea.', { exact: true }).first().waitFor()
    expect(faults).toEqual([])

    // Another reader sees that it is paid, and no entry.
    const other = await browser.open(`${web.url}/goals/${goal.id}`)
    await other.page.getByRole('heading', { level: 1 }).waitFor()
    await other.page.waitForLoadState('networkidle')
    expect(await other.page.getByText('The sea is wide and deep.').count()).toBe(0)
  })
})
