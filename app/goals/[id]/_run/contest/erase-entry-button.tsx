'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Eraser } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Confirm } from '../../../../_components/ui/confirm.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'

/** Erases an entry's text and files permanently, for its owner and the client, after the contest. */
export function EraseEntryButton({ entry }: { entry: { id: string; name: string } }) {
  const t = useTranslations('run.entriesPanel')
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const erase = useMutation(
    trpc.contests.erase.mutationOptions({ onSuccess: () => queries.invalidateQueries({ queryKey: trpc.contests.list.queryKey() }) }),
  )
  return (
    <>
      {erase.error && <ProblemNotice error={erase.error} />}
      <Button tone="quiet" size="small" className="justify-self-start" isBusy={erase.isPending} onClick={() => setOpen(true)}>
        <Eraser aria-hidden /> {t('erase')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('eraseTitle', { name: entry.name })}
        description={t('eraseDescription')}
        yes={t('erase')}
        onYes={() => erase.mutate({ entry_id: entry.id as never })}
      />
    </>
  )
}
