import { describe, expect, it } from 'vitest'
import { colourTool } from '../../../../../agents/builtin/tools/formats/colour-tool.ts'
import { parseColour, writeColour } from '../../../../../agents/builtin/tools/formats/colours.ts'
import { cssColours } from '../../../../../agents/builtin/tools/formats/css-colours.ts'
import { askFormat } from './ask-format.ts'

const ask = (text: string) => askFormat(colourTool, text)

describe('format.colour', () => {
  it.each([
    ['What colour is #3a7bd5 in rgb and hsl?', '#3a7bd5 = rgb(58, 123, 213) = hsl(215, 65%, 53%).'],
    ['hex code for red', 'red = #ff0000.'],
    ['rgb(255, 99, 71) to hex please', 'rgb(255, 99, 71) = #ff6347. In CSS its name is tomato.'],
    ['convert hsl(120, 100%, 25%) to rgb', 'hsl(120, 100%, 25%) = rgb(0, 128, 0). In CSS its name is green.'],
    ['what is the hex of 58,123,213', '58,123,213 = #3a7bd5.'],
    ['#ff000080 in rgba', '#ff000080 = rgba(255, 0, 0, 0.502).'],
    ['what is the RGB of sky blue', 'skyblue = rgb(135, 206, 235).'],
    ['hex for dark olive green', 'darkolivegreen = #556b2f.'],
    ['hsv of #00ff80', '#00ff80 = hsv(150, 100%, 100%).'],
    ['I need the hex and hsl values of tomato and teal', 'tomato = #ff6347 = hsl(9, 100%, 64%).\nteal = #008080 = hsl(180, 100%, 25%).'],
    ["what's the css name of #663399", '#663399 = rgb(102, 51, 153) = hsl(270, 50%, 40%). In CSS its name is rebeccapurple.'],
    ['My brand colour is #0a66c2. What is that in rgb?', '#0a66c2 = rgb(10, 102, 194).'],
    ['complementary colour of #3a7bd5', 'The complement of #3a7bd5 is #d5943a = rgb(213, 148, 58) = hsl(35, 65%, 53%).'],
  ])('answers %j', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('converts colours whose notation is asked for beside their contrast', async () => {
    const both = await ask('What is the RGB of #1E90FF and does it have enough contrast with white?')
    expect(both).toContain('3.23:1')
    expect(both).toContain('#1e90ff = rgb(30, 144, 255)')
  })

  it('judges contrast without rounding up', async () => {
    const grey = await ask('contrast ratio of #777 on white')
    expect(grey).toContain('4.47:1')
    expect(grey).toContain('AA: fails for normal text (4.5:1), passes for large text')
    expect(await ask('does #767676 on #ffffff pass WCAG AA?')).toContain('4.54:1')
    expect(await ask('contrast between black and white')).toContain('21.00:1')
    expect(await ask('contrast of red')).toMatch(/^asks: Of which two colours/)
    expect(await ask('contrast of #ff000080 and white')).toMatch(/^refuses: The contrast of a transparent colour/)
  })

  it('asks about channels out of range', async () => {
    expect(await ask('rgb 300 0 0 in hex')).toMatch(/^asks: rgb 300 0 0 is no colour/)
  })

  it.each([
    'which colour goes well with #3a7bd5',
    'paint my fence green',
    'contrast this with that',
    'write an article about the color blue',
    'convert it',
    'red',
    'draw a red circle',
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('reads back what it writes as hex and rgb', () => {
    for (const [name, [red, green, blue]] of cssColours) {
      const colour = parseColour(name)
      const written = (space: 'hex' | 'rgb') => colour && parseColour(writeColour(colour, space))
      expect(written('hex')).toMatchObject({ red, green, blue, alpha: 1 })
      expect(written('rgb')).toMatchObject({ red, green, blue, alpha: 1 })
    }
  })
})
