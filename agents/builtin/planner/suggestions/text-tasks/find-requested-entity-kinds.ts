/** The kinds of things in a text that the words of a goal name. */

export type NamedKind = { readonly kind: string; readonly english: string; readonly words: string }

const kinds: readonly { readonly kind: string; readonly english: string; readonly pattern: RegExp }[] = [
  {
    kind: 'email',
    english: 'e-mail addresses',
    pattern:
      /e-?mails?(?: ?-?a(?:d|dd)res+(?:e?s|en)?)?|mail ?-?add?ress\p{L}*|adresses? (?:e-?)?mails?|courriels?|correos?(?: electrónicos?)?|邮箱(?:地址)?|电子邮件|邮件地址/giu,
  },
  {
    kind: 'phone',
    english: 'phone numbers',
    pattern:
      /(?:tele)?phone(?: ?numbers?| ?nos?)?|mobiles?(?: numbers?)?|tel\.? ?(?:numbers?|nos?)|telefon\p{L}*|handy\p{L}*|rufnummern?|numéros? de (?:téléphone|portable|tél)|téléphones?|portables?|teléfonos?|móvil(?:es)?|celular(?:es)?|电话(?:号码)?|手机(?:号码|号)?/giu,
  },
  {
    kind: 'card',
    english: 'card numbers',
    pattern:
      /(?:credit |debit )?cards?(?: ?numbers?)?|kreditkarten?\p{L}*|kartennummern?|cartes? (?:bancaires?|de crédit)|numéros? de carte|tarjetas?(?: de crédito)?|(?:银行|信用)卡(?:号)?/giu,
  },
  {
    kind: 'iban',
    english: 'IBANs',
    pattern:
      /ibans?|bank (?:account(?: number)?s?|details?)|account numbers?|kontonummern?|bankverbindung\p{L}*|comptes? bancaires?|coordonnées bancaires|cuentas? bancarias?|números? de cuenta|账号/giu,
  },
  {
    kind: 'ip',
    english: 'IP addresses',
    pattern: /ip(?:s| ?-?address\p{L}*| ?-?adress\p{L}*)|adresses? ip|direcci(?:ón|ones) ip|ip地址/giu,
  },
  {
    kind: 'url',
    english: 'links',
    pattern: /links?|urls?|web ?sites?(?: address\p{L}*)?|web address\p{L}*|webadress\p{L}*|liens?|enlaces?|链接|网址/giu,
  },
  { kind: 'date', english: 'dates', pattern: /dates?|datum|daten(?! ?schutz)|fechas?|日期/giu },
]

export function findRequestedEntityKinds(text: string): NamedKind[] {
  return kinds.flatMap(({ kind, english, pattern }) => {
    const words = [
      ...text.matchAll(
        new RegExp(
          `(?<![\\p{L}])(?:${pattern.source})(?![\\p{L}])|\\p{Script=Han}*(?:${
            pattern.source
              .split('|')
              .filter((one) => /\p{Script=Han}/u.test(one))
              .join('|') || '(?!)'
          })`,
          'giu',
        ),
      ),
    ].map(([word]) => word)
    return words.length > 0 ? [{ kind, english, words: words.join(' ') }] : []
  })
}
