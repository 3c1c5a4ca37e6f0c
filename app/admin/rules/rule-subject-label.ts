import type { Rule } from '@parley/protocol'
import type { Translate } from '../../_messages/translate-types.ts'

/** The target of a rule, in words. */
export function ruleSubjectLabel({ subject }: Pick<Rule, 'subject'>, t: Translate<'admin.subject'>, tTag: Translate<'admin.tag'>): string {
  const { agent_id, did, kind, host, skill_id, outside_region, tag } = subject
  const parts = [
    ...(agent_id ? [t('agent', { agent: agent_id })] : []),
    ...(did ? [did] : []),
    ...(kind ? [t('kind', { kind })] : []),
    ...(host ? [t('host', { host })] : []),
    ...(skill_id ? [t('skill', { skill: skill_id })] : []),
    ...(outside_region ? [t('outsideRegion', { region: outside_region })] : []),
    ...(tag ? [t('content', { content: tTag(tag) })] : []),
  ]
  const words = parts.join(', ')
  return words === '' ? t('everything') : words.charAt(0).toUpperCase() + words.slice(1)
}
