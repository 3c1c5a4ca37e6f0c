/** The public exports for operators' rules and for the content tags that they name. */

export { type ContentTag, contentTags, contentTagsIn } from './content-tags.ts'
export {
  type Decision,
  evaluateRules,
  Host,
  hasContentTagRule,
  isInForce,
  type PolicyRequest,
  Region,
  type ResourceKind,
  Rule,
  RuleDraft,
  type RulePoint,
  RuleSubject,
  resourceKinds,
  rulePoints,
} from './rule.ts'
export { CreateRule, RevokeRule } from './rule-commands.ts'
