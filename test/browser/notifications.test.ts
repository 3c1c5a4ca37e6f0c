import { createHmac, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schedule } from '../../server/delivery/index.ts'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { createMissingNotifications } from '../../server/notifications/index.ts'
import { expectAccessible, injectWallet, signInWithTestWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

let receiver: WebhookReceiver
let world: TestWorld
let web: WebProcess
let browser: TestBrowser
let operator: TestPerson
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  const port = await anyFreePort()
  world = await createWorld({
    hub: false,
    env: { PUBLIC_URL: `http://localhost:${port}`, WEBHOOK_ALLOWED_ORIGINS: receiver.origin },
  })
  operator = await world.person({ usdc: 0n })
  web = await startWeb(world, { OPERATOR_WALLETS: operator.account.address }, port)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

const looks = [
  ['light', 1280],
  ['dark', 390],
] as const

async function examine(page: Page): Promise<void> {
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 860 })
    await expectAccessible(page, `${colorScheme} at ${width} px`)
  }
  await page.setViewportSize({ width: 1280, height: 860 })
}

async function openAs({ account }: TestPerson, path: string) {
  const { chainId, rpcUrl } = world.chain
  const opened = await browser.open(`${web.url}${path}`, { prepare: (page) => injectWallet(page, { account, rpcUrl, chainId }) })
  await signInWithTestWallet(opened.page)
  return opened
}

/** A demand that agents online can now do. */
async function meetDemand({ did }: TestPerson, text: string): Promise<void> {
  const now = world.clock.now()
  const row = { id: world.system.ids.next('dmd'), postId: randomUUID(), clientId: did, text, state: 'met' }
  await world.system.db.demand.create({ data: { ...row, postedAt: now, checkedAt: now, metAt: now } })
}

describe('notifications', () => {
  it('go to a confirmed address and a signed webhook, and end by the link of a mail', async () => {
    const client = await world.person({ usdc: 0n })
    const { page, faults } = await openAs(client, '/account')
    const section = page.locator('#notifications')
    await section.getByLabel('E-mail address').fill('client@example.org')
    await section.getByRole('button', { name: 'Send code' }).click()
    await section.getByText('Not confirmed').waitFor()
    await examine(page)

    await section.getByRole('link', { name: 'your outbox' }).click()
    const heading = page.getByRole('heading', { name: /^Your code is \d{6}$/ })
    const code = /\d{6}/.exec((await heading.textContent()) ?? '')?.[0] ?? ''
    await page.getByText('To client@example.org').waitFor()
    await examine(page)
    await page.getByRole('link', { name: 'Account', exact: true }).first().click()
    await section.getByLabel('Code').fill(code === '000000' ? '000001' : '000000')
    await section.getByRole('button', { name: 'Confirm address' }).click()
    await section.getByText('The code is wrong or no longer valid.').waitFor()
    await section.getByLabel('Code').fill(code)
    await section.getByRole('button', { name: 'Confirm address' }).click()
    await section.getByText('Confirmed', { exact: true }).waitFor()

    await section.getByLabel('Webhook URL').fill('https://127.0.0.1/hook')
    await section.getByRole('button', { name: 'Save webhook' }).click()
    await section.getByText("127.0.0.1 lies inside this machine's network.").waitFor()
    await section.getByLabel('Webhook URL').fill(`${receiver.origin}/hook`)
    await section.getByRole('button', { name: 'Save webhook' }).click()
    const secret = (await section.getByText(/^whsec_/).textContent()) ?? ''
    await section.getByRole('button', { name: 'Send test event' }).click()
    await section.getByText('The receiver answered with 204').waitFor()
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: '' }
    const [, at, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['parley-signature'])) ?? []
    expect(signature).toBe(createHmac('sha256', secret).update(`${at}.${body}`).digest('hex'))
    await examine(page)
    await page.reload()
    await section.getByRole('button', { name: 'Replace secret' }).waitFor()
    expect(await page.content()).not.toContain('whsec_')

    await section.getByRole('group', { name: 'Agents can do your request' }).getByLabel('Webhook').uncheck()
    await meetDemand(client, 'Paint my boat.')
    await world.until('the choice to be saved', async () => {
      const setting = await world.system.db.notificationSetting.findUnique({ where: { personId: client.did } })
      return setting !== null && setting.webhookEvents.length > 0 && !setting.webhookEvents.includes('demand')
    })
    await createMissingNotifications(world.system)
    await world.until('the mail', () => world.system.db.outboxMail.findFirst({ where: { subject: 'Post your goal: Paint my boat.' } }))
    await page.goto(`${web.url}/account/outbox`)
    await page.getByRole('link', { name: /\/unsubscribe\?token=/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Unsubscribe' }).waitFor()
    await examine(page)

    // The link works without a login.
    const elsewhere = await browser.open(page.url())
    await elsewhere.page.getByRole('button', { name: 'Unsubscribe' }).click()
    await elsewhere.page.getByText('You get no more mails about your goals').waitFor()
    await examine(elsewhere.page)
    await page.goto(`${web.url}/account`)
    const review = section.getByRole('group', { name: 'Result to review' })
    await review.waitFor()
    expect([await review.getByLabel('E-mail').isChecked(), await review.getByLabel('Webhook').isChecked()]).toEqual([false, true])
    expect([...faults, ...elsewhere.faults].filter((fault) => !fault.includes('400'))).toEqual([])
  })

  it('that fail show why, to the person who sends them again and to operators', async () => {
    const client = await world.person({ usdc: 0n })
    const { page } = await openAs(client, '/account')
    const section = page.locator('#notifications')
    await section.getByLabel('Webhook URL').fill(`${receiver.origin}/hook`)
    await section.getByRole('button', { name: 'Save webhook' }).click()
    await section.getByText(/^whsec_/).waitFor()
    receiver.answer = { status: 503 }
    await section.getByRole('button', { name: 'Send test event' }).click()
    await section.getByText('The test event was not delivered').waitFor()
    await meetDemand(client, 'Paint my house.')
    // As the clock of the job queue does each minute.
    await schedule(world.system, 'create-notifications', {})
    const where = { personId: client.did, event: 'demand' }
    await world.until('the first attempt', () =>
      world.system.db.notification.findFirst({ where: { ...where, attempts: 1, error: { not: null } } }),
    )
    await page.reload()
    await page.getByText('Retrying').waitFor()
    await world.system.db.notification.updateMany({ where, data: { attempts: 7, nextAttemptAt: world.clock.now() } })
    await world.until('the dead letter', () => world.system.db.notification.findFirst({ where: { ...where, state: 'dead' } }))
    await page.reload()
    await page.getByText('1 notification was not sent').waitFor()
    await examine(page)

    const admin = await openAs(operator, '/admin')
    await admin.page.getByRole('heading', { name: 'Notifications that were not sent' }).waitFor()
    await admin.page.getByText('It answered with 503.').waitFor()
    await examine(admin.page)

    receiver.answer = { status: 204 }
    await page.getByRole('button', { name: 'Send again: Agents can do your request' }).click()
    await page.getByText('Sent', { exact: true }).first().waitFor()
    await world.until('the delivery', () => world.system.db.notification.findFirst({ where: { ...where, state: 'sent' } }))
  })
})
