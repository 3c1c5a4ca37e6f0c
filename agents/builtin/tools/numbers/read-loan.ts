/** Reads a loan or savings with interest from the words of a goal. */
import { hasOnlyKnownWords } from './has-only-known-words.ts'
import { add, divide, multiply, type Rational, rational, subtract } from './rational.ts'
import { type NumberToken, readAmountTokens } from './read-amount-tokens.ts'
import { ReadableText, withNumberPlaceholders } from './with-number-placeholders.ts'
import { commonCurrency, type WrittenCurrency } from './write-currency-amount.ts'

export type LoanProblem = {
  readonly kind: 'payment' | 'payoff' | 'savings' | 'simple interest'
  /** What is borrowed or put in at the start. */
  readonly amount: Rational
  /** What was paid down before the loan. */
  readonly down: Rational | undefined
  /** The interest rate of a year as a share. */
  readonly rate: Rational
  readonly months: bigint
  /** Paid or saved each month. */
  readonly monthly: Rational | undefined
  /** Times a year that interest is added. */
  readonly compounding: bigint
  readonly currency: WrittenCurrency
}

const known = new Set(
  (
    "a an the of for to in on at by is are was were be been will would can could should do does did i we you my our me us it its that this these those there have has had i'd i'll i've i'm need want know tell give show how much many what which whats what's when where and then so also with from into as if over during within " +
    'loan loans mortgage credit borrow borrowed borrowing lend bank car house home personal student money take taking took out pay pays paid paying payment payments payable repay repaid repayment repayments instalment instalments installment installments emi rate rates interest yearly annual annually annum apr year years per each every month months monthly fixed nominal effective term total totally overall altogether whole cost costs back ' +
    'save saves saving savings invest invested investing investment deposit deposited depositing put puts account compound compounded compounding grow grows growth future value worth end ending final balance after later left right earn earned earns get gets amount principal capital sum start starting initial begin regular contribution contributions add added adding plus simple ' +
    'please thanks thank hi hello calculate compute work out find figure long until off pays finance financed financing price down payment today now just only p.a. pa . , ? : ( ) - = + / going gonna must come comes owe owed half-yearly make making new thing buy buying'
  ).split(' '),
)
const risky =
  /\b(?:variable|floating|only interest|interest-only|interest only|balloon|fees?|extra|overpay|overpayment|early|tax(?:es)?|inflation|refinance|refinancing|points|insurance|grace|deferred|weekly|bi-?weekly|fortnight(?:ly)?|daily|days?|weeks?|compare|better|or|afford|cheaper|first|second|third|increase[sd]?|bonus|except|unless|not|no|without|than|versus|vs|withdraw|withdrawal|twice|double|half|quarter|quarterly|salary|rent|dividends?|stocks?|etf|bitcoin|crypto|write|email|draft|transfer|advice|best|current|prime|today's|predict|beginning of|start of each|due at)\b/

const times: { readonly [word: string]: bigint } = {
  annually: 1n,
  yearly: 1n,
  'once a year': 1n,
  'every year': 1n,
  'semi-annually': 2n,
  'half-yearly': 2n,
  quarterly: 4n,
  monthly: 12n,
  'every month': 12n,
  daily: 365n,
}

type Found = {
  years: Rational | undefined
  rate: Rational | undefined
  isMonthlyRate: boolean
  monthly: NumberToken | undefined
  down: NumberToken | undefined
  amount: NumberToken | undefined
  compounding: bigint | undefined
  isUnclear: boolean
}

/** A problem, or the one thing that is missing. @returns undefined if a word is not understood */
export function readLoan(goal: string): { readonly problem: LoanProblem } | { readonly question: string } | undefined {
  const tokens =
    goal.length > 800
      ? undefined
      : readAmountTokens(goal.replace(/\bp\. ?a\.?(?=[\s,;?]|$)/gi, 'per annum').replace(/\bdownpayment\b/gi, 'down payment'))
  if (!tokens) return undefined
  const text = new ReadableText(withNumberPlaceholders(tokens))
  const isLoan =
    / (?:loans?|mortgage|borrow(?:ed|ing)?|credit|finance[sd]?|financing|repay(?:ment|ments)?|instal?ments?|emi|pay (?:it |this )?off|paid off|paying off) /.test(
      text.text,
    )
  const isSaving =
    / (?:save|saving|savings|invest|invested|investing|investment|deposit|deposited|compound|compounded|put|grow|grows|future value|account) /.test(
      text.text,
    )
  if (isLoan === isSaving || text.numbers.length < 2 || text.numbers.length > 6) return undefined
  const found = takeNumbers(text, isLoan)
  const currency = commonCurrency(text.numbers)
  if (!currency || found.isUnclear || /[#%]\d/.test(text.text)) return undefined
  const rest = text.text.replace(/ interest rate /g, ' rate ')
  if (risky.test(rest.replace(/\|[a-z]+\|/g, ' ')) || !hasOnlyKnownWords(rest.replace(/\|[a-z]+\|/g, '|base|'), known)) return undefined
  return judge(found, { isLoan, rest, currency })
}

function takeNumbers(text: ReadableText, isLoan: boolean): Found {
  const found: Found = {
    years: undefined,
    rate: undefined,
    isMonthlyRate: false,
    monthly: undefined,
    down: undefined,
    amount: undefined,
    compounding: undefined,
    isUnclear: false,
  }
  text.take(
    / compound(?:ed|ing)? (annually|yearly|once a year|every year|semi-annually|half-yearly|quarterly|monthly|every month|daily)(?= )/g,
    ([word = '']) => {
      found.compounding = times[word]
      return '|often|'
    },
  )
  text.take(/ #(\d+) (?:- )?(months?|mos?|years?|yrs?)(?: (?:term|long|loan|period))?(?= )/g, ([place = '', unit = '']) => {
    const count = text.at(`#${place}`)?.value ?? rational(0n)
    const years = unit.startsWith('m') ? divide(count, rational(12n)) : count
    found.years = found.years ? add(found.years, years) : years
    return unit.startsWith('m') || !/ \|term\| /.test(text.text) ? '|term|' : '|unclear|'
  })
  text.take(
    / %(\d+)(?: (?:fixed|nominal|effective|interest|rate|apr|of)){0,3}(?: (per month|a month|monthly|each month|per year|a year|per annum|yearly|annual|annually|each year|pa)(?: interest)?(?: rate)?)?(?= )(?! down)/g,
    ([, per = ''], [rate]) => {
      if (!rate || found.rate) found.isUnclear = true
      found.rate = rate && divide(rate.value, rational(100n))
      found.isMonthlyRate = per.includes('month')
      return '|rate|'
    },
  )
  takeAmounts(text, found, isLoan)
  if ((text.text.match(/\|term\|/g)?.length ?? 0) > 1 && !/\|term\| and \|term\|/.test(text.text)) found.isUnclear = true
  return found
}

function takeAmounts(text: ReadableText, found: Found, isLoan: boolean): void {
  const set = (name: 'monthly' | 'down' | 'amount', mark: string): string => {
    const number = text.at(mark)
    if (!number || number.isPercent || found[name]) found.isUnclear = true
    else found[name] = number
    return '|base|'
  }
  const monthly = '(?:a month|per month|each month|every month|monthly|/ month)'
  text.take(new RegExp(` (#\\d+) ${monthly}(?: (?:payments?|instal?ments?|contributions?))?(?= )`, 'g'), ([mark = '']) =>
    set('monthly', mark),
  )
  text.take(
    / (?:monthly|every month|each month)(?: (?:payments?|deposits?|contributions?|savings|instal?ments?|of|is|are)){0,3} (#\d+)(?= )/g,
    ([mark = '']) => set('monthly', mark),
  )
  if (isLoan) {
    text.take(/ (?:down payment|deposit)(?: (?:of|is|:|was)){0,2} (#\d+)(?= )/g, ([mark = '']) => set('down', mark))
    text.take(/ (#\d+) (?:as )?(?:a |an )?(?:down payment|down|deposit)(?= )/g, ([mark = '']) => set('down', mark))
  }
  text.take(/ (#\d+)(?= )/g, ([mark = '']) => set('amount', mark))
}

type Setting = { readonly isLoan: boolean; readonly rest: string; readonly currency: WrittenCurrency }

function judge(found: Found, { isLoan, rest, currency }: Setting): ReturnType<typeof readLoan> {
  const { amount, monthly, down, years } = found
  if (!amount && !(monthly && !isLoan)) return undefined
  const isInterest = isLoan || / (?:interest|compounded|invest|invested|investing|investment|account|savings|rate) /.test(rest)
  if ((!found.rate || !years) && !isInterest) return undefined
  if (!found.rate) return { question: 'Which interest rate per year do I use? Answer such as “4.5%”.' }
  const rate = found.isMonthlyRate ? multiply(found.rate, rational(12n)) : found.rate
  if (rate.n < 0n || rate.n > rate.d || (amount && amount.value.n <= 0n)) return undefined
  const months = years && multiply(years, rational(12n))
  const asksTime = / (?:how long|how many (?:months|years)|until (?:it|the loan) is|when (?:is|will)) /.test(rest)
  const shared = {
    rate,
    currency,
    compounding: found.compounding ?? (monthly && !isLoan ? 12n : found.isMonthlyRate ? 12n : 1n),
    down: down?.value,
  }
  const value = amount ? (down ? subtract(amount.value, down.value) : amount.value) : rational(0n)
  if (value.n < 0n) return undefined
  if (isLoan && monthly)
    return asksTime && !months && !found.compounding
      ? { problem: { ...shared, kind: 'payoff', amount: value, months: 0n, monthly: monthly.value } }
      : undefined
  if (!months)
    return {
      question: isLoan
        ? 'Over how many months or years is the loan paid back? Answer such as “36 months”.'
        : 'For how many years? Answer such as “10 years”.',
    }
  if (months.d !== 1n || months.n < 1n || months.n > 1_200n || asksTime || (isLoan && found.compounding && found.compounding !== 12n))
    return undefined
  if (isLoan) return { problem: { ...shared, kind: 'payment', amount: value, months: months.n, monthly: undefined } }
  const isSimple = / simple /.test(rest)
  if (isSimple && (monthly || found.compounding)) return undefined
  return {
    problem: { ...shared, kind: isSimple ? 'simple interest' : 'savings', amount: value, months: months.n, monthly: monthly?.value },
  }
}
