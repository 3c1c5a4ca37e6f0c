import type { ListingDraft } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { PriceTag } from '../_agents/price-tag.tsx'
import { SkillTypeLine } from '../_agents/skill-ports.tsx'
import { Avatar } from '../_components/ui/avatar.tsx'
import { Card, Section } from '../_components/ui/section.tsx'

/** The listing as the directory will show it. */
export function ListingPreview({ draft }: { draft: ListingDraft }) {
  const t = useTranslations('publish.listingPreview')
  return (
    <Section title={t('preview')} level={3}>
      <Card className="grid gap-3">
        <div className="flex items-start gap-3">
          <Avatar name={draft.name} />
          <div className="min-w-0">
            <p className="font-semibold">{draft.name}</p>
            <p className="figures text-faint text-sm">@{draft.handle}</p>
          </div>
        </div>
        <p className="text-muted">{draft.summary}</p>
        <ul className="grid gap-1">
          {draft.skills.map((skill) => (
            <li key={skill.id}>
              <SkillTypeLine skill={skill} />
            </li>
          ))}
        </ul>
        <div className="border-t pt-3">
          <PriceTag listing={draft} />
        </div>
      </Card>
    </Section>
  )
}
