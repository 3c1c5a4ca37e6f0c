/** What has to hold of the two storage words: each field reads as it was written, and no writer changes another field. */
import { Source, type Term } from './solidity-to-smt.ts'

/** `claim` follows from `given`, for all values of the names in `declare`. */
export type Theorem = { readonly name: string; readonly declare: string; readonly given: readonly string[]; readonly claim: string }

const word = (name: string): Term => ({ text: name, isBool: false })
const equal = (a: Term, b: Term | string) => `(= ${a.text} ${typeof b === 'string' ? b : b.text})`
const bv = (value: bigint) => `(_ bv${value} 256)`
const below = (name: string, bits: bigint) => `(bvult ${name} ${bv(1n << bits)})`
const and = (claims: readonly string[]) => `(and true ${claims.join(' ')})`

const declare = '(declare-const w (_ BitVec 256)) (declare-const v (_ BitVec 256)) (declare-const b Bool)'

/** Names of the readers whose value a writer changes; all others stay. */
type Writer = {
  readonly name: string
  readonly args: readonly Term[]
  readonly given: readonly string[]
  readonly changes: { readonly [reader: string]: string }
}

function writerTheorems(source: Source, library: string, readers: readonly string[], writers: readonly Writer[]): Theorem[] {
  return writers.map(({ name, args, given, changes }) => {
    const after = source.call(name, word('w'), ...args)
    const claims = readers.map((reader) => equal(source.call(reader, after), changes[reader] ?? source.call(reader, word('w'))))
    return { name: `${library}.${name}`, declare, given, claim: and(claims) }
  })
}

/** Bits that no field has stay as they are. */
const unused = (source: Source, name: string, args: readonly Term[], mask: bigint) =>
  `(= (bvand ${source.call(name, word('w'), ...args).text} ${bv(mask)}) (bvand w ${bv(mask)}))`

