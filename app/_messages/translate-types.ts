import type { Messages, NamespaceKeys, NestedKeyOf, useTranslations } from 'next-intl'
import type { messages } from './en/index.ts'
import type { AppLocale } from './locales.ts'

declare module 'next-intl' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: a module is augmented by merging interfaces
  interface AppConfig {
    Locale: AppLocale
    Messages: typeof messages
  }
}

/** A translator of one group of the catalogue, for functions that are not components. */
export type Translate<Namespace extends NamespaceKeys<Messages, NestedKeyOf<Messages>>> = ReturnType<typeof useTranslations<Namespace>>
