import { describe, expect, it } from 'vitest'
import { inspectSvg } from '../../../server/safety/inspect-svg.ts'

const svg = (inside: string, attributes = '') => `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inside}</svg>`

describe('inspectSvg', () => {
  it.each([
    ['a script', svg('<script>alert(1)</script>')],
    ['a script in another case', svg('<SCRIPT>alert(1)</SCRIPT>')],
    ['a script under a prefix', svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>')],
    ['a foreign object', svg('<foreignObject><p>hi</p></foreignObject>')],
    ['an event handler', svg('', ' onload="alert(1)"')],
    ['an event handler on a shape', svg(`<rect\nonclick = 'alert(1)'/>`)],
    ['a remote image', svg('<image href="https://example.org/a.png"/>')],
    ['a remote image by xlink', svg('<image xlink:href="//example.org/a.png"/>')],
    ['a remote shape', svg('<use href="other.svg#a"/>')],
    ['a script address', svg('<a href="javascript:alert(1)"><text>x</text></a>')],
    ['a hidden script address', svg('<a href="java&#x0A;script:alert(1)"><text>x</text></a>')],
    ['an SVG inside a data address', svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>')],
    ['an animated reference', svg('<a><set attributeName="href" to="#x"/></a>')],
    ['an animated handler', svg('<animate attributeName="onclick" to="1"/>')],
    ['an imported style', svg('<style>@import "https://example.org/a.css";</style>')],
    ['an imported style in CDATA', svg('<style><![CDATA[@import "https://example.org/a.css";]]></style>')],
    ['a remote paint', svg('<rect fill="url(https://example.org/a.svg#x)"/>')],
    ['a remote paint in a style', svg('<rect style="fill:url(//example.org/x)"/>')],
    ['an escaped remote paint', svg('<rect style="fill:\\75rl(//example.org/x)"/>')],
    ['a remote font', svg('<style>@font-face{src:url("https://example.org/f.woff")}</style>')],
    ['an encoded remote paint', svg('<style>a{fill:&#117;rl(//example.org)}</style>')],
    ['a base address', svg('', ' xml:base="https://example.org/"')],
    ['a document type', `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('&x;')}`],
    ['a style sheet instruction', `<?xml version="1.0"?><?xml-stylesheet href="a.css"?>${svg('')}`],
    ['an embedded page', svg('<iframe src="https://example.org"/>')],
    ['an unquoted attribute', svg('<rect width=1/>')],
    ['an unfinished tag', '<svg><rect'],
    ['an open comment', svg('<!-- ')],
    ['open CDATA', svg('<![CDATA[ ')],
    ['another root', '<html><svg/></html>'],
    ['nothing', ''],
    ['words', 'hello'],
  ])('refuses %s', (_what, text) => {
    expect(inspectSvg(text)).toMatch(/^\S.+\.$/)
  })

  it.each([
    [
      'a declaration, a comment and shapes',
      `<?xml version="1.0" encoding="UTF-8"?>\n<!-- a chart -->\n${svg('<title>Revenue &lt; 200</title><path d="M0 0L1 1"/>')}`,
    ],
    ['paint from inside', svg('<defs><linearGradient id="g"/></defs><rect fill="url(#g)" clip-path="url( #c )"/>')],
    ['a shape from inside', svg('<use xlink:href="#a"/>')],
    ['a picture it carries along', svg('<image href="data:image/png;base64,iVBORw0KGgo="/>')],
    ['a style of its own', svg('<style><![CDATA[.bar{fill:#123;transform:scale(1)}]]></style>')],
    ['a label that speaks of behavior: and url(x)', svg('<text>behavior: url(x) @import</text>', ' aria-label="behavior: x"')],
    ['a motion', svg('<rect><animate attributeName="width" from="0" to="9" dur="1s"/></rect>')],
  ])('takes %s', (_what, text) => {
    expect(inspectSvg(text)).toBeNull()
  })

  it.each(['<svg ', '<!--', '<svg a="', '<svg><a "', '<![CDATA[', '<svg>&#'])('reads 2 MiB of %j in linear time', (unit) => {
    const text = `<svg>${unit.repeat(Math.floor(2_000_000 / unit.length))}`
    const begun = process.cpuUsage()
    inspectSvg(text)
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(2_000)
  })
})
