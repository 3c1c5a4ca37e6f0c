import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'

const root = path.join(import.meta.dirname, '../..')
const font = readFileSync(path.join(root, 'node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2')).toString('base64')
const [, rule = ''] = /input,\s*textarea,\s*select \{([^}]*)\}/.exec(readFileSync(path.join(root, 'app/globals.css'), 'utf8')) ?? []

it('a text field lays out a long word of one letter as fast as any other text', async () => {
  await using browser = await startBrowser()
  const { page } = await browser.open('about:blank')
  /** Milliseconds until 6,000 times `x` stand in a field of this style. */
  const layOut = async (style: string) => {
    const face = `@font-face { font-family: Geist; src: url(data:font/woff2;base64,${font}) }`
    await page.setContent(`<style>${face}</style><textarea style="font-family: Geist; ${style}"></textarea>`)
    return page.locator('textarea').evaluate(async (field: HTMLTextAreaElement) => {
      await document.fonts.load('16px Geist')
      const begun = performance.now()
      field.value = 'x'.repeat(6_000)
      field.getBoundingClientRect()
      return performance.now() - begun
    })
  }
  expect(await layOut(rule)).toBeLessThan((await layOut('')) / 5)
})
