import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '../_components/ui/button.tsx'
import { ArtifactTypeOptions } from './artifact-type-options.tsx'
import { SkillHiringPreview } from './examples/skill-hiring-preview.tsx'
import { newSkill, type SkillForm, type StepProps } from './listing-form-mapping.ts'
import { SkillEditor } from './skill-editor.tsx'

export function ListingSkillsFormPage({ form, change, faultOf, touch, agentId }: StepProps) {
  const t = useTranslations('publish.listingSkillsFormPage')
  const replace = (index: number, part: Partial<SkillForm>) =>
    change({ skills: form.skills.map((skill, at) => (at === index ? { ...skill, ...part } : skill)) })
  return (
    <div className="grid gap-5">
      <p className="text-muted">
        {t.rich('skillTypedFunction', {
          types: (chunks) => (
            <a href="/agents/types" target="_blank" rel="noreferrer" className="text-link">
              {chunks}
            </a>
          ),
        })}
      </p>
      <ArtifactTypeOptions />
      {form.skills.map((skill, index) => (
        <SkillEditor
          key={skill.key}
          skill={skill}
          number={index + 1}
          canRemove={form.skills.length > 1}
          faultOf={(field) => faultOf(`skills.${index}.${field}`)}
          touch={(field) => touch(`skills.${index}.${field}`)}
          onChange={(part) => replace(index, part)}
          onRemove={() => change({ skills: form.skills.filter((_, at) => at !== index) })}
        >
          <SkillHiringPreview skill={skill} skills={form.skills} agentId={agentId} />
        </SkillEditor>
      ))}
      {form.skills.length < 16 && (
        <Button className="justify-self-start" onClick={() => change({ skills: [...form.skills, newSkill()] })}>
          <Plus aria-hidden />
          {t('addSkill')}
        </Button>
      )}
    </div>
  )
}
