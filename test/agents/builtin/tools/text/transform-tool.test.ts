import { describe, expect, it } from 'vitest'
import { transformText } from '../../../../../agents/builtin/tools/text/transform-text.ts'
import { askTextTools } from './ask-text-tools.ts'

const letter = "Dear Anna,\nBob and Anna's brother met Hannah.\n\n\nBest,  Bob\n"

describe('text.transform', () => {
  it.each([
    [
      'Wrap this text at 40 characters: The quick brown fox jumps over the lazy dog and runs away from the very old bear.',
      'The quick brown fox jumps over the lazy\ndog and runs away from the very old\nbear.',
    ],
    ['Make this url friendly: Über uns & Öffnungszeiten', 'uber-uns-offnungszeiten'],
    ['url-friendly version of "Crème brûlée: 5 steps"', 'creme-brulee-5-steps'],
    ['Replace colour with color: My colour is a colour.', 'My color is a color.'],
    ['replace all commas with semicolons: a, b', 'a; b'],
    ['uppercase please: hello world', 'HELLO WORLD'],
    ['Convert to title case:\n\nthe lord of the rings', 'The Lord of the Rings'],
  ])('reads %s', async (text, answer) => {
    expect(await askTextTools(text)).toBe(`text.transform: ${answer}`)
  })

  it.each([
    ['replace Anna with [NAME] everywhere', "Dear [NAME],\nBob and [NAME]'s brother met Hannah.\n\n\nBest,  Bob"],
    ['replace Anna with Eva and Bob with Tim in 0.txt', "Dear Eva,\nTim and Eva's brother met Hannah.\n\n\nBest,  Tim"],
    ['Replace "Bob" with "Anna" and "Anna" with "Bob" in the file', "Dear Bob,\nAnna and Bob's brother met Hannah.\n\n\nBest,  Anna"],
    ['please change Bob to Robert in the text', "Dear Anna,\nRobert and Anna's brother met Hannah.\n\n\nBest,  Robert"],
    ['replace Zoe with Eva', `“Zoe” does not occur in the text.\n${letter.trimEnd()}`],
    ['word wrap the attached file to 20 chars per line', "Dear Anna,\nBob and Anna's\nbrother met Hannah.\n\n\nBest, Bob"],
  ])('reads an attached file for %s', async (text, answer) => {
    expect(await askTextTools(text, letter)).toBe(`text.transform: ${answer}`)
  })

  it('reports which spelling of a name stays', async () => {
    expect(await askTextTools('replace Anna with Eva', 'Anna and ANNA')).toBe(
      'text.transform: “Anna” in other small or capital letters stays.\nEva and ANNA',
    )
  })

  it.each([
    'replace the bad words with nicer words',
    'replace Bob with someone better',
    'Change the tone to friendly',
    'change Bob to uppercase',
    'replace Anna with Eva and translate it',
    'replace every name with initials',
    'swap the first and last paragraph',
  ])('does not take %s', async (text) => {
    expect(await askTextTools(text, letter)).toBe('not taken')
  })

  it('wraps lines between words only', () => {
    expect(transformText('  a bb ccc\nsupercalifragilistic x', 'wrap', { width: 10 })).toBe('  a bb ccc\nsupercalifragilistic\nx')
  })
})
