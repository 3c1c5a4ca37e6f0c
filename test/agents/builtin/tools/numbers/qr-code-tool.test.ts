import { describe, expect, it } from 'vitest'
import { drawQrCode, qrCodeTool } from '../../../../../agents/builtin/tools/numbers/qr-code-tool.ts'
import { askTool, runTool, toolGoal } from './ask-tool.ts'

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
]

/** The dark modules of the drawing, without its margin. */
function modulesOf(svg: string): boolean[][] {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) - 8
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g))
    for (let step = 0; step < Number(width); step++) (modules[Number(y) - 4] as boolean[])[Number(x) - 4 + step] = true
  return modules
}

/** Reads a code of version 1 in byte mode, as ISO/IEC 18004 defines, without error correction. */
function decode(svg: string): string {
  const modules = modulesOf(svg)
  expect(modules).toHaveLength(21)
  const at = (row: number, column: number): number => Number(modules[row]?.[column])
  const mask = masks[(at(8, 2) * 4 + at(8, 3) * 2 + at(8, 4)) ^ 0b101] as (row: number, column: number) => boolean
  const isFunction = (row: number, column: number) =>
    (row < 9 && column < 9) || (row < 9 && column > 12) || (row > 12 && column < 9) || row === 6 || column === 6
  let bits = ''
  for (let right = 20, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5
    for (let step = 0; step < 21; step++)
      for (const column of [right, right - 1]) {
        const row = isUp ? 20 - step : step
        if (!isFunction(row, column)) bits += at(row, column) ^ Number(mask(row, column))
      }
  }
  expect(bits.slice(0, 4)).toBe('0100')
  const length = Number.parseInt(bits.slice(4, 12), 2)
  const bytes = Array.from({ length }, (_, index) => Number.parseInt(bits.slice(12 + index * 8, 20 + index * 8), 2))
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

const read = (text: string) => {
  const reading = qrCodeTool.readGoal(toolGoal(text))
  return reading && 'query' in reading ? reading.query.text : reading
}

describe('image.qr', () => {
  it.each(['Hello', 'a&b <c>', 'Grüße 🎉', 'x'])('draws %s so that a reader gets it back', (text) => {
    expect(decode(drawQrCode(text, 'M').svg)).toBe(text)
  })

  it.each([
    ['Make a QR code for https://example.com/a?b=1', 'https://example.com/a?b=1'],
    ['Generate a QR code with the text "Hello, world"', 'Hello, world'],
    ['qr code: "Grüße 🎉"', 'Grüße 🎉'],
    ['I need a QR code that links to www.parley.example please', 'https://www.parley.example'],
    ['QR code for my email jane.doe@example.org', 'mailto:jane.doe@example.org'],
    ['Create a QR code for my phone number +49 170 1234567', 'tel:+491701234567'],
    ['Create a QR code for the wifi network "Home" with password "se;cret"', 'WIFI:T:WPA;S:Home;P:se\\;cret;;'],
    ['Please create a QR code saying Happy Birthday Anna', 'Happy Birthday Anna'],
    ['Can you turn "12345" into a QR code?', '12345'],
    ['QR code of example.com as SVG', 'https://example.com'],
    ['Could you give me a QR-code with this address: https://example.com/menu.', 'https://example.com/menu'],
  ])('%s', (goal, text) => {
    expect(read(goal)).toBe(text)
  })

  it('answers with the size, and makes one file for each text', async () => {
    const { outputs, text } = await runTool(qrCodeTool, 'Draw QR codes for "https://example.com" and "B" with high error correction')
    expect(text).toBe('QR code of “https://example.com” (29 × 29 modules, error correction H). And 1 more.')
    expect(outputs.map(({ name, media_type, artifact_type }) => [name, media_type, artifact_type])).toEqual([
      ['qr-code.svg', 'image/svg+xml', 'image.svg'],
      ['qr-code-2.svg', 'image/svg+xml', 'image.svg'],
    ])
  })

  it('writes the text into the description without markup', () => {
    const { svg } = drawQrCode('</desc><script>', 'M')
    expect(svg).toContain('<desc>&#60;/desc&#62;&#60;script&#62;</desc>')
  })

  it('asks for the text if there is none', async () => {
    expect(await askTool(qrCodeTool, 'Make a QR code')).toBe(
      'asks: Which text or address does the QR code hold? Write it in quotation marks.',
    )
  })

  it('refuses a text that is too long', () => {
    expect(() => drawQrCode('a'.repeat(2_001), 'M')).toThrow('The text has 2001 bytes; a QR code of mine holds at most 2000.')
    expect(() => drawQrCode('ä'.repeat(1_000), 'H')).toThrow(/does not fit into a QR code with error correction H/)
  })

  it.each([
    'What is a QR code?',
    'Read this QR code',
    'Write an article about QR codes: "history"',
    'Explain how a QR code works',
    'Build a website with a QR code for https://example.com',
    'Make a link to https://example.com',
    'Erstelle einen QR-Code für https://example.com und schicke ihn mir',
  ])('does not take %s', async (goal) => {
    expect(await askTool(qrCodeTool, goal)).toBe('not taken')
  })
})
