import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToMarkdown, htmlToText } from '../../../../../agents/builtin/tools/formats/html-to-markdown-or-text.ts'
import { markdownToHtml, markdownTool } from '../../../../../agents/builtin/tools/formats/markdown-tool.ts'
import { isSafeAddress, parseSafeHtml, writeHtml } from '../../../../../agents/builtin/tools/formats/parse-safe-html.ts'
import { type AttachedText, askFormat } from './ask-format.ts'

const ask = (text: string, ...files: AttachedText[]) => askFormat(markdownTool, text, ...files)

describe('format.markdown', () => {
  it.each([
    [
      'Convert this markdown to html: # Title\n\nHello **world**\n\n- one\n- two',
      '<h1>Title</h1>\n<p>Hello <strong>world</strong></p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>',
    ],
    ['turn this into html: **hi** there', '<p><strong>hi</strong> there</p>'],
    [
      'html to markdown: <h1>Hi</h1><p>A <b>bold</b> <a href="https://e.org">link</a>.</p><ul><li>one<ul><li>two</li></ul></li></ul>',
      '# Hi\n\nA **bold** [link](https://e.org).\n\n- one\n  - two',
    ],
    ['Turn `<b>x</b>` into markdown', '**x**'],
    ['strip the html tags from <p>Hello <b>you</b></p><p>Bye</p>', 'Hello you\n\nBye'],
    ['Remove all HTML tags: <div>a<br>b</div>', 'a\nb'],
    ['remove markdown formatting from: **bold** and _it_', 'bold and it'],
    ['please convert html to plain text\n<table><tr><th>a</th><th>b</th></tr></table><script>x()</script>', 'a\tb'],
  ])('answers %j', async (goal, answer) => {
    const [, ...lines] = (await ask(goal)).split('\n')
    expect(lines.join('\n')).toBe(answer)
  })

  it('works on an attached file', async () => {
    expect(await ask('Convert the attached markdown file to HTML', { name: 'a.md', text: '# R' })).toBe('As HTML:\n<h1>R</h1>')
    expect(await ask('convert this README to HTML please', { name: 'README.md', text: '*x*' })).toBe('As HTML:\n<p><em>x</em></p>')
  })

  it.each([
    'write an html page about cats',
    'convert this html to pdf: <p>a</p>',
    'markdown to html and translate to german: # Hi',
    'explain markdown',
    'turn this into html: hello',
    '<script>alert(document.cookie)</script>',
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('writes HTML in which nothing runs', async () => {
    const html = await markdownToHtml(
      '<script>alert(1)</script> [x](javascript:alert(1)) ![y](data:text/html,z) <a onclick="b()">c</a>\n\n<iframe src="https://e.org"></iframe>',
    )
    expect(html).not.toMatch(/<script|<iframe|<a [^>]*(?:javascript|onclick)|src="data:/)
    expect(isSafeAddress('java\nscript:alert(1)')).toBe(false)
    expect(isSafeAddress(' JAVASCRIPT:alert(1)')).toBe(false)
    expect(isSafeAddress('/a?b=c:d')).toBe(true)
    await fc.assert(
      fc.asyncProperty(
        fc.string({
          unit: fc.constantFrom('<', '>', 'script', 'img ', 'src=', 'onerror=', '"', "'", '[a](', 'javascript:', ')', '`', '\n', 'x'),
          maxLength: 30,
        }),
        async (text) => {
          const written = await markdownToHtml(text)
          expect(writeHtml(parseSafeHtml(written)).trim()).toBe(written.trim())
          expect(written).not.toMatch(/<script|<[^>]*(?:href|src)="\s*javascript:/i)
          // Outside of the values of attributes.
          expect(written.replace(/"[^"]*"/g, '""')).not.toMatch(/<[a-z]+[^>]* on[a-z]+=/i)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('keeps code, tables and marks', () => {
    expect(htmlToMarkdown('<pre><code class="language-js">let a = `b`\n</code></pre>')).toBe('```js\nlet a = `b`\n```\n')
    expect(htmlToMarkdown('<table><tr><th>a</th><th align="right">b|c</th></tr><tr><td>1</td><td>2</td></tr></table>')).toBe(
      '| a | b\\|c |\n| --- | ---: |\n| 1 | 2 |\n',
    )
    expect(htmlToMarkdown('<p>1 * 2 * 3 and snake_case</p>')).toBe('1 \\* 2 \\* 3 and snake\\_case\n')
    expect(htmlToMarkdown('<blockquote><p>a</p><p>b</p></blockquote><hr>')).toBe('> a\n>\n> b\n\n---\n')
    expect(htmlToMarkdown('<ol start="3"><li>c</li><li>d</li></ol>')).toBe('3. c\n4. d\n')
    expect(htmlToText('<p>See <a href="https://e.org">this</a>&nbsp;&amp; that</p>')).toBe('See this (https://e.org) & that\n')
  })

  it('writes Markdown that means the same text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z*_`#>\-+.1()[\]<& ]{1,30}$/), async (text) => {
        const markup = writeHtml([{ tag: 'p', attributes: {}, children: [text] }])
        const again = await markdownToHtml(htmlToMarkdown(markup))
        expect(htmlToText(again)).toBe(htmlToText(markup))
      }),
      { numRuns: 500 },
    )
  })
})
