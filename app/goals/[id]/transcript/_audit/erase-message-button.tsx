'use client'
import { useMutation } from '@tanstack/react-query'
import { Eraser } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../../_components/ui/dialog.tsx'
import { Field, Input } from '../../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import { toast } from '../../../../_components/ui/toaster.tsx'

type Props = { roomId: string; seq: number; asksOrder: boolean }

/** Erases a message's text permanently. `asksOrder`: for an operator, who names the legal order. */
export function EraseMessageButton({ roomId, seq, asksOrder }: Props) {
  const t = useTranslations('run.eraseMessageButton')
  const trpc = useTRPC()
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  const [order, setOrder] = useState('')
  const erase = useMutation(
    trpc.conversations.erase.mutationOptions({
      onSuccess: () => {
        setOpen(false)
        toast.success(t('messageErased', { seq }))
        router.refresh()
      },
    }),
  )
  return (
    <>
      <Button tone="quiet" size="small" onClick={() => setOpen(true)} aria-label={t('eraseMessage', { seq })}>
        <Eraser aria-hidden /> {t('erase')}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={t('eraseMessageTitle', { seq })}
        description={t('wordsGoneForGoodForEverybody')}
      >
        {asksOrder && (
          <Field label={t('legalOrder')} hint={t('reference')}>
            <Input value={order} onChange={(event) => setOrder(event.target.value)} maxLength={200} />
          </Field>
        )}
        {erase.error && <ProblemNotice error={erase.error} className="mt-3" />}
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{t('keep')}</Button>
          <Button
            tone="danger"
            isBusy={erase.isPending}
            disabled={asksOrder && order.trim() === ''}
            onClick={() => erase.mutate({ room_id: roomId, seq, ...(asksOrder && { order: order.trim() }) })}
          >
            {t('erase')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
