import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { cn } from './cn.ts'

// What a stranger's text may hold. Pictures only from this origin: a remote one would tell its host who reads.
const schema = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'], src: [] },
  clobberPrefix: 'text-',
}

const components: Components = {
  a: ({ node: _, href, children }) => (
    <a href={href} rel="nofollow noopener noreferrer ugc" {...(href?.startsWith('#') ? {} : { target: '_blank' })} className="text-link">
      {children}
    </a>
  ),
  img: ({ node: _, src, alt }) =>
    typeof src === 'string' && /^\/(?!\/)/.test(src) ? (
      // biome-ignore lint/performance/noImgElement: an artifact, served with a policy of its own and never resized
      <img src={src} alt={alt ?? ''} loading="lazy" className="max-w-full rounded-md border bg-white" />
    ) : (
      <span className="text-faint text-sm">[picture not shown: {alt || 'no description'}]</span>
    ),
  h1: ({ node: _, ...rest }) => <h3 className="mt-6 mb-2 font-semibold text-lg first:mt-0" {...rest} />,
  h2: ({ node: _, ...rest }) => <h4 className="mt-5 mb-2 font-semibold first:mt-0" {...rest} />,
  h3: ({ node: _, ...rest }) => <h5 className="mt-4 mb-1 font-semibold first:mt-0" {...rest} />,
  h4: ({ node: _, ...rest }) => <h6 className="mt-4 mb-1 font-medium first:mt-0" {...rest} />,
  p: ({ node: _, ...rest }) => <p className="my-3 first:mt-0 last:mb-0" {...rest} />,
  ul: ({ node: _, ...rest }) => <ul className="my-3 list-disc pl-5" {...rest} />,
  ol: ({ node: _, ...rest }) => <ol className="my-3 list-decimal pl-6" {...rest} />,
  blockquote: ({ node: _, ...rest }) => <blockquote className="my-3 border-line-strong border-l-2 pl-4 text-muted" {...rest} />,
  hr: () => <hr className="my-5" />,
  code: ({ node: _, ...rest }) => (
    <code className="figures rounded-sm bg-plain-soft px-1 py-0.5 [pre_&]:bg-transparent [pre_&]:p-0" {...rest} />
  ),
  pre: ({ node: _, ...rest }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre tabIndex={0} className="figures my-3 overflow-x-auto rounded-md border bg-sunken p-3 text-[0.8125rem] leading-snug" {...rest} />
  ),
  table: ({ node: _, ...rest }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label="Table" tabIndex={0} className="my-3 overflow-x-auto">
      <table className="w-full border-collapse text-sm" {...rest} />
    </section>
  ),
  th: ({ node: _, ...rest }) => <th className="border-b px-3 py-1.5 text-left font-semibold" {...rest} />,
  td: ({ node: _, ...rest }) => <td className="border-b px-3 py-1.5 align-top tabular-nums" {...rest} />,
}

/** Markdown written by strangers: sanitised, without remote pictures, links marked as not ours. */
export function Markdown({ text, className }: { text: string; className?: string }) {
  return (
    <div className={cn('min-w-0 [overflow-wrap:anywhere]', className)}>
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[[rehypeSanitize, schema]]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  )
}
