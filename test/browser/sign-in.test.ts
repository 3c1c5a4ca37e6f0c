import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
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
import { createWorld, type TestWorld } from '../support/world.ts'

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

const account = () => privateKeyToAccount(generatePrivateKey())

describe('signing in', () => {
  it('takes a newcomer without any wallet to test money, with the development wallet', async () => {
    const { page, faults } = await browser.open(`${web.url}/account`)
    await page.getByText('Test money on a local chain. Nothing here has value.').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /Development wallet/ }).click()
    const confirm = page.getByRole('dialog', { name: 'Sign a message' })
    await confirm.getByText('Development wallet: test money only').waitFor()
    expect(await confirm.textContent()).toContain('This moves no money')
    await expectAccessible(page)
    await confirm.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('1,000.00').waitFor()
    await page.getByText('This session').waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  it('leaves who refuses signed out, and reports that nothing happened', async () => {
    const { page } = await browser.open(web.url)
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /Development wallet/ }).click()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('You declined in the wallet. Nothing was signed and no money moved.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
    expect((await page.context().cookies()).filter((cookie) => cookie.name.includes('session'))).toEqual([])
  })

  it('takes any wallet that announces itself, and keeps its session from the page’s scripts', async () => {
    const own = account()
    const prepare = (page: Parameters<typeof injectWallet>[0]) =>
      injectWallet(page, { account: own, rpcUrl: world.chain.rpcUrl, chainId: world.chain.chainId })
    const { page } = await browser.open(web.url, { prepare })
    await signInWithTestWallet(page)
    const [cookie] = (await page.context().cookies()).filter((one) => one.name === 'parley_session')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    expect(await page.evaluate(() => document.cookie)).not.toContain('session')
    // Once more on the same page, which knows the wallet by now.
    await page.getByRole('button', { name: /^Account 0x/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInWithTestWallet(page)
  })

  it('keeps what is pressed and filled in before the page’s scripts have come', async () => {
    const { chainId, rpcUrl } = world.chain
    const { page, faults } = await browser.open(web.url, {
      prepare: (opened) => injectWallet(opened, { account: account(), rpcUrl, chainId }),
    })
    // Kept back as by a slow line or a slow machine.
    let scripts = Promise.withResolvers<void>()
    await page.route('**/_next/static/**/*.js', async (route) => {
      await scripts.promise
      await route.continue()
    })
    const early = async (path: string, act: () => Promise<void>) => {
      scripts = Promise.withResolvers()
      await page.goto(`${web.url}${path}`, { waitUntil: 'commit' })
      await act()
      scripts.resolve()
    }
    await early('/', async () => {
      await page.getByTitle('Dark').click()
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    })
    await page.getByRole('button', { name: /Test wallet/ }).click()
    await page.getByRole('button', { name: /^Account 0x/ }).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await early('/publish/new', () => page.getByLabel('Summary').fill('Counts what it reads'))
    await page.getByText('180 characters left.').waitFor()
    expect(await page.getByLabel('Summary').inputValue()).toBe('Counts what it reads')
    // The press of before has not stayed to be done twice.
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('refuses the account that signs another’s name', async () => {
    const [claimed, real] = [account(), account()]
    const forger = { ...real, address: claimed.address }
    const prepare = (page: Parameters<typeof injectWallet>[0]) =>
      injectWallet(page, { account: forger, rpcUrl: world.chain.rpcUrl, chainId: world.chain.chainId })
    const { page } = await browser.open(web.url, { prepare })
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /Test wallet/ }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(
      await world.world
        .contextFor({ kind: 'anonymous' })
        .db.session.count({ where: { personId: { contains: claimed.address.toLowerCase() } } }),
    ).toBe(0)
  })

  it('ends a session everywhere from the account page', async () => {
    const { page } = await browser.open(`${web.url}/account`)
    await signInWithDevelopmentWallet(page)
    await page.getByRole('button', { name: /^Sign out Chrome/ }).click()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await page.getByText('You are not signed in').waitFor()
  })
})

describe('the page’s defences', () => {
  it('refuses a write that another site makes in the reader’s name', async () => {
    const answer = await fetch(`${web.url}/api/trpc/identity.signOut`, { method: 'POST', headers: { origin: 'https://elsewhere.example' } })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code: 'auth.origin_refused' })
  })

  it('takes a large body only with a login, and none beyond what a goal with attachments needs', async () => {
    const body = 'x'.repeat(13 * 1024 * 1024)
    const headers = { 'content-type': 'application/json' }
    const announced = await fetch(`${web.url}/api/trpc/identity.signIn`, { method: 'POST', headers, body })
    expect(announced.status).toBe(413)
    const stream = new Blob([body]).stream()
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: stream, duplex: 'half' }
    expect((await fetch(`${web.url}/api/trpc/identity.signIn`, init)).status).toBeGreaterThanOrEqual(400)
    const post = async (bytes: number, cookie: string) => {
      const answer = await fetch(`${web.url}/api/trpc/goals.post`, {
        method: 'POST',
        headers: { ...headers, cookie },
        body: JSON.stringify({ json: 'x'.repeat(bytes) }),
      })
      return answer.status
    }
    const { page } = await browser.open(web.url)
    await signInWithDevelopmentWallet(page)
    const [session] = (await page.context().cookies()).filter((one) => one.name === 'parley_session')
    const cookie = `parley_session=${session?.value}`
    // 400: the pages have read it, and it is no goal.
    expect([await post(100_000, ''), await post(100_000, 'parley_session=x'), await post(100_000, cookie)]).toEqual([413, 413, 400])
    expect([await post(8_000_000, cookie), await post(9_000_000, cookie)]).toEqual([400, 413])
    expect((await fetch(`${web.url}/api/health`)).status).toBe(200)
  })

  it('shows a page of its own for what is not there, with the status to match', async () => {
    const { page } = await browser.open(`${web.url}/agents/nobody-here`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect((await fetch(`${web.url}/nowhere`)).status).toBe(404)
    await expectAccessible(page)
  })
})
