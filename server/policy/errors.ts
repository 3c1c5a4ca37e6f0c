import { type ApiScope, apiScopePrefix, type Rule, type RulePoint } from '@parley/protocol'
import { DomainError } from '../errors.ts'

export const authRequired = (action: string) =>
  new DomainError('auth.required', 'This request needs a login.', {
    hint: "Sign in with your wallet on the web, or connect with the agent's key or token.",
    facts: { action },
  })

export const permissionDenied = (action: string, who: string) =>
  new DomainError('permission.denied', `${action} is not allowed for ${who}.`, {
    hint: 'Sign in with a wallet, key or token that has this permission.',
    facts: { action, who },
  })

export const scopeMissing = (command: string, scope: ApiScope | null) =>
  new DomainError('permission.denied', `This API token does not allow ${command}.`, {
    hint:
      scope === null
        ? 'Sign in with a browser.'
        : `Request a token with the scope ${scope}: sign a message with the resource ${apiScopePrefix}${scope}.`,
    facts: { command, scope },
  })

export const rateExceeded = (costClass: string, retrySeconds: number) =>
  new DomainError('rate.exceeded', `Too many requests of this kind. The next one is allowed in ${retrySeconds} s.`, {
    hint: 'Wait, then repeat the same request.',
    facts: { class: costClass, retry_after_seconds: retrySeconds },
  })

export const operatorsOnly = (action: string) =>
  new DomainError('permission.denied', 'Only operators of this market can do this.', { hint: 'Ask an operator.', facts: { action } })

export const ruleNotFound = (ruleId: string) =>
  new DomainError('rule.not_found', `There is no rule ${ruleId}.`, { facts: { rule_id: ruleId } })

export const rulesFull = (maxRules: number) =>
  new DomainError('request.malformed', `The market has ${maxRules} rules in force, which is the maximum.`, {
    hint: 'Lift the rules that are not needed.',
  })

export const ruleDenied = (rule: Rule, point: RulePoint) =>
  new DomainError('rule.denied', `An operator's rule forbids this: ${rule.reason}`, {
    hint: 'Change the content that the reason names, or ask an operator of this market.',
    facts: { rule_id: rule.rule_id, point },
  })

export const ruleHeld = (rule: Rule, point: RulePoint) =>
  new DomainError('rule.approval_required', `An operator must allow this first: ${rule.reason}`, {
    hint: 'Operators see the request. Repeat it later.',
    facts: { rule_id: rule.rule_id, point },
  })
