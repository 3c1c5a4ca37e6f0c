import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codecIds, codecs } from '../../../../../agents/builtin/tools/formats/codecs.ts'
import { encodeTool } from '../../../../../agents/builtin/tools/formats/encode-tool.ts'
import { type AttachedText, askFormat } from './ask-format.ts'

const ask = (text: string, ...files: AttachedText[]) => askFormat(encodeTool, text, ...files)

describe('format.encode', () => {
  it.each([
    ['base64 decode aGVsbG8gd29ybGQ=', 'hello world'],
    ['Hi, could you decode aGVsbG8= from base64 for me? Thanks', 'hello'],
    ['Encode hello world in base64', 'aGVsbG8gd29ybGQ='],
    ['base32 of hello', 'NBSWY3DP'],
    ['morse code for i love you', '.. / .-.. --- ...- . / -.-- --- ..-'],
    ['what does ... --- ... mean in morse code?', 'SOS'],
    ['decode this morse: .... .. / -.-- --- ..-', 'HI YOU'],
    ['hello in binary', '01101000 01100101 01101100 01101100 01101111'],
    ['binary to text 01001000 01101001', 'Hi'],
    ['convert 01001000 01101001 from binary to text', 'Hi'],
    ['hex to ascii: 48 65 6c 6c 6f', 'Hello'],
    ['escape this html: <a href="x">Tom & Jerry</a>', '&lt;a href=&quot;x&quot;&gt;Tom &amp; Jerry&lt;/a&gt;'],
    ['decode html entities: &lt;p&gt;caf&eacute;&#39;s', "<p>café's"],
    ['url decode https%3A%2F%2Fexample.com%2F%3Fa%3D1', 'https://example.com/?a=1'],
    ['please url encode https://example.com/?q=a b', 'https%3A%2F%2Fexample.com%2F%3Fq%3Da%20b'],
    ['spell Smith in the NATO alphabet', 'Sierra Mike India Tango Hotel'],
    ['what is the ascii code for A', '65'],
    ['SGVsbG8gV29ybGQ= base64 decode please', 'Hello World'],
    ["Encode 'a&b=c' for use in a URL", 'a%26b%3Dc'],
    ['decode %E2%9C%93', '✓'],
    ['What does this say: 01001000 01101001', 'Hi'],
    ['unescape &amp;lt;', '&lt;'],
    ['ascii codes of Hello', '72 101 108 108 111'],
    ['unicode code points of "é€"', 'U+00E9 U+20AC'],
    ['Make this url friendly: Über uns & Öffnungszeiten', 'uber-uns-offnungszeiten'],
    ['Convert "Hi" to binary and hex', 'Hexadecimal: 48 69\nBinary: 01001000 01101001'],
  ])('answers %j', async (goal, answer) => {
    const [, ...lines] = (await ask(goal)).split('\n')
    expect(lines.join('\n')).toBe(answer)
  })

  it.each([
    'hex code for red',
    'what time is it in hex',
    'hex for dark olive green',
    'decode my dreams',
    'what does this mean: cat',
    'binary search',
    'convert 255 to hex',
    'write a function that encodes base64',
    'ascii art of a cat',
    'explain how base64 works',
    'convert markdown to html: # a',
    'what is this url: https://example.com',
    'encode "a" and "b" in base64',
    'convert this pdf to binary: abc',
    'base64 encode "a" and email it to me',
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('asks where the text is missing or has two readings', async () => {
    expect(await ask('convert this to morse')).toMatch(/^asks/)
    expect(await ask('translate hello to french in morse code')).toMatch(/^asks/)
    expect(await ask('base64 encode the attached file', { name: 'a.txt', text: 'hello\n' })).toContain('aGVsbG8K')
  })

  it('gives the reason why a text cannot be decoded', async () => {
    expect(await ask('decode from hex: 48 6')).toBe('refuses: The text is not hexadecimal: it needs pairs of the digits 0 to 9 and A to F.')
    expect(await ask('morse code for "こ"')).toBe('refuses: Morse code has no sign for こ. Leave it out and ask again.')
    expect(await ask('decode this binary: 01001000 0110')).toMatch(/^refuses: The binary code has 12 digits/)
    // Seven digits are ASCII without the leading zero.
    expect(await ask('decode this binary: 1001000 1101001')).toContain('Hi')
  })

  it('decodes what it encodes', () => {
    const exact = codecIds.filter((id) => codecs[id].decode !== undefined && id !== 'morse')
    fc.assert(
      fc.property(fc.constantFrom(...exact), fc.string({ unit: 'grapheme', minLength: 1 }), (id, text) => {
        expect(codecs[id].decode?.(codecs[id].encode(text))).toBe(text)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ABCXYZ019?=/'), minLength: 1 }), (text) => {
        expect(codecs.morse.decode?.(codecs.morse.encode(text))).toBe(text)
      }),
    )
  })
})
