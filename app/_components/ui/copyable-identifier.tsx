import { useTranslations } from 'next-intl'
import { cn } from './cn.ts'
import { CopyButton } from './copy-button.tsx'
import { Link } from './link.tsx'

export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** An address of a wallet or contract: shortened on the page, complete in the title and when copied. */
export function CopyableAddress({ address, label, className }: { address: string; label?: string | undefined; className?: string }) {
  const t = useTranslations('ui.copyableIdentifier')
  return (
    <span className={cn('inline-flex max-w-full items-center gap-1', className)}>
      {label && <span className="truncate">{label}</span>}
      <Link href={`/explorer/address/${address}`} title={address} className="figures text-link">
        {shorten(address)}
      </Link>
      <CopyButton text={address} label={t('copyAddress')} isIconOnly />
    </span>
  )
}

/** A transaction, linked to the explorer. An id of Stripe is shown without a link. */
export function TxLink({ hash, className }: { hash: string; className?: string }) {
  if (!hash.startsWith('0x'))
    return (
      <span title={hash} className={cn('figures', className)}>
        {shorten(hash, 10, 6)}
      </span>
    )
  return (
    <Link href={`/explorer/tx/${hash}`} title={hash} className={cn('figures text-link', className)}>
      {shorten(hash, 10, 6)}
    </Link>
  )
}

/** An identifier, key or hash: shortened on the page, complete when copied. */
export function CopyableIdentifier({ text, className }: { text: string; className?: string }) {
  const t = useTranslations('ui.copyableIdentifier')
  return (
    <span className={cn('inline-flex max-w-full items-center gap-1', className)}>
      <span className="figures truncate" title={text}>
        {shorten(text, 14, 6)}
      </span>
      <CopyButton text={text} label={t('copy')} isIconOnly />
    </span>
  )
}
