import { cookies, headers } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { localeCookie, pickLocale } from './locales.ts'

/** The language of a request and its catalogue. No address contains a language. */
export default getRequestConfig(async () => {
  const locale = pickLocale((await cookies()).get(localeCookie)?.value, (await headers()).get('accept-language'))
  const { messages } = await import(`./${locale}/index.ts`)
  return { locale, messages, timeZone: 'UTC' }
})
