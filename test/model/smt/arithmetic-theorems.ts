/**
 * What has to hold of the sums that leave a plan and a channel. Over integers: where a term could go below zero or above its type,
 * that is a claim of its own. `P`: paid whole so far; `U`: all that is pending or disputed; `N`: paid now; `O`: what stays open.
 */
import type { Theorem } from './slot-theorems.ts'
import { Source, type Term } from './solidity-to-smt.ts'

const term = (text: string): Term => ({ text, isBool: false })
const atLeast = (a: string, b: string) => `(>= ${a} ${b})`
const declareAll = (names: readonly string[]) => names.map((name) => `(declare-const ${name} Int) (assert (>= ${name} 0))`).join(' ')

export type Sources = { readonly [file: string]: string }

export function planTheorems(sources: Sources): Theorem[] {
  const store = new Source(`${sources.PlanStore}\n${sources.PlanPayments}`, 'integer')
  const rounds = new Source(`${sources.PlanStore}\n${sources.PlanPayments}`, 'integer')
  const f = term('f')
  const fee = (amount: string) => store.call('_fee', term(amount), f).text
  /** `_feeOn`, of what is paid now beside what was paid before. */
  const feeOn = (before: string, paid: string) => {
    const text = rounds.between('uint256 earlier = steps.sumOf(slot.paidBits() & ~bits);\n            return ', ';')
    return rounds.read(text, { earlier: term(before), paid: term(paid), feeBps: f }).text
  }
  /** What a plan has to hold, so that all of it can still be paid whole. */
  const needed = (paid: string, open: string) => `(+ ${open} (- ${fee(`(+ ${paid} ${open})`)} ${fee(paid)}))`
  const held = term('held')
  const rest = (amount: string, owed: string) =>
    store.read(store.between('uint256 rest = ', ';'), { held, amount: term(amount), fee: term(owed) }).text
  const kept = store.read(store.between('kept = ', ';'), { amount: term('O'), fee: term(feeOn('P', 'O')) }).text
  const [back = '', left = ''] = store.between('(back, rest) = (', ');').split(',')
  const closing = (name: string) => (of: string) => store.read(name, { rest: term(of), kept: term(kept) }).text
  const declare = declareAll(['held', 'P', 'N', 'O', 'R', 'a', 'bps', 'f', 'total'])
  const maxFee = new Source(String(sources.PlanFunding), 'integer').constant('MAX_FEE_BPS')?.text ?? ''
  const bounded = `(<= f ${maxFee})`
  const split = store.call('_share', term('a'), term('bps')).text
  const whole = rest('N', feeOn('P', 'N'))
  const afterSplit = rest(split, fee(split))
  const sumAndFee = store.read(`_fee${store.between('sum += _fee', ';')}`.replace('terms.getFeeBps()', 'f'), { sum: term('U'), f }).text
  const isSplit = [bounded, '(<= bps 10000)', atLeast('held', needed('P', '(+ a R)'))]
  const isOpen = [bounded, atLeast('held', needed('P', '(+ N (+ O R))'))]
  const royalties = store.constant('MAX_ROYALTY_BPS')?.text ?? ''
  return [
    {
      name: 'funding covers every step and the fee',
      declare: `${declare} ${declareAll(['U'])}`,
      given: [bounded, `(not (> (+ U ${sumAndFee}) total))`],
      claim: atLeast('total', needed('0', 'U')),
    },
    {
      name: 'paying whole leaves enough for each other step',
      declare,
      given: isOpen,
      claim: `(and ${atLeast(whole, needed('(+ P N)', '(+ O R)'))} ${atLeast(whole, '0')})`,
    },
    {
      name: 'a split leaves enough for each other step',
      declare,
      given: isSplit,
      claim: `(and ${atLeast(afterSplit, needed('P', 'R'))} ${atLeast(afterSplit, '0')} (<= ${split} a))`,
    },
    {
      name: 'closing gives back no more than is left',
      declare,
      given: [bounded, atLeast('held', needed('P', '(+ O R)'))],
      claim: `(and ${atLeast(closing(back)('held'), '0')} (= (+ ${closing(back)('held')} ${closing(left)('held')}) held))`,
    },
    {
      name: 'closing keeps what the open steps need',
      declare,
      given: [bounded],
      claim: `(= ${closing(left)('held')} ${needed('P', 'O')})`,
    },
    {
      name: 'a plan without open steps is empty when it is closed',
      declare,
      given: [bounded, '(= O 0)'],
      claim: `(and (= ${closing(left)('held')} 0) (= ${closing(back)('held')} held))`,
    },
    {
      name: 'what is paid, the fee and what goes back are what was held',
      declare,
      given: [...isOpen, '(= O 0)'],
      claim: `(= held (+ N (+ ${feeOn('P', 'N')} ${closing(back)(whole)})))`,
    },
    { name: 'royalties are at most half of a step', declare, given: [`(<= bps ${royalties})`], claim: `(<= (* 2 ${split}) a)` },
    {
      name: 'no product of a sum and a share overflows',
      declare,
      given: ['(<= a (* 64 (- (^ 2 96) 1)))', '(<= bps 10000)'],
      claim: '(< (* a bps) (^ 2 256))',
    },
  ]
}

export function channelTheorems(sources: Sources): Theorem[] {
  const source = new Source(String(sources.VoucherChannels), 'integer')
  const names = { total: term('total'), before: term('before'), max: term('max'), amount: term('added') }
  const current = (text: string) => text.replaceAll('current.deposit()', 'deposit').replaceAll('current.claimed()', 'before')
  const read = (text: string) => source.read(current(text), { ...names, deposit: term('deposit') }).text
  const guard = (fault: string) => {
    const lines = source.between('return (Fault.NotOpen, 0);', 'ChannelSlots.store')
    const found = new RegExp(`if \\(([^)]*(?:\\(\\))?[^)]*)\\) return \\(Fault\\.${fault}`).exec(lines)
    if (!found) throw new Error(`the source has no guard for ${fault}`)
    return `(not ${read(found[1] as string)})`
  }
  const guards = ['NothingNew', 'AboveVoucher', 'AboveDeposit'].map(guard)
  const amount = read(source.between('return (Fault.None, ', ');'))
  const rest = read(source.between('uint256 rest = ', ';'))
  const deposit = read(source.between('uint256 deposit = ', ';'))
  const declare = declareAll(['deposit', 'before', 'total', 'max', 'added'])
  const held = '(<= before deposit)'
  return [
    {
      name: 'a claim pays no more than the voucher and the deposit',
      declare,
      given: [held, ...guards],
      claim: `(and (> ${amount} 0) (<= (+ before ${amount}) deposit) (<= (+ before ${amount}) max))`,
    },
    { name: 'the receiver has what it claimed, to the unit', declare, given: [held, ...guards], claim: `(= (+ before ${amount}) total)` },
    {
      name: 'closing pays out the deposit, no more and no less',
      declare,
      given: ['(<= total deposit)'],
      claim: `(and (>= ${rest} 0) (= (+ total ${rest}) deposit))`,
    },
    { name: 'a deposit only grows', declare, given: [held], claim: `(and (>= ${deposit} deposit) (<= before ${deposit}))` },
  ]
}
