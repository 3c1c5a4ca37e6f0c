import { describe, expect, it } from 'vitest'
import { suggestedTexts } from '../suggested-texts.ts'

const members = ['members.json', '[{"name":"Ida","town":"Bergen"},{"name":"Mona","town":"Oslo"}]'] as const

describe('requests in everyday words', () => {
  it.each([
    ['Please remove the duplicates from my shopping list: milk, eggs, bread, milk, tea', 'Remove duplicates: milk, eggs, bread, milk, tea'],
    ['What does this base64 say? SGVsbG8sIFBhcmxleSE=', 'Decode base64: SGVsbG8sIFBhcmxleSE='],
    ['A log line says 1767225600 - what date and time is that in UTC?', 'Convert unix timestamp 1767225600 to UTC'],
    ['Homework: break 5040 into its prime factors', 'Prime factors of 5040'],
    ['我是1988年5月17日出生的,今天我多少岁了?', 'How old is someone born on 17 May 1988?'],
    ['Tengo que repartir 1.250 € entre tres socios al 50 %, 30 % y 20 %. ¿Cuánto le toca a cada uno?', 'Split 1250 in the ratio 50:30:20'],
    [
      'Ich brauche einen QR-Code für unser Gäste-WLAN, Name CafeLuna, Passwort kaffee2026',
      'Make a QR code for the wifi “CafeLuna” with the password “kaffee2026”',
    ],
  ])('%s', (text, reading) => {
    expect(suggestedTexts(text)[0]).toBe(reading)
  })

  it('converts an attached JSON file', () => {
    expect(suggestedTexts('I need this as a CSV that opens in Excel', members)[0]).toBe('Convert this JSON to CSV')
  })

  it.each([
    'Remove the duplicates from my photo library',
    'Which base64 library should I use?',
    'The order 1767225600 was late, what shall I do?',
    'Explain what a prime factor is',
    'Wo wurde Goethe geboren?',
    'Split the group 50 % to the left and 20 % to the right',
    'Our WLAN QR code is ugly, make a nicer one',
    'Is CSV better than JSON?',
  ])('gives no reading of “%s”', (text) => {
    expect(suggestedTexts(text)).toEqual([])
  })
})
