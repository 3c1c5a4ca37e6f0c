import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createTranslator, type Messages, type NamespaceKeys, type NestedKeyOf } from 'next-intl'
import type { Translate } from '../../app/_messages/translate-types.ts'

const folder = path.join(import.meta.dirname, '../../app/_messages/en')
// The bundler of the web compiles the catalogue and takes no import attributes, and Node takes no JSON without them: the demo reads the files.
const messages = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [path.basename(name, '.json'), JSON.parse(readFileSync(path.join(folder, name), 'utf8'))]),
) as Messages

/** The English words of a group of the catalogue, for functions that take a translator. A message that can't be made is an error. */
export function translate<const Namespace extends NamespaceKeys<Messages, NestedKeyOf<Messages>>>(namespace: Namespace) {
  const onError = (error: Error) => {
    throw error
  }
  // The same function: a component's translator only has the messages of its provider.
  return createTranslator({ locale: 'en', messages, namespace, onError }) as unknown as Translate<Namespace>
}