export function planSlotTheorems(text: string): Theorem[] {
  const source = new Source(text, 'word')
  const [v, b, w] = [word('v'), { text: 'b', isBool: true }, word('w')]
  const of = (reader: string) => source.call(reader, w).text
  const fields = ['codes', 'remaining', 'status', 'sealed_', 'authorized', 'vetoed', 'noticed', 'closing', 'version']
  const others = fields.slice(1)
  const steps = ['pendingBits', 'paidBits', 'disputedBits']
  const without = (reader: string, bits: string) => `(bvand ${of(reader)} (bvnot ${bits}))`
  const some = [below('v', 64n)]
  const writers: Writer[] = [
    { name: 'withRemaining', args: [v], given: [below('v', 96n)], changes: { remaining: 'v' } },
    { name: 'less', args: [v], given: [`(bvule v ${of('remaining')})`], changes: { remaining: `(bvsub ${of('remaining')} v)` } },
    { name: 'withStatus', args: [v], given: [below('v', 2n)], changes: { status: 'v' } },
    {
      name: 'withCharter',
      args: [v, b],
      given: [below('v', 24n)],
      changes: { version: 'v', authorized: 'b', sealed_: 'true', noticed: 'false' },
    },
    { name: 'withVeto', args: [], given: [`(not ${of('authorized')})`], changes: { sealed_: 'false', vetoed: 'true' } },
    { name: 'withNotice', args: [], given: [], changes: { noticed: 'true' } },
    { name: 'withClosing', args: [b], given: [], changes: { closing: 'b' } },
  ]
  const bits: Writer[] = [
    {
      name: 'withPaid',
      args: [v],
      given: some,
      changes: {
        pendingBits: without('pendingBits', 'v'),
        paidBits: `(bvor ${of('paidBits')} v)`,
        disputedBits: without('disputedBits', 'v'),
      },
    },
    {
      name: 'withEnded',
      args: [v],
      given: some,
      changes: { pendingBits: without('pendingBits', 'v'), paidBits: without('paidBits', 'v'), disputedBits: without('disputedBits', 'v') },
    },
    {
      name: 'withDisputed',
      args: [v],
      given: some,
      changes: {
        pendingBits: without('pendingBits', 'v'),
        paidBits: without('paidBits', 'v'),
        disputedBits: `(bvor ${of('disputedBits')} v)`,
      },
    },
    { name: 'withPendingEnded', args: [v], given: some, changes: { pendingBits: `(bvand ${of('pendingBits')} v)` } },
    {
      name: 'withPendingPaid',
      args: [source.call('spread', v)],
      given: [...some, source.call('isPending', w, source.call('spread', v)).text],
      changes: { pendingBits: without('pendingBits', 'v'), paidBits: `(bvor ${of('paidBits')} v)` },
    },
  ]
  const spread = source.call('spread', v)
  const low = (1n << 128n) - 1n
  return [
    ...writerTheorems(source, 'PlanSlot', fields, writers),
    ...writerTheorems(source, 'PlanSlot', [...others, ...steps], bits),
    ...writers.map(({ name, args, given }) => ({
      name: `PlanSlot.${name}: no bit beside the fields`,
      declare,
      given,
      claim: unused(source, name, args, 1n << 231n),
    })),
    {
      name: 'PlanSlot.spread and gather',
      declare,
      given: some,
      claim: and([
        equal(source.call('gather', spread), 'v'),
        `(= (bvand ${spread.text} (bvnot ${source.constant('LOW_BITS')?.text})) ${bv(0n)})`,
      ]),
    },
    {
      name: 'PlanSlot.gather and spread',
      declare,
      given: [`(bvule w ${bv(low)})`],
      claim: equal(source.call('spread', source.call('gather', w)), `(bvand w ${source.constant('LOW_BITS')?.text})`),
    },
    {
      name: 'PlanSlot.isPending',
      declare,
      given: some,
      claim: `(= ${source.call('isPending', w, spread).text} (= (bvand v (bvnot ${of('pendingBits')})) ${bv(0n)}))`,
    },
    {
      name: 'PlanSlot.pendingAmong',
      declare,
      given: [`(bvule v ${bv(64n)})`],
      claim: `(= ${source.call('pendingAmong', w, v).text} (bvand ${of('pendingBits')} (bvsub (bvshl ${bv(1n)} v) ${bv(1n)})))`,
    },
    {
      name: 'PlanSlot.codes are apart',
      declare,
      given: [],
      claim: and([
        `(= (bvand ${of('pendingBits')} ${of('paidBits')}) ${bv(0n)})`,
        `(= (bvand ${of('pendingBits')} ${of('disputedBits')}) ${bv(0n)})`,
        `(= (bvand ${of('paidBits')} ${of('disputedBits')}) ${bv(0n)})`,
      ]),
    },
  ]
}

export function channelSlotTheorems(text: string): Theorem[] {
  const source = new Source(text, 'word')
  const fields = ['deposit', 'claimed', 'closeRequestedAt', 'status']
  const v = word('v')
  const writers: Writer[] = [
    { name: 'withDeposit', args: [v], given: [below('v', 104n)], changes: { deposit: 'v' } },
    { name: 'withClaimed', args: [v], given: [below('v', 104n)], changes: { claimed: 'v' } },
    { name: 'withCloseRequestedAt', args: [v], given: [below('v', 40n)], changes: { closeRequestedAt: 'v' } },
  ]
  const parts = [
    { name: 'deposit', bits: 104n },
    { name: 'claimed', bits: 104n },
    { name: 'closeRequestedAt', bits: 40n },
    { name: 'status', bits: 8n },
  ]
  const packed = source.call('pack', ...parts.map(({ name }) => word(name)))
  return [
    ...writerTheorems(source, 'ChannelSlot', fields, writers),
    {
      name: 'ChannelSlot.pack',
      declare: parts.map(({ name }) => `(declare-const ${name} (_ BitVec 256))`).join(' '),
      given: parts.map(({ name, bits }) => below(name, bits)),
      claim: and(parts.map(({ name }) => equal(source.call(name, packed), name))),
    },
  ]
}
