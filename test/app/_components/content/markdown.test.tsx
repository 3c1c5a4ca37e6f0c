import { NextIntlClientProvider } from 'next-intl'
import type { ComponentProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from '../../../../app/_components/content/markdown.tsx'
import { messages } from '../../../../app/_messages/en/index.ts'
import { parse } from '../../../../server/markdown/worker.ts'

const markup = (of: ComponentProps<typeof Markdown>) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <Markdown {...of} />
    </NextIntlClientProvider>,
  )
const render = (text: string) => markup({ text, tree: parse(text) })

describe('Markdown', () => {
  it('shows no picture of another host, for every syntax', () => {
    for (const source of ['https://example.com/a.png', '//example.com/a.png', 'data:image/svg+xml,x', 'chart.png']) {
      const html = render(`![a chart](${source})`)
      expect(html, source).not.toContain('<img')
      expect(html, source).toContain('a chart')
    }
  })

  it('shows a picture of this host', () => {
    expect(render('![a chart](/api/artifacts/x)')).toContain('<img src="/api/artifacts/x"')
  })

  it('cannot be led to another host by a backslash', () => {
    const source = /src="([^"]*)"/.exec(render('![a chart](/\\example.com/a.png)'))?.[1] ?? '/'
    expect(new URL(source, 'http://here').host).toBe('here')
  })

  it('drops scripts, frames, handlers and links that run', () => {
    const html = render(
      '<script>alert(1)</script><iframe src="/"></iframe><p onclick="x()">hi</p>\n\n[go](javascript:alert(1)) [data](data:text/html,x)',
    )
    expect(html).not.toMatch(/<script|<iframe|<[^>]*onclick|href="(javascript|data):/i)
  })

  it('marks links as a stranger’s, and opens them apart', () => {
    const html = render('[site](https://example.com)')
    expect(html).toContain('rel="nofollow noopener noreferrer ugc"')
    expect(html).toContain('target="_blank"')
  })

  it('keeps headings below those of the page', () => {
    expect(render('# Title\n\n## Part')).toMatch(/<h3[^>]*>Title<\/h3>[\s\S]*<h4[^>]*>Part<\/h4>/)
  })

  it('shows the text as it stands, lines and all, where it was not parsed', () => {
    const html = markup({ text: '# a\n<b>b</b>', tree: null })
    expect(html).toContain('whitespace-pre-wrap')
    expect(html).toContain('# a\n&lt;b&gt;b&lt;/b&gt;')
  })

  it('shows raw markup as text', () => {
    expect(render('a <b>c</b>\n\n<div>d</div>')).toContain('&lt;b&gt;c&lt;/b&gt;')
  })

  it('draws tables of figures', () => {
    expect(render('| a | b |\n|---|---|\n| 1 | 2 |')).toContain('<td')
  })
})
