/**
 * Letters that look like a plain Latin letter and are missing in Unicode's table of confusables. They are small capitals, turned and
 * reversed letters, and letters with a hook, tail or stroke.
 */
const confusables: { readonly [plain: string]: string } = {
  a: 'ᴀɐɑɒᶏⱥꬰ',
  b: 'ʙƀɓƃᵬᶀƄ',
  c: 'ᴄƈɔȼɕ',
  d: 'ᴅɖɗđƌȡᶁᵭ',
  e: 'ᴇǝəɘɛɜɞɇᶒᶓᶔⱸꬲꬴ',
  f: 'ꜰƒᵮᶂɟꬵ',
  g: 'ɢɠǥᶃɡ',
  h: 'ʜɦħɥⱨ',
  i: 'ɪɨᵻᴉıᶖꞮ',
  j: 'ᴊɉʝȷʄ',
  k: 'ᴋƙᶄⱪʞꝁ',
  l: 'ʟɭɫɬłƚꞁꞎᶅȴⱡꝉꬸꬹ',
  m: 'ᴍɱᶆᵯɯꟺ',
  n: 'ɴɲɳŋƞᶇȵᵰ',
  o: 'ᴏøɵᴑɷꝋⱺᴓ',
  p: 'ᴘƥᵽᶈᵱꝑꝓꝕþƿ',
  q: 'ꞯɋʠꝗꝙ',
  r: 'ʀɾɽɼɍɹɻɺɿᶉᵲᵳꝛ',
  s: 'ꜱʂᶊȿᵴƨ',
  t: 'ᴛƭʈŧⱦȶᵵʇ',
  u: 'ᴜʉᵾᶙ',
  v: 'ᴠʋᶌʌⱱ',
  w: 'ᴡʍⱳ',
  x: 'ᶍꭓ',
  y: 'ʏƴɏỿʎ',
  z: 'ᴢƶʐʑȥᵶᶎɀⱬ',
}
const plainOf = new Map(Object.entries(confusables).flatMap(([plain, all]) => [...all].map((letter) => [letter, plain] as const)))

/** Digits and signs that look like letters. */
const signLetters: { readonly [sign: string]: string } = {
  0: 'o',
  1: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
  '!': 'l',
  '|': 'l',
}

/** Replaces each such letter with the plain one, in lower case. */
export function replaceConfusableLetters(text: string): string {
  return text.toLowerCase().replace(/[^\x20-\x7e]/gu, (letter) => plainOf.get(letter) ?? letter)
}

/** Replaces digits and signs inside a word with the letters that they look like. A standalone number stays. */
export function replaceDigitsAndSigns(text: string): string {
  return text.replace(/\S+/gu, (word) =>
    /\p{L}/u.test(word) ? word.replace(/[0134578@9$!|]/gu, (sign) => signLetters[sign] ?? sign) : word,
  )
}
