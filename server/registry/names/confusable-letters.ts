/**
 * Letters that read as a plain Latin one and that Unicode's table of confusables leaves apart: small capitals, turned and reversed
 * letters, and letters with a hook, a tail or a stroke.
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

/** Digits and signs that are read as letters. */
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

/** Each letter of such a shape as the plain one; in lower case. */
export function replaceConfusables(text: string): string {
  return text.toLowerCase().replace(/[^\x20-\x7e]/gu, (letter) => plainOf.get(letter) ?? letter)
}

/** Digits and signs as the letters that they stand for inside a word; a number of its own stays one. */
export function replaceDigitsAndSigns(text: string): string {
  return text.replace(/\S+/gu, (word) =>
    /\p{L}/u.test(word) ? word.replace(/[0134578@9$!|]/gu, (sign) => signLetters[sign] ?? sign) : word,
  )
}
