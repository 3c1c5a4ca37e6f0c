/**
 * Who may make each call: a table of all that change anything. For each, everyone who is no party to it is refused, and the
 * one whose word it takes is not.
 */
import { type LocalAccount, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlanTerms, planEscrowAbi, testUsdcAbi } from '../../contracts/abi/index.ts'
import { undone } from './attacks/attack-fixture.ts'
import { actors, charterOf, createWorld, hash, revertOf, settlementOf, type World } from './world.ts'

const { alice, arbitrator, bob, carol, client, evaluator, feeTo: session, relayer, stranger } = actors
const allAccounts = { alice, arbitrator, bob, carol, client, evaluator, session, stranger }
type Who = keyof typeof allAccounts

let world: World
beforeAll(async () => {
  world = await createWorld()
  for (const one of Object.values(allAccounts)) await world.write(relayer, world.token, testUsdcAbi, 'mint', [one.address, 1n])
})
afterAll(() => world[Symbol.asyncDispose]())

const asServer = { arbitrator: arbitrator.address, authorizer: session.address, vetoSeconds: 600, onSilence: 7 }
type Place = { readonly terms: PlanTerms; readonly settlement: ReturnType<typeof settlementOf> }

async function funded(changes: Partial<PlanTerms> = {}): Promise<Place> {
  const terms = await world.terms({ ...asServer, ...changes })
  await world.fund(terms)
  return { terms, settlement: settlementOf(1n) }
}
async function sealed(): Promise<Place> {
  const place = await funded()
  await world.seal(place.terms, charterOf())
  return place
}
async function proposed(): Promise<Place> {
  const place = await funded()
  await world.propose(place.terms, charterOf())
  return place
}
async function disputed(): Promise<Place> {
  const place = await sealed()
  await world.call(client, 'dispute', [place.terms, charterOf(), 0, zeroHash, client.address, '0x'])
  return place
}

type Row = {
  readonly entry: string
  /** By whose call, or by whose signature: no other account's counts. */
  readonly allowed: readonly Who[]
  readonly before: () => Promise<Place>
  /** `by` calls, and signs what there is to sign. */
  readonly attempt: (place: Place, by: LocalAccount) => Promise<unknown>
}

const called: readonly Row[] = [
  {
    entry: 'fund',
    allowed: ['client'],
    before: async () => ({ terms: await world.terms(asServer), settlement: settlementOf(1n) }),
    attempt: ({ terms }, by) => world.fund(terms, by),
  },
  {
    entry: 'fundMany',
    allowed: ['client'],
    before: async () => ({ terms: await world.terms(asServer), settlement: settlementOf(1n) }),
    attempt: ({ terms }, by) => world.call(by, 'fundMany', [[terms]]),
  },
  {
    entry: 'settle',
    allowed: ['evaluator'],
    before: sealed,
    attempt: ({ terms, settlement }, by) => world.call(by, 'settle', [{ terms, charter: charterOf(), ...settlement, signature: '0x' }]),
  },
  {
    entry: 'settleHalf',
    allowed: ['evaluator'],
    before: sealed,
    attempt: ({ terms, settlement }, by) => world.call(by, 'settleHalf', [{ terms, charter: charterOf(), ...settlement, signature: '0x' }]),
  },
  {
    entry: 'release',
    allowed: ['client'],
    before: sealed,
    attempt: ({ terms, settlement }, by) => world.release(terms, charterOf(), settlement, by),
  },
  { entry: 'submit', allowed: ['alice'], before: sealed, attempt: ({ terms }, by) => world.submit(terms, charterOf(), 1n, by) },
  {
    entry: 'dispute',
    allowed: ['alice', 'client'],
    before: sealed,
    attempt: ({ terms }, by) => world.call(by, 'dispute', [terms, charterOf(), 0, hash(1), by.address, '0x']),
  },
  {
    entry: 'rule',
    allowed: ['arbitrator'],
    before: disputed,
    attempt: ({ terms }, by) => world.call(by, 'rule', [terms, charterOf(), 0, 1, hash(1), '0x']),
  },
  {
    entry: 'acceptOffer, all to the payee',
    allowed: ['client'],
    before: sealed,
    attempt: ({ terms }, by) => world.call(by, 'acceptOffer', [terms, charterOf(), 0, 10_000, terms.expiry, '0x', '0x']),
  },
  {
    entry: 'acceptOffer, all to the client',
    allowed: ['alice'],
    before: sealed,
    attempt: ({ terms }, by) => world.call(by, 'acceptOffer', [terms, charterOf(), 0, 0, terms.expiry, '0x', '0x']),
  },
  { entry: 'veto', allowed: ['client', 'session'], before: proposed, attempt: ({ terms }, by) => world.call(by, 'veto', [terms, 1, '0x']) },
  {
    entry: 'requestClose',
    allowed: ['client', 'session'],
    before: funded,
    attempt: ({ terms }, by) => world.call(by, 'requestClose', [terms, '0x']),
  },
  {
    entry: 'seal',
    allowed: ['client', 'session'],
    before: funded,
    attempt: async ({ terms }, by) => world.call(by, 'seal', [await world.sealing(terms, charterOf(), '0x')]),
  },
  { entry: 'withdrawCredit', allowed: [], before: funded, attempt: (_, by) => world.withdrawCredit(by, world.token, by.address) },
]

