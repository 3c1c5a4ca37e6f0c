import type { Translate } from '../_messages/translate-types.ts'

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** "Chrome on Linux": a user agent string in words. An unknown one is shown by its first word. */
export function browserName(agent: string, t: Translate<'account.browser'>): string {
  const browser = browsers.find(([sign]) => agent.includes(sign))?.[1]
  const system = systems.find(([sign]) => agent.includes(sign))?.[1]
  if (!browser) return agent.split(/[\s/]/)[0] || t('unknownProgram')
  return system ? t('browserOnSystem', { browser, system }) : browser
}
