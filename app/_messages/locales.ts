/** The languages that have a catalogue, the default first. To add one: copy the folder `en`, translate it, and add it here. */
export const locales = ['en'] as const
export type AppLocale = (typeof locales)[number]

/** The cookie with the person's choice. Without it, the browser's languages decide. */
export const localeCookie = 'parley_locale'

/** The first language of `wanted` that has a catalogue: a language tag such as `de-CH` takes the catalogue of `de`. */
export function pickLocale(chosen: string | undefined, acceptLanguage: string | null): AppLocale {
  const wanted = [...(chosen ? [chosen] : []), ...readAcceptLanguage(acceptLanguage ?? '')]
  for (const tag of wanted) {
    const [language] = tag.toLowerCase().split('-')
    const found = locales.find((locale) => locale === tag || locale === language)
    if (found) return found
  }
  return locales[0]
}

/** Language tags by their weights (RFC 9110, 12.5.4). */
function readAcceptLanguage(header: string): string[] {
  return header
    .split(',')
    .map((range) => {
      const [tag = '', ...params] = range.trim().split(';')
      const weight = params.map((param) => /^\s*q=([\d.]+)$/.exec(param)?.[1]).find((q) => q !== undefined)
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}
