/** Every procedure of the web's tRPC router, with the schema of its input. */
import type { z } from 'zod'
import { appRouter } from '../../../server/trpc/app-router.ts'
import type { Role } from '../ground/cast.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { type Schema, sample, schemaOf } from '../inputs/schema.ts'
import { jsonInUrl, type Operation, type Place, webRequest, webRoles } from './operations.ts'
import { inputOf, recipes } from './recipes.ts'

type Procedure = { readonly _def: { readonly type: 'query' | 'mutation' | 'subscription'; readonly inputs: readonly z.ZodType[] } }

/** Mutations that change nothing: they are POST requests because their input is too long for a URL. */
const readingMutations = new Set([
  'channels.quote',
  'disputes.getTerms',
  'goals.findExamples',
  'goals.quote',
  'identity.issueNonce',
  'markdown.format',
])

export function procedureOperations(): Operation[] {
  const all = appRouter._def.procedures as unknown as { readonly [name: string]: Procedure }
  return Object.entries(all).map(([name, { _def }]) => {
    const schema: Schema = merged(_def.inputs.map(schemaOf))
    const isPost = _def.type === 'mutation'
    return {
      name: `trpc:${name}`,
      isReading: !isPost || readingMutations.has(name),
      isStream: _def.type === 'subscription',
      roles: webRoles,
      schema,
      base: (place, role) => {
        const otherwise = () => (_def.inputs.length === 0 || isVoid(schema) ? null : sample(schema, place.scene.known))
        return inputOf(recipes[name], place, role, otherwise)
      },
      request(place, role, input) {
        const wrapped: Value = input === null && isVoid(schema) ? {} : { json: input }
        if (isPost) {
          const post = webRequest(place, role, 'POST', `/api/trpc/${name}`, writeJson(wrapped))
          // A role that signs out here must still continue.
          return name === 'identity.signOut' ? { ...post, headers: { ...post.headers, ...spareCookie(place, role) } } : post
        }
        const request = webRequest(place, role, 'GET', `/api/trpc/${name}?input=${jsonInUrl(wrapped)}`)
        return _def.type === 'subscription' ? { ...request, headers: { ...request.headers, accept: 'text/event-stream' } } : request
      },
    }
  })
}

/** A schema that says nothing: JSON has no word for it. */
const isVoid = ({ type, properties, anyOf }: Schema) => type === undefined && properties === undefined && anyOf === undefined

const spareCookie = ({ scene }: Place, role: Role) => (role === 'client' ? { cookie: `parley_session=${scene.spareSession}` } : {})

function merged(schemas: readonly Schema[]): Schema {
  const [first] = schemas
  if (!first) return {}
  const properties = Object.assign({}, ...schemas.map((one) => one.properties ?? {})) as NonNullable<Schema['properties']>
  return schemas.length === 1 ? first : { ...first, properties, required: schemas.flatMap(({ required = [] }) => required) }
}
