/** What the demo prints. Colour only where a terminal shows it. */

import { styleText } from 'node:util'
import { type DeliveredEnvelope, formatAmount } from '@parley/protocol'
import { type Speaker, viewMessage } from '../../app/goals/[id]/_message/message-view.ts'
import { translate } from '../app/translate.ts'

const market = { symbol: 'USDC', decimals: 6, feeBps: 0 }
type Style = 'bold' | 'dim' | 'cyan' | 'green' | 'red' | 'yellow'
const isTerminal = process.stdout.isTTY === true

export function paint(style: Style, text: string): string {
  return isTerminal ? styleText(style, text) : text
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

export function title(text: string): void {
  print()
  print(paint('bold', text))
}

export function amountText(amount: bigint): string {
  return `${formatAmount(amount, market.decimals)} ${market.symbol}`
}

/** Fits to a column; what others wrote may hold anything, so control characters are shown as spaces. */
export function oneLine(text: string, max = 110): string {
  const flat = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat
}

/** Lines of a file, indented and bounded. */
export function block(text: string, max: number): string {
  const lines = text
    .replace(/[^\P{Cc}\n]/gu, '')
    .trimEnd()
    .split('\n')
  const shown = lines.slice(0, max).map((line) => `      ${line.slice(0, 130)}`)
  return [...shown, ...(lines.length > max ? [`      … ${lines.length - max} more lines`] : [])].join('\n')
}

export type People = {
  readonly handleOf: (did: string) => string
  readonly nameOf: (agentId: string) => string
  readonly roleOf: (did: string) => Speaker['role']
}

/** Time, who, state, act, and the message in a line. */
export function messageLine(message: DeliveredEnvelope, people: People): string {
  const speakerOf = (did: string): Speaker => ({ did, name: people.handleOf(did), role: people.roleOf(did) })
  const view = viewMessage(message, { market, nameOf: people.nameOf, speakerOf, t: translate('views.message') })
  const texts = view.blocks.map((one) => {
    switch (one.kind) {
      case 'text':
      case 'fact':
        return one.text
      case 'artifact':
        return `[${one.artifact.name}, ${one.artifact.size} bytes]`
      case 'charter':
        return `Charter ${one.version}: ${one.steps.map((step) => `${step.step} ${step.title} ${step.amount}`).join('; ')}`
      case 'data':
        return `(${one.name})`
      default:
        return one satisfies never
    }
  })
  const money = view.money ? paint('yellow', ` {${view.money.label}}`) : ''
  return [
    paint('dim', view.at.toISOString().slice(11, 23)),
    paint('cyan', oneLine(view.speaker.name, 18).padEnd(18)),
    translate('views.conversationState')(view.state).padEnd(10),
    translate('views.speechAct')(view.act).padEnd(20),
    `${oneLine(texts.join(' · '))}${money}`,
  ].join('  ')
}
