import { describe, expect, it } from 'vitest'
import { findReservedWord, letterFaults, nameFaults, skeletonOf, textFaults } from '../../../../server/registry/names/name-faults.ts'

const faults = (name: string) => nameFaults('The name', name)

describe('a name', () => {
  it.each([
    'Figures & Co.',
    'Übersetzer für 中文 и русский',
    'Ngô Bảo Châu',
    '東京データ Bot 3',
    'शब्द सारांश',
    'حلال المسائل',
    'GPT-4.1 writer',
    'Café no. 7',
    'Customer support summaries',
    'Systems biology',
    'House Principal',
    'O’Neill',
  ])('may be %s', (name) => {
    expect(faults(name)).toEqual([])
  })

  it.each([
    'Fatima’s Ledger',
    'Kɔfi Mɛnsa Bookkeeping',
    'Łukasz Tłumacz',
    'Þórunn Translates',
    'Đặng Thị Hà',
    'Øyvind Kart',
    'Şeyma Çeviri',
    'Ən yaxşı tərcümə',
    'Ħal Għargħur Maps',
    'Straße & Söhne',
    'Œuvre Éditions',
    'Ñandú Logística',
    'Mātauranga Māori',
    'Hausa Ɗan Jarida',
    'Ìròyìn Yorùbá',
    'Юридический помощник',
    'Українська пошта',
    'Ѓорѓи Преводи',
    'Αρχείο Αθηνών',
    'Հայկ Թարգմանիչ',
    'מתרגם עברית',
    'مترجم العقود',
    'فروشگاه کتاب',
    'اردو خلاصہ',
    'हिन्दी अनुवादक',
    'বাংলা সারাংশ',
    'ਪੰਜਾਬੀ ਲੇਖਕ',
    'ગુજરાતી હિસાબ',
    'தமிழ் செய்தி',
    'తెలుగు వార్తలు',
    'ಕನ್ನಡ ಪಠ್ಯ',
    'മലയാളം വാർത്ത',
    'සිංහල පරිවර්තක',
    'นักแปลไทย',
    'ພາສາລາວ',
    'བོད་ཡིག',
    'ქართული თარგმანი',
    '한국어 요약',
    'አማርኛ ዜና',
    '会計アシスタント',
    'Area 51 Astronomy',
    'Studio 54 Music',
    'Web3 Auditor',
    'B2B Sales 4U',
    'C++ Linter!',
    'Hospital Staffing Planner',
    'Market Garden Almanac',
    'Teams of Rowers',
    'Root Vegetable Recipes',
    'Barley Brewing',
  ])('of an honest trade may be %s', (name) => {
    expect(faults(name)).toEqual([])
  })

  it.each([
    ['zero width space', 'Fig\u200bures'],
    ['only zero width', '\u200b\u200d\ufeff'],
    ['a direction mark', 'Figures\u202egnp.exe'],
    ['a hangul filler', 'Figures\u3164'],
    ['a variation selector', 'Figures\ufe0f'],
    ['a tag character', 'Figures\u{e0041}'],
    ['a braille blank', 'A\u2800B'],
    ['a no-break space', 'A\u00a0B'],
    ['a line separator', 'A\u2028B'],
    ['a NUL', 'A\0B'],
    ['a private character', 'A\ue000B'],
  ])('has nothing that is not seen: %s', (_what, name) => {
    expect(faults(name)).toEqual([expect.stringContaining('invisible')])
  })

  it.each([
    ['no letter', '***'],
    ['bold letters of mathematics', '\u{1d40f}aper'],
    ['wide letters', 'Ｐaper'],
    ['a ligature', 'ﬁgures'],
    ['letters of dead alphabets', '𐌀𐌁𐌂'],
    ['a pile of marks', `a${'\u0301'.repeat(8)}`],
    ['two alphabets in a word', 'p\u0430ypal'],
    ['Greek in a Latin word', 'figur\u03b5s'],
    ['Cherokee in a Latin word', 'figureꭱs'],
  ])('is refused with %s', (_what, name) => {
    expect(faults(name).length).toBeGreaterThan(0)
  })

  it.each([
    'Parley',
    'PARLEY',
    'ParIey',
    'Par1ey',
    'P a r l e y',
    'Pärley',
    'parley-support',
    'The Official Writer',
    '0fficial writer',
    'Аdmin',
    'Admin',
    'Escrow service',
    'Operator 7',
    'Support',
    'System',
    'Support Team',
    'The Help Desk',
    'ᴘarley',
    'ᴘᴀʀʟᴇʏ',
    'Paɾley',
    'Parꞁey',
    'Parᶅey',
    'Parlǝy',
    'Parł3y',
    'Parl3y',
    'P@rley',
    'P4rl3y',
    'Par|ey',
    'Par!ey',
    'Par·ley',
    'Parleys',
    'Þarley',
    'Administration',
    'Administrators',
    'Admins',
    '@dmin',
    'Op3rator',
    'Escrows',
    'Security Alerts',
    'Security Alert',
    'Trust & Safety',
    'Customer Care',
    'Refunds',
  ])('does not speak for the market: %s', (name) => {
    expect(faults(name).length, `${findReservedWord(name)}`).toBeGreaterThan(0)
  })
})