const relayed: readonly Row[] = [
  {
    entry: 'fundWithAuthorization',
    allowed: ['client'],
    before: async () => ({ terms: await world.terms(asServer), settlement: settlementOf(1n) }),
    attempt: async ({ terms }, by) =>
      world.fundWithAuthorization(terms, 0n, 4_102_444_800n, await world.signFunding({ ...terms }, 4_102_444_800n, by)),
  },
  {
    entry: 'seal, authorized',
    allowed: ['client', 'session'],
    before: funded,
    attempt: async ({ terms }, by) => world.seal(terms, charterOf(), await world.signAuthorization(terms, charterOf(), by)),
  },
  {
    entry: 'seal, proposed',
    allowed: ['evaluator'],
    before: funded,
    attempt: async ({ terms }, by) => world.propose(terms, charterOf(), await world.signCharter(terms, charterOf(), by)),
  },
  {
    entry: 'seal, as a member',
    allowed: ['bob'],
    before: funded,
    attempt: async ({ terms }, by) => {
      const [a, b, c] = await world.membersOf(terms, charterOf())
      const other = { signer: b?.signer ?? by.address, signature: await world.signCharter(terms, charterOf(), by) }
      return world.seal(terms, charterOf(), undefined, [a, other, c] as never)
    },
  },
  {
    entry: 'reseal',
    allowed: ['client', 'session'],
    before: sealed,
    attempt: async ({ terms }, by) => {
      const next = charterOf({ version: 2 })
      return world.call(relayer, 'reseal', [await world.sealing(terms, next, await world.signAuthorization(terms, next, by)), charterOf()])
    },
  },
  {
    entry: 'sealAndSettle, the attestation',
    allowed: ['evaluator'],
    before: funded,
    attempt: async ({ terms, settlement }, by) =>
      world.sealAndSettle(terms, charterOf(), settlement, await world.signSettlement(terms, charterOf(), settlement, by)),
  },
  {
    entry: 'sealAndSettle, the authorization',
    allowed: ['client', 'session'],
    before: funded,
    attempt: async ({ terms, settlement }, by) => {
      const one = await world.sealedSettlement(terms, charterOf(), settlement)
      const sealing = { ...one.sealing, signature: await world.signAuthorization(terms, charterOf(), by) }
      return world.call(relayer, 'sealAndSettle', [{ ...one, sealing }])
    },
  },
  {
    entry: 'settle',
    allowed: ['evaluator'],
    before: sealed,
    attempt: async ({ terms, settlement }, by) =>
      world.settle(terms, charterOf(), settlement, await world.signSettlement(terms, charterOf(), settlement, by)),
  },
  {
    entry: 'settleHalf',
    allowed: ['evaluator'],
    before: sealed,
    attempt: async ({ terms, settlement }, by) => {
      const signature = await world.signHalf(terms, charterOf(), settlement, by)
      return world.call(relayer, 'settleHalf', [{ terms, charter: charterOf(), ...settlement, signature }])
    },
  },
  {
    entry: 'release',
    allowed: ['client'],
    before: sealed,
    attempt: async ({ terms, settlement }, by) =>
      world.release(terms, charterOf(), settlement, relayer, await world.signRelease(terms, charterOf(), settlement, by)),
  },
  {
    entry: 'submit',
    allowed: ['alice'],
    before: sealed,
    attempt: async ({ terms }, by) => {
      const signature = await world.signSteps(terms, 1, { bits: 1n, outputsHash: hash(1) }, by)
      return world.call(relayer, 'submit', [terms, charterOf(), 1n, hash(1), alice.address, signature])
    },
  },
  {
    entry: 'dispute',
    allowed: ['alice'],
    before: sealed,
    attempt: async ({ terms }, by) => {
      const signature = await world.signDispute(terms, 1, { step: 0, evidenceHash: hash(1) }, by)
      return world.call(relayer, 'dispute', [terms, charterOf(), 0, hash(1), alice.address, signature])
    },
  },
  {
    entry: 'rule',
    allowed: ['arbitrator'],
    before: disputed,
    attempt: async ({ terms }, by) => {
      const ruling = { step: 0, payeeBps: 1, rulingHash: hash(1) }
      return world.call(relayer, 'rule', [terms, charterOf(), 0, 1, hash(1), await world.signRuling(terms, 1, ruling, by)])
    },
  },
  {
    entry: 'acceptOffer, the client',
    allowed: ['client'],
    before: sealed,
    attempt: async ({ terms }, by) => {
      const offer = { step: 0, payeeBps: 5000, deadline: terms.expiry }
      const [mine, theirs] = [await world.signOffer(terms, 1, offer, by), await world.signOffer(terms, 1, offer, alice)]
      return world.call(relayer, 'acceptOffer', [terms, charterOf(), 0, 5000, terms.expiry, mine, theirs])
    },
  },
  {
    entry: 'acceptOffer, the payee',
    allowed: ['alice'],
    before: sealed,
    attempt: async ({ terms }, by) => {
      const offer = { step: 0, payeeBps: 5000, deadline: terms.expiry }
      const [mine, theirs] = [await world.signOffer(terms, 1, offer, client), await world.signOffer(terms, 1, offer, by)]
      return world.call(relayer, 'acceptOffer', [terms, charterOf(), 0, 5000, terms.expiry, mine, theirs])
    },
  },
  {
    entry: 'veto',
    allowed: ['client', 'session'],
    before: proposed,
    attempt: async ({ terms }, by) => world.call(relayer, 'veto', [terms, 1, await world.signVeto(terms, 1, by)]),
  },
  {
    entry: 'requestClose',
    allowed: ['client', 'session'],
    before: funded,
    attempt: async ({ terms }, by) => world.call(relayer, 'requestClose', [terms, await world.signCloseRequest(terms, 0, by)]),
  },
  {
    entry: 'setSignerBySignature',
    allowed: ['alice'],
    before: funded,
    attempt: async (_, by) => {
      const change = { account: alice.address, signer: bob.address, allowed: true, nonce: 0n, deadline: 4_102_444_800n }
      return world.call(relayer, 'setSignerBySignature', [
        alice.address,
        bob.address,
        true,
        change.deadline,
        await world.signSigner(change, by),
      ])
    },
  },
]

describe.each([
  ['by its call', called],
  ['by its signature, no matter who brings it', relayed],
])('%s', (_, rows) => {
  it.each(rows)('$entry: $allowed', async ({ allowed, before, attempt }) => {
    for (const [name, by] of Object.entries(allAccounts)) {
      const isAllowed = allowed.includes(name as Who)
      const [outcome] = await undone(world, async () => revertOf(attempt(await before(), by)))
      expect(outcome === 'nothing reverted', `${name}: ${outcome}`).toBe(isAllowed)
    }
  })
})

it('the table has every call, but those that any account makes for everyone', () => {
  const anyAccount = [
    'refund',
    'closeExpired',
    'settleOnSilence',
    'settleMany',
    'sealAndSettleMany',
    'setSigner',
    'fundWithPermit2',
    'withdrawCreditTo',
  ]
  const named = [...called, ...relayed].map(({ entry }) => entry.split(',')[0])
  const writes = planEscrowAbi.filter((entry) => entry.type === 'function' && entry.stateMutability === 'nonpayable')
  expect(writes.map((entry) => entry.name).filter((name) => !named.includes(name) && !anyAccount.includes(name))).toEqual([])
})
