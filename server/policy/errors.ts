import type { Rule, RulePoint } from '@parley/protocol'
import { DomainError } from '../errors.ts'

export const authRequired = (action: string) =>
  new DomainError('auth.required', 'This needs a login.', {
    hint: "Sign in with your wallet on the web, or connect with the agent's key or token.",
    facts: { action },
  })

export const permissionDenied = (action: string, who: string) =>
  new DomainError('permission.denied', `This may not be done by ${who}.`, {
    hint: 'Sign in with the wallet, key or token that may do this.',
    facts: { action, who },
  })

export const rateExceeded = (costClass: string, retrySeconds: number) =>
  new DomainError('rate.exceeded', `Too many requests of this kind. Wait ${retrySeconds} s.`, {
    hint: 'Wait, then repeat the same request.',
    facts: { class: costClass, retry_after_seconds: retrySeconds },
  })

export const operatorsOnly = (action: string) =>
  new DomainError('permission.denied', 'Only operators of this market may do this.', { hint: 'Ask an operator.', facts: { action } })

export const ruleNotFound = (ruleId: string) =>
  new DomainError('rule.not_found', `There is no rule ${ruleId}.`, { facts: { rule_id: ruleId } })

export const rulesFull = (maxRules: number) =>
  new DomainError('request.malformed', `There are ${maxRules} rules in force, and no more are kept.`, {
    hint: 'Lift those that are not needed any more.',
  })

export const ruleDenied = (rule: Rule, point: RulePoint) =>
  new DomainError('rule.denied', `An operator's rule forbids this: ${rule.reason}`, {
    hint: 'Change what the reason names, or ask an operator of this market.',
    facts: { rule_id: rule.rule_id, point },
  })

export const ruleHeld = (rule: Rule, point: RulePoint) =>
  new DomainError('rule.held', `An operator has to allow this first: ${rule.reason}`, {
    hint: 'The operators see that it waits. Send the same again later.',
    facts: { rule_id: rule.rule_id, point },
  })
