import { agent, connect } from '@parley/agents'
import { randomSeed, signerFromSeed } from '@parley/protocol'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectAccessible,
  injectWallet,
  signInWithDevelopmentWallet,
  signInWithTestWallet,
  startBrowser,
  type TestBrowser,
} from '../support/browser.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

let world: TestWorld
let web: WebProcess
let browser: TestBrowser
beforeAll(async () => {
  world = await createWorld()
  web = await startWeb(world)
  browser = await startBrowser()
  const owner = await world.person({ usdc: 0n })
  const port = (name: string, type: string) => ({ name, type, description: '', optional: false })
  const skill = (id: string, input: string, output: string, price: string) => ({
    id,
    name: id,
    description: `Turns ${input} into ${output}.`,
    inputs: [port('from', input)],
    outputs: [port('to', output)],
    price,
    tags: [],
    samples: [{ title: 'A small one', input: { text: 'hello' }, output: 'HELLO' }],
  })
  await world.publish(owner, {
    handle: 'loud-speaker',
    name: 'Loud speaker',
    summary: 'Shouts what it is given.',
    skills: [skill('text.shout', 'query.text', 'text.shout', '500000')],
  })
  await world.publish(owner, {
    handle: 'word-carrier',
    name: 'Word carrier',
    summary: 'Translates between languages.',
    readme: '# Translating\n\n![spy](https://example.com/pixel.png) [site](https://example.com)',
    skills: [skill('text.translate', 'query.text', 'text.plain', '2000000')],
  })
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

describe('the directory', () => {
  it('finds by a mistyped word, a price and a type, and restores the view from its address', async () => {
    const { page, faults } = await browser.open(`${web.url}/agents`)
    await page.getByText('2 agents').waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('tranlate')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('heading', { name: 'Word carrier' }).waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
    await page.goto(`${web.url}/agents?max=1`)
    await page.getByRole('heading', { name: 'Loud speaker' }).waitFor()
    expect(await page.getByRole('article').allTextContents()).toEqual([expect.stringContaining('Loud speaker')])
    await page.goto(`${web.url}/agents`)
    await page
      .getByRole('link', { name: /text\.shout/ })
      .first()
      .click()
    await page.waitForURL(/(output|skill)=text\.shout/)
    await page.reload()
    await page.getByRole('heading', { name: 'Loud speaker' }).waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
    await page.goto(`${web.url}/agents?q=zzzzzz`)
    await page.getByText('No agent matches your filters').waitFor()
    expect(faults).toEqual([])
  })

  it('shows a listing as typed functions with their price, and as JSON, Markdown and a DID document', async () => {
    const { page } = await browser.open(`${web.url}/agents/word-carrier`)
    await page.getByRole('heading', { name: 'Word carrier', level: 1 }).waitFor()
    const main = page.getByRole('main')
    expect(await main.textContent()).toMatch(/text\.translate.*query\.text.*text\.plain/s)
    await main.getByText('[picture not shown: spy]').waitFor()
    expect(await main.locator('img').count()).toBe(0)
    await expectAccessible(page)
    const [json, markdown, did] = await Promise.all(
      ['listing.json', 'listing.md', 'did.json'].map(async (file) => (await fetch(`${web.url}/agents/word-carrier/${file}`)).text()),
    )
    expect(JSON.parse(json ?? '')).toMatchObject({ handle: 'word-carrier', score: { n: 0 } })
    expect(markdown).toMatch(/^# Word carrier/)
    expect(JSON.parse(did ?? '').id).toMatch(/^did:web:/)
    const missing = await fetch(`${web.url}/agents/nobody/listing.json`)
    expect(missing.status).toBe(404)
    expect(await missing.json()).toMatchObject({ code: 'listing.not_found' })
  })
})

describe('publishing', () => {
  it('checks each field, shows the token once, and sees the agent arrive', async () => {
    const { page, faults } = await browser.open(`${web.url}/publish/new`)
    await signInWithDevelopmentWallet(page)
    const next = page.getByRole('button', { name: 'Next' })
    await next.click()
    await page.getByText('Use lower-case letters, digits and single hyphens').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Echo')
    await page.getByLabel('Handle').fill('echo-maker')
    await page.getByLabel('Summary').fill('Says it again.')
    await next.click()
    await page.getByRole('heading', { name: 'Skills and prices' }).waitFor()
    await page.getByLabel('Id', { exact: true }).fill('text.echo')
    await page.getByLabel('Name', { exact: true }).first().fill('Echo a text')
    await page.getByLabel(/^Price/).fill('0,5')
    await page.getByLabel('Name', { exact: true }).nth(1).fill('text')
    await page.getByLabel('Type').first().fill('query.text')
    await page.getByLabel('Name', { exact: true }).nth(2).fill('echo')
    await page.getByLabel('Type').nth(1).fill('text.echo')
    await next.click()
    await page.getByText('digits and at most one point').waitFor()
    await page.getByLabel(/^Price/).fill('0.5')
    await expectAccessible(page)
    await next.click()
    await page.getByRole('heading', { name: 'Preview', exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('This is the connect token. It is shown only once.').waitFor()
    await page.getByText('Waiting for your agent…').waitFor()
    await expectAccessible(page)
    const token = (await page.getByRole('status').locator('code').first().textContent()) ?? ''
    const session = await connect({ url: world.hubUrl, signer: await signerFromSeed(randomSeed()), token })
    try {
      await page.getByText('Your agent is connected.').waitFor()
    } finally {
      await session.close()
    }
    await page.goto(`${web.url}/publish`)
    await page.getByRole('link', { name: 'Echo', exact: true }).waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('main').textContent()).not.toContain(token)
    await page.getByRole('link', { name: 'Manage' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new token' }).click()
    // A stolen login alone must not take an agent over: the wallet signs.
    await page.getByText('Make a new token for @echo-maker').waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('This is the connect token. It is shown only once.').waitFor()
    const second = (await page.locator('code').first().textContent()) ?? ''
    expect(second).not.toBe(token)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByLabel(/^Price/).fill('0.75')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.waitForURL(/\/agents\/echo-maker$/)
    const history = page.getByRole('table', { name: 'Versions of this listing' })
    await history.getByText('0.75').waitFor()
    expect(await history.locator('del').textContent()).toContain('0.50')
    expect(faults).toEqual([])
  })

  it('lets the owner alone manage a listing', async () => {
    const { page } = await browser.open(`${web.url}/publish/loud-speaker`)
    await page.getByText('Sign in to manage this listing').waitFor()
    await signInWithDevelopmentWallet(page)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})

describe('asking directly', () => {
  it('sets a deposit aside, asks, shows the answer, and the publisher claims what it has earned', async () => {
    const owner = await world.person({ usdc: 0n })
    const port = (name: string, type: string) => ({ name, type, description: '', optional: false })
    const skill = { id: 'text.echo', name: 'Echo', description: 'Says it louder.', price: '500000', tags: [], samples: [] }
    const skills = [{ ...skill, inputs: [port('text', 'text.plain')], outputs: [port('loud', 'text.plain')] }]
    const { token } = await world.publish(owner, { handle: 'quick-echo', name: 'Quick echo', skills })
    const working = await agent({
      url: world.hubUrl,
      token,
      seed: randomSeed(),
      skills: { 'text.echo': ({ input }) => `${input.text.toUpperCase()}!` },
    })
    const client = await world.person()
    const { chainId, rpcUrl } = world.chain
    const walletOf = (person: TestPerson) => ({ prepare: (page: Page) => injectWallet(page, { account: person.account, rpcUrl, chainId }) })
    const { page, faults } = await browser.open(`${web.url}/agents/quick-echo`, walletOf(client))
    await signInWithTestWallet(page)
    await page.getByText('Enough for').waitFor()
    await page.getByLabel('Deposit in USDC').fill('0.1')
    await page.getByText('Set aside at least 0.50 USDC.').waitFor()
    await page.getByLabel('Deposit in USDC').fill('2')
    await page.getByText('4 calls').waitFor()
    await page.getByRole('button', { name: 'Set aside and ask' }).click()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('The agent needs this.').waitFor()
    await page.getByLabel('Text').fill('hello')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('HELLO!').waitFor()
    await page.getByText('Answered', { exact: true }).waitFor()
    await expectAccessible(page)

    const earning = await browser.open(`${web.url}/payouts`, walletOf(owner))
    await signInWithTestWallet(earning.page)
    const claim = earning.page.getByRole('button', { name: 'Claim the earnings of Quick echo' })
    await claim.waitFor()
    const { balanceOf } = world.system.ports.rail
    await world.until('the test money that signing in brings', async () => (await balanceOf(owner.account.address)) > 0n)
    const [earned, kept] = await Promise.all([owner, client].map((one) => balanceOf(one.account.address)))
    await claim.click()
    await world.until('the claim on chain', async () => (await balanceOf(owner.account.address)) - (earned ?? 0n) === 500_000n)

    await page.goto(`${web.url}/payouts`)
    await page.getByRole('button', { name: 'Top up the channel to Quick echo' }).click()
    await page.getByLabel('Amount in USDC').fill('1')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Top up', exact: true }).click()
    const channels = page.getByRole('table', { name: 'Your channels' })
    await channels.getByRole('row').filter({ hasText: 'Quick echo' }).getByText('3.00').waitFor()
    await page.getByRole('button', { name: 'Close the channel to Quick echo' }).click()
    await page.getByRole('button', { name: 'Close channel' }).click()
    // The server's key only gives notice: the publisher has a day to claim what it has earned.
    await page.getByText('refund due').waitFor()
    await world.chain.warp(86_401)
    await page.getByText('refunded', { exact: true }).waitFor()
    expect((await balanceOf(client.account.address)) - (kept ?? 0n)).toBe(1_500_000n)
    working.close()
    expect([...faults, ...earning.faults]).toEqual([])
  })
})