describe('skeletonOf', () => {
  it('is the same of names that are taken for one another, and of no others', () => {
    const same = [
      'Ledger Lens',
      'LEDGER LENS',
      'ledger-lens',
      'Iedger Iens',
      'Lеdgеr Lеns',
      'Lédger Lens',
      'Ledger\u200bLens',
      '1edger 1ens',
    ]
    expect(new Set(same.map(skeletonOf)).size).toBe(1)
    expect(skeletonOf('Ledger Lens')).not.toBe(skeletonOf('Ledger Len'))
    expect(skeletonOf('Agent 12')).not.toBe(skeletonOf('Agent 21'))
  })
})

describe('letterFaults', () => {
  it('states what is wrong and with what, and leaves words alone', () => {
    expect(letterFaults('The name of text.shout', 'Escrow contract audit')).toEqual([])
    expect(letterFaults('The name of text.shout', 'A\u200b')).toEqual([
      'The name of text.shout has the invisible character U+200B. Remove it.',
    ])
  })
})

describe('symbols in a name', () => {
  it.each(['House Text™', 'Cape Scope℠', 'House Text ★', 'House Text❗️', 'House Textʼ', 'House Text ´', 'House Text ×', 'Ⓗouse Text'])(
    'make no other name: %s',
    (name) => {
      expect([skeletonOf('House Text'), skeletonOf('Cape Scope')]).toContain(skeletonOf(name))
    },
  )

  it.each(['✅ House Text Pro', 'House Text ✓', 'House ✔︎ Text', '☑ House', 'Ⓗouse Text', '🅷ouse', '🅰tlas'])('are refused: %s', (name) => {
    expect(faults(name)).not.toEqual([])
  })

  it.each(['House Text 2', 'House Texts', 'House Tekst', 'データ分析', 'デタ分析'])('do not hide a letter or a number: %s', (name) => {
    expect(skeletonOf(name)).not.toBe(skeletonOf('House Text'))
  })

  it('keep letters that lengthen a vowel', () => {
    expect(skeletonOf('データ')).not.toBe(skeletonOf('デタ'))
  })
})

describe('a summary', () => {
  it.each([' ', '\u3164', '\u200b\u2060\ufeff', '\u2800 \n', '\u0301', `a${'\u0301'.repeat(5)}`, `é${'\u0302\u200d'.repeat(4)}`])(
    'is refused without visible text, or with many marks on a letter: %j',
    (text) => {
      expect(textFaults('The summary', text)).toHaveLength(1)
    },
  )

  it.each([
    'Dịch hợp đồng từ tiếng Đức sang tiếng Việt, kiểm tra thuật ngữ và nghiêm ngặt về ngữ nghĩa.',
    'مُتَرْجِمُ العُقُودِ وَالمُسْتَنَدَاتِ القَانُونِيَّةِ، بِدِقَّةٍ عَالِيَةٍ',
    'अनुबंधों और कानूनी दस्तावेज़ों का अनुवाद करता है, स्त्री और क्ष्म्य',
    'แปลสัญญาและเอกสารทางกฎหมายอย่างถี่ถ้วน ผู้ที่เชี่ยวชาญ',
    'བསྒྲུབས་པའི་ཡིག་ཆ་ཧཱུྃ',
    'ကျွန်ုပ်တို့သည် စာချုပ်များကို ဘာသာပြန်သည်',
    '★ 5 € ✅',
  ])('may be %s', (text) => {
    expect(textFaults('The summary', text)).toEqual([])
    expect(textFaults('The summary', text.normalize('NFD'))).toEqual([])
  })
})
