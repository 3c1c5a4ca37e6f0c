import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Context } from '../../../server/context.ts'
import { DomainError } from '../../../server/errors.ts'
import { rateLimits } from '../../../server/policy/index.ts'
import { appRouter } from '../../../server/trpc/app-router.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../../../server/trpc/procedures.ts'
import type { RequestContext } from '../../../server/trpc/request-context.ts'

const logged = vi.fn()
afterEach(() => logged.mockClear())

const ports = { traces: null } as Context['ports']
const router = createRouter({
  refuse: publicProcedure.query(() => {
    throw new DomainError('hold.insufficient_funds', 'The wallet holds 1.00, 2.00 are needed.', {
      hint: 'Add money.',
      facts: { held: '1', needed: '2' },
    })
  }),
  /** As thrown by a second copy of the class, which the bundler may make. */
  refuseElsewhere: publicProcedure.query(() => {
    throw Object.assign(new Error('There is no such goal.'), { name: 'DomainError', code: 'goal.not_found', facts: {}, hint: undefined })
  }),
  hurry: publicProcedure.query(() => {
    throw new DomainError('rate.exceeded', 'Too many.', { facts: { retry_after_seconds: 7 } })
  }),
  break: publicProcedure.query(() => {
    throw new Error('secret: the password is hunter2')
  }),
  parse: publicProcedure.input(z.object({ amount: z.string('An amount is text.') })).query(() => 'ok'),
  search: publicProcedure.meta({ rate: 'search' }).query(() => 'found'),
  change: publicProcedure.mutation(() => 'done'),
  write: publicProcedure.meta({ rate: 'write' }).mutation(() => 'done'),
  follow: publicProcedure.subscription(async function* () {
    yield 'news'
  }),
  page: publicProcedure.query(() => 'x'.repeat(600)),
  mine: signedInProcedure.query(({ ctx }) => ctx.person.address),
})

const answered = async (paths: string, source: string, answer?: RequestContext['answer']) => {
  const ctx = { actor: { kind: 'anonymous' }, log: { error: logged }, clock: { now: () => new Date(0) }, ports } as unknown as Context
  const call: RequestContext = {
    ctx,
    services: {} as RequestContext['services'],
    token: null,
    userAgent: '',
    source,
    reply: new Headers(),
    id: 'call-1',
    answer,
  }
  const method = /^(change|write)/.test(paths) ? 'POST' : 'GET'
  const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
  const batch = paths.includes(',') ? '?batch=1&input={}' : ''
  const req = new Request(`http://here/t/${paths}${batch}`, { method, ...body })
  const response = await fetchRequestHandler({ endpoint: '/t', req, router, createContext: () => call })
  return { status: response.status, text: await response.text(), wait: call.reply?.get('retry-after') ?? null }
}

async function ask(path: string, actor: Context['actor'] = { kind: 'anonymous' }) {
  const ctx = { actor, log: { error: logged }, clock: { now: () => new Date(0) }, ports } as unknown as Context
  const reply = new Headers()
  const call: RequestContext = {
    ctx,
    services: {} as RequestContext['services'],
    token: null,
    userAgent: '',
    source: '',
    reply,
    id: 'call-1',
  }
  const input = path === 'parse' ? '?input=%7B%22json%22%3A%7B%22amount%22%3A5%7D%7D' : ''
  const response = await fetchRequestHandler({
    endpoint: '/t',
    req: new Request(`http://here/t/${path}${input}`),
    router,
    createContext: () => call,
  })
  const body = (await response.json()) as {
    error?: { json: { message: string; data: { problem: Record<string, unknown>; stack?: string } } }
    result?: unknown
  }
  return { status: response.status, reply, error: body.error?.json, problem: body.error?.json.data.problem, text: JSON.stringify(body) }
}

describe('the error mapping', () => {
  it('states in the header and in the problem how long to wait', async () => {
    const { status, reply, problem } = await ask('hurry')
    expect([status, reply.get('retry-after'), problem?.retry_after]).toEqual([429, '7', 7])
  })

  it('answers an expected failure with its status, sentence, hint, facts and correlation id', async () => {
    const { status, problem } = await ask('refuse')
    expect(status).toBe(422)
    expect(problem).toMatchObject({
      code: 'hold.insufficient_funds',
      status: 422,
      hint: 'Add money.',
      facts: { held: '1', needed: '2' },
      instance: 'call-1',
    })
    expect(logged).not.toHaveBeenCalled()
  })

  it('knows an expected failure of another copy of the class', async () => {
    const { status, problem } = await ask('refuseElsewhere')
    expect(status).toBe(404)
    expect(problem).toMatchObject({ code: 'goal.not_found', detail: 'There is no such goal.' })
  })

  it('reveals only the id of a bug, and logs it', async () => {
    const { status, problem, text, error } = await ask('break')
    expect(status).toBe(500)
    expect(problem).toMatchObject({ code: 'server.internal_error', instance: 'call-1' })
    expect(error?.data.stack).toBeUndefined()
    expect(text).not.toContain('hunter2')
    expect(logged).toHaveBeenCalledOnce()
  })

  it('states which field of the input is wrong', async () => {
    const { status, problem } = await ask('parse')
    expect(status).toBe(400)
    expect(problem).toMatchObject({ code: 'request.malformed', detail: 'An amount is text.', facts: { field: 'amount' } })
  })

  it('answers an unknown procedure', async () => {
    expect((await ask('nothing')).problem).toMatchObject({ code: 'request.unknown_command' })
  })
})

