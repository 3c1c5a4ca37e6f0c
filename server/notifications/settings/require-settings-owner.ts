import type { PersonDid } from '@parley/protocol'
import { type Actor, actingAs, type Context } from '../../context.ts'
import { settingsBrowserOnly, settingsLoginRequired } from '../errors.ts'

/** A person with a login in a browser: API tokens may not redirect notifications. */
export type SettingsOwner = Extract<Actor, { kind: 'person' }>

/** @throws auth.required, permission.denied for an API token */
export function requireSettingsOwner({ actor }: Context): SettingsOwner {
  if (actor.kind !== 'person') throw settingsLoginRequired()
  if (actor.scopes !== undefined) throw settingsBrowserOnly()
  return actor
}

/** The same context with this person as the actor, for a job that reads the person's inbox. It has no rights of an operator. */
export function asPerson(ctx: Context, personId: string): Context {
  const address = (personId.split(':').at(-1) ?? '') as `0x${string}`
  return actingAs(ctx, { kind: 'person', did: personId as PersonDid, address, isOperator: false })
}
