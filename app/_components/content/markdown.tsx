import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { MarkdownElement, MarkdownNode } from '@/server/markdown/markdown-tree.ts'
import { cn } from '../ui/cn.ts'

/** Elements that differ from the default only in style. */
const looks = {
  h1: ['h3', 'mt-6 mb-2 font-semibold text-lg first:mt-0'],
  h2: ['h4', 'mt-5 mb-2 font-semibold first:mt-0'],
  h3: ['h5', 'mt-4 mb-1 font-semibold first:mt-0'],
  h4: ['h6', 'mt-4 mb-1 font-medium first:mt-0'],
  h5: ['h6', 'mt-4 mb-1 font-medium first:mt-0'],
  h6: ['h6', 'mt-4 mb-1 font-medium first:mt-0'],
  p: ['p', 'my-3 first:mt-0 last:mb-0'],
  ul: ['ul', 'my-3 list-disc pl-5'],
  li: ['li', ''],
  blockquote: ['blockquote', 'my-3 border-line-strong border-l-2 pl-4 text-muted'],
  code: ['code', 'figures rounded-sm bg-plain-soft px-1 py-0.5 [pre_&]:bg-transparent [pre_&]:p-0'],
  strong: ['strong', ''],
  em: ['em', ''],
  del: ['del', ''],
  thead: ['thead', ''],
  tbody: ['tbody', ''],
  tr: ['tr', ''],
  th: ['th', 'border-b px-3 py-1.5 text-left font-semibold'],
  td: ['td', 'border-b px-3 py-1.5 align-top tabular-nums'],
} as const

/**
 * Untrusted Markdown, from the syntax tree that the server made. Remote images are removed, and links are marked as external. Without a
 * tree, the plain text.
 */
export function Markdown({ text, tree, className }: { text: string; tree: readonly MarkdownNode[] | null; className?: string }) {
  return (
    <div className={cn('min-w-0 [font-kerning:none] [overflow-wrap:anywhere]', className)}>
      {tree === null ? <p className="whitespace-pre-wrap">{text}</p> : <Nodes nodes={tree} />}
    </div>
  )
}

function Nodes({ nodes }: { nodes: readonly MarkdownNode[] | undefined }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the tree of a text never changes
  return nodes?.map((node, place) => (typeof node === 'string' ? node : <Element key={`${place}-${node.tag}`} element={node} />))
}

function Element({ element }: { element: MarkdownElement }): ReactNode {
  const t = useTranslations('ui.markdown')
  const { tag } = element
  const inside = <Nodes nodes={element.children} />
  switch (tag) {
    case 'a':
      return (
        <a href={element.href} rel="nofollow noopener noreferrer ugc" target="_blank" className="text-link">
          {inside}
        </a>
      )
    case 'img':
      return <Picture src={element.src} alt={element.alt ?? ''} />
    case 'hr':
      return <hr className="my-5" />
    case 'br':
      return <br />
    case 'input':
      return <input type="checkbox" checked={element.checked === true} disabled readOnly className="mr-1.5 align-middle" />
    case 'ol':
      return (
        <ol start={element.start} className="my-3 list-decimal pl-6">
          {inside}
        </ol>
      )
    case 'pre':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre tabIndex={0} className="figures my-3 overflow-x-auto rounded-md border bg-sunken p-3 text-[0.8125rem] leading-snug">
          {inside}
        </pre>
      )
    case 'table':
      return (
        // A group, because a page may show the same table twice, and regions need different names.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
        <div role="group" aria-label={t('table')} tabIndex={0} className="my-3 overflow-x-auto">
          <table className="w-full border-collapse text-sm">
            <Nodes nodes={element.children?.filter((node) => typeof node !== 'string')} />
          </table>
        </div>
      )
    case 'thead':
    case 'tbody':
    case 'tr': {
      // White space between these elements is not content of the table.
      const Tag = tag
      return (
        <Tag>
          <Nodes nodes={element.children?.filter((node) => typeof node !== 'string')} />
        </Tag>
      )
    }
    default: {
      const [Tag, look] = looks[tag]
      return <Tag className={look || undefined}>{inside}</Tag>
    }
  }
}

function Picture({ src, alt }: { src: string | undefined; alt: string }) {
  const t = useTranslations('ui.markdown')
  return src === undefined ? (
    <span className="text-faint text-sm">{t('pictureNotShown', { alt: alt || t('noDescription') })}</span>
  ) : (
    // biome-ignore lint/performance/noImgElement: an artifact, served with a policy of its own and never resized
    <img src={src} alt={alt} loading="lazy" className="max-w-full rounded-md border bg-white" />
  )
}