describe('signedInProcedure', () => {
  it('refuses strangers and agents', async () => {
    expect((await ask('mine')).problem).toMatchObject({ code: 'auth.required', status: 401 })
    const agent = { kind: 'agent', did: 'did:web:x', agentId: 'agt_1', ownerDid: 'x', hasKey: false } as const
    expect((await ask('mine', agent)).status).toBe(401)
  })

  it('lets a person in', async () => {
    const person = {
      kind: 'person',
      did: 'did:pkh:eip155:1:0x00000000000000000000000000000000000000aa',
      address: '0x00000000000000000000000000000000000000aa',
      isOperator: false,
    } as const
    expect((await ask('mine', person)).text).toContain(person.address)
  })
})

describe('a request', () => {
  it.each([
    ['parse', 'read'],
    ['follow', 'read'],
    ['search', 'search'],
    ['write', 'write'],
  ] as const)('of %s counts in the class %s, before anything else', async (path, costClass) => {
    const source = `for ${path}`
    for (let n = 0; n < rateLimits[costClass].burst; n++) await answered(path, source)
    const refused = await answered(path, source)
    expect(refused.text).toContain('rate.exceeded')
    expect([refused.wait, path === 'follow' || refused.status === 429]).toEqual(['1', true])
    expect((await answered(path, 'another')).text).not.toContain('rate.exceeded')
  })

  it('that is a command is counted by the command alone', async () => {
    for (let n = 0; n <= rateLimits.read.burst; n++) expect((await answered('change', 'commands')).status).toBe(200)
  })

  it('is answered within one number of bytes, however much it asks for at once', async () => {
    const { status, text } = await answered(Array(16).fill('page').join(','), 'bytes', { left: 2_000, max: 2_000 })
    expect(status).toBe(207)
    const answers = JSON.parse(text) as { result?: object; error?: { json: { data: { problem: object } } } }[]
    expect(answers.map((one) => one.result !== undefined)).toEqual([true, true, true, ...Array(13).fill(false)])
    expect(answers[15]?.error?.json.data.problem).toMatchObject({ code: 'request.too_large', status: 413, facts: { max: 2_000 } })
    expect((await answered('page', 'bytes', { left: 100, max: 100 })).status).toBe(413)
  })

  it('of a page that is being rendered takes what the page shows', async () => {
    expect((await answered('page', 'a page')).status).toBe(200)
  })

  it('takes from no bucket manually: every query is counted where all procedures begin', () => {
    const procedures = Object.entries(
      appRouter._def.procedures as unknown as { [path: string]: { _def: { type: string; meta?: unknown } } },
    )
    expect(procedures.filter(([, one]) => one._def.type === 'query').length).toBeGreaterThan(20)
    const counted = procedures.filter(([, one]) => one._def.type === 'mutation' && one._def.meta !== undefined).map(([path]) => path)
    expect(counted.sort()).toEqual([
      'conversations.retry',
      'disputes.getTerms',
      'goals.findExamples',
      'goals.quote',
      'identity.issueNonce',
      'identity.revokeSession',
      'identity.signIn',
      'identity.signOut',
      'markdown.format',
      'market.faucet',
      'notifications.chooseEvents',
      'notifications.confirmEmail',
      'notifications.removeEmail',
      'notifications.removeWebhook',
      'notifications.replaceSecret',
      'notifications.sendAgain',
      'notifications.sendTest',
      'notifications.setEmail',
      'notifications.setWebhook',
      'notifications.unsubscribe',
      'settlement.cancelTransaction',
      'settlement.refreshPayoutAccount',
      'settlement.retry',
      'settlement.retryDeadLetter',
    ])
  })

  // Else a request could carry megabytes in fields that no procedure reads. Objects of the protocol bound theirs.
  it('has no input of its own with unknown fields', () => {
    const procedures = Object.entries(appRouter._def.procedures) as unknown as [string, { _def: { inputs: z.ZodType[] } }][]
    const open = procedures.filter(([, { _def }]) =>
      _def.inputs.some((input) => {
        const schema = z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' })
        return [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(
          (one) => one.properties !== undefined && one.additionalProperties === undefined,
        )
      }),
    )
    expect(open.map(([path]) => path)).toEqual([])
  })
})
