'use client'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Button } from '../../../../_components/ui/button.tsx'
import { Field, Textarea } from '../../../../_components/ui/field.tsx'
import { Notice } from '../../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'

/** A message of the client in the room, and its answer if the planner waits for one. */
export function ClientMessageBox({ run }: { run: Run }) {
  const t = useTranslations('run.clientMessageBox')
  const trpc = useTRPC()
  const [text, setText] = useState('')
  const post = useMutation(trpc.conversations.post.mutationOptions({ onSuccess: () => setText('') }))
  const question = run.conversation.openQuestionId
  const isEnded = ['paid', 'refunded', 'canceled'].includes(run.goal.state)
  if (isEnded || run.goal.state === 'funding') return null
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    const { principalId, roomId } = run.goal
    post.mutate({
      room_id: roomId,
      text,
      ...(principalId ? { to: [principalId] } : {}),
      ...(question ? { reply_to: question } : {}),
    })
  }
  return (
    <form onSubmit={send} className="grid gap-3 border-t px-4 py-3">
      {question && <Notice kind="warning" title={t('plannerWaitsForYourAnswer')} />}
      <Field label={question ? t('yourAnswer') : t('saySomethingInRoom')} hint={t('wordsChangeNothingByThemselves')}>
        <Textarea value={text} onChange={(event) => setText(event.target.value)} maxLength={8192} rows={2} className="min-h-16" />
      </Field>
      {post.error && <ProblemNotice error={post.error} money={t('noMoneyMoved')} />}
      <div className="flex justify-end">
        <Button type="submit" tone={question ? 'primary' : 'secondary'} isBusy={post.isPending} disabled={text.trim() === ''}>
          <Send aria-hidden /> {t('send')}
        </Button>
      </div>
    </form>
  )
}
