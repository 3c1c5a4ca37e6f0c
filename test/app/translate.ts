import { createTranslator, type Messages, type NamespaceKeys, type NestedKeyOf } from 'next-intl'
import { messages } from '../../app/_messages/en/index.ts'
import type { Translate } from '../../app/_messages/translate.ts'

/** The English words of a group of the catalogue, for functions that take a translator. A message that can't be made is an error. */
export function translate<const Namespace extends NamespaceKeys<Messages, NestedKeyOf<Messages>>>(namespace: Namespace) {
  const onError = (error: Error) => {
    throw error
  }
  // The same function: a component's translator only has the messages of its provider.
  return createTranslator({ locale: 'en', messages, namespace, onError }) as unknown as Translate<Namespace>
}
