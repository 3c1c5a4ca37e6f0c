import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, startBrowser, type TestBrowser } from '../support/browser.ts'
import { startBuiltinAgents, type TestAgents } from '../support/builtin-agents.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

let world: TestWorld
let builtin: TestAgents
let web: WebProcess
let browser: TestBrowser
beforeAll(async () => {
  world = await createWorld()
  builtin = await startBuiltinAgents(world, ['calculator'])
  web = await startWeb(world)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await builtin?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

describe('the command palette', () => {
  it('opens with the keyboard, finds pages and agents, and gives the focus back', async () => {
    const { page, faults } = await browser.open(web.url)
    await page.keyboard.press('Control+k')
    const input = page.getByRole('combobox', { name: 'Command menu' })
    await input.waitFor()
    await expectAccessible(page)
    await input.pressSequentially('want')
    await page.getByRole('option', { name: 'Wanted' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${web.url}/goals/wanted`)

    await page.getByRole('button', { name: 'Command menu' }).click()
    await input.fill('calculator')
    await page.getByRole('option', { name: /House Calculator/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${web.url}/agents/house-calculator`)

    await page.keyboard.press('Control+k')
    await input.fill('zzzzqqqq')
    await page.getByText('Nothing matches these words.').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await input.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })
})
