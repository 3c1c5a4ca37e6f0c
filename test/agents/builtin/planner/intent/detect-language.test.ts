import { describe, expect, it } from 'vitest'
import { detectLanguage } from '../../../../../agents/builtin/planner/intent/detect-language.ts'

describe('detectLanguage', () => {
  it.each([
    ['de', 'Umsatz von Apple 2015 bis 2022 als Diagramm und Bericht'],
    ['de', 'Fasse diesen Text in zwei Sätzen zusammen'],
    ['fr', 'Résume ce texte en trois phrases'],
    ['es', 'Resume este texto en dos frases, por favor'],
    ['it', 'Vorrei conoscere il fatturato annuo di Microsoft dal 2014 al 2020'],
    ['zh', '我想知道微软2014年至2020年的年收入'],
    ['ja', 'この文章を日本語で要約してください'],
    ['ru', 'Переведите этот текст на английский'],
  ])('%s: %s', (code, text) => {
    expect(detectLanguage(text)).toBe(code)
  })

  it.each([
    'Microsoft revenue 2014-2020 chart',
    'Amazone revenu last 5 yrs plz',
    'Compare Volkswagen and Deutsche Bahn',
    'Convert 5 miles to km',
    'tl;dr',
    '15% of 240',
    'QR code',
    'Net income Alphabet 2015',
    'word count',
    'Shout it',
  ])('takes “%s” for English', (text) => {
    expect(detectLanguage(text)).toBe('en')
  })
})
