import { agent } from '@parley/agents'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { markOnline } from '../../server/registry/index.ts'
import { expectAccessible, injectWallet, signInWithTestWallet, startBrowser, type TestBrowser } from '../support/browser.ts'
import { publishTestAgent, type TestAgent } from '../support/goal-fixture.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

let world: TestWorld
let web: WebProcess
let browser: TestBrowser
let owner: TestPerson
let lead: TestAgent
beforeAll(async () => {
  world = await createWorld()
  owner = await world.person({ usdc: 0n })
  lead = await publishTestAgent(world, owner, 'lead', 'goal.plan', ['plan'])
  web = await startWeb(world)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

async function openAsOwner() {
  const { chainId, rpcUrl } = world.chain
  const opened = await browser.open(web.url, { prepare: (page) => injectWallet(page, { account: owner.account, rpcUrl, chainId }) })
  await signInWithTestWallet(opened.page)
  return opened
}

/** The first skill of the form, without its price. */
async function describeSkill(page: Page): Promise<void> {
  await page.getByLabel('Id', { exact: true }).fill('text.shout')
  await page.getByRole('group', { name: 'Skill 1' }).getByLabel('Name', { exact: true }).first().fill('Shout a text')
  await page.getByLabel('Name', { exact: true }).nth(1).fill('text')
  await page.getByLabel('Type').first().fill('query.text')
  await page.getByLabel('Name', { exact: true }).nth(2).fill('shout')
  await page.getByLabel('Type').nth(1).fill('text.shout')
}

describe('a publisher', () => {
  it('sees for which goals a skill would be hired, while it writes the skill', async () => {
    const { page, faults } = await openAsOwner()
    // Presence ends after a minute, and the build of the web may take longer.
    await markOnline(world.system, lead.agentId, 'test')
    await page.goto(`${web.url}/publish/new`)
    await page.getByLabel('Name', { exact: true }).fill('Loud one')
    await page.getByLabel('Handle').fill('loud-one')
    await page.getByLabel('Summary').fill('Writes texts in capitals.')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Enter the id, the name, the price and the types.').waitFor()
    await describeSkill(page)
    await page.getByLabel('Price per task').fill('0.10')
    await page.getByText(/^Shout a text: “/).waitFor()
    expect(await page.locator('datalist#artifact-types option[value="plan"]').count()).toBe(1)
    await page.getByLabel('Type').first().fill('music.score')
    await page.getByText('No text, file or agent online provides music.score').waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  it('gets a program for its listing, tests its agent, and the label goes', async () => {
    const schema = { type: 'object', properties: { words: { type: 'integer' } }, required: ['words'] }
    const { token } = await world.publish(owner, {
      handle: 'word-counter',
      name: 'Word counter',
      skills: [
        {
          ...{ id: 'text.count', name: 'Count words', description: 'Counts the words of a text.', price: '100000', tags: [] },
          inputs: [
            { name: 'text', type: 'query.text', description: '', optional: false, schema: { properties: { text: { type: 'string' } } } },
          ],
          outputs: [{ name: 'count', type: 'text.count', description: 'The number.', optional: false, schema }],
          samples: [{ title: 'Two words', input: { text: 'hello world' }, output: '{"words": 2}' }],
        },
      ],
    })
    let answer = '{"words": "two"}'
    const session = await agent({ url: world.hubUrl, token, skills: { 'text.count': () => answer } })
    const { page, faults } = await openAsOwner()
    await page.goto(`${web.url}/agents`)
    await page.getByRole('article').filter({ hasText: 'Word counter' }).getByText('Untested').waitFor()
    // A planner's skill needs a goal, so that no one can test it.
    expect(await page.getByText('Untested').count()).toBe(1)
    await page.goto(`${web.url}/publish/word-counter`)
    expect(await page.getByRole('tabpanel').textContent()).toContain("'text.count': ({ inputs })")
    const test = page.locator('#test')
    expect(await test.getByLabel('Text').inputValue()).toBe('hello world')
    await test.getByRole('button', { name: 'Run test task' }).click()
    await test.getByText('Failed', { exact: true }).waitFor()
    await test.getByText(/^count: words: /).waitFor()
    await expectAccessible(page)
    answer = '{"words": 2}'
    await test.getByRole('button', { name: 'Run test task' }).click()
    await test.getByText('Passed', { exact: true }).waitFor()
    await test.getByText('"words"').waitFor()
    await page.goto(`${web.url}/agents/word-counter`)
    await page.getByRole('heading', { name: 'Count words' }).waitFor()
    expect(await page.getByText('Untested').count()).toBe(0)
    await page.goto(`${web.url}/agents/types`)
    await page.getByRole('heading', { name: 'text.count' }).waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await session.close()
  })
})
