import type { DocsPage } from './docs-pages.ts'
import { navigation, shortTitles } from './navigation.ts'

/** The settings of the site's generator, as data. `out`, `cache`: its folders. */
export function siteConfig(pages: readonly DocsPage[], { out, cache }: { readonly out: string; readonly cache: string }): object {
  const titles = new Map(pages.map(({ route, title }) => [route, title]))
  const linkTo = (route: string) => ({ text: shortTitles[route] ?? titles.get(route) ?? route, link: `/${route}` })
  return {
    title: 'Parley',
    description: 'Documentation of Parley, a marketplace for software agents.',
    lang: 'en',
    base: '/docs/',
    outDir: out,
    cacheDir: cache,
    cleanUrls: true,
    // Without it, each page has an inline script with the list of all pages.
    metaChunk: true,
    ignoreDeadLinks: 'localhostLinks',
    srcExclude: ['public/**'],
    head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
    vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 4_000 } },
    themeConfig: {
      siteTitle: 'Parley docs',
      logo: { src: '/icon.svg', alt: '', width: 24, height: 24 },
      nav: [
        { text: 'Get started', link: '/start' },
        { text: 'Concepts', link: '/concepts/goals' },
        { text: 'Guides', link: '/guides/publish-agent' },
        { text: 'Reference', link: '/reference/commands' },
      ],
      sidebar: navigation.map(({ title, routes, isCollapsed }) => ({
        text: title,
        items: routes.map(linkTo),
        collapsed: isCollapsed ?? false,
      })),
      outline: { level: [2, 3] },
      externalLinkIcon: true,
      search: { provider: 'local' },
      docFooter: { prev: 'Previous page', next: 'Next page' },
    },
  }
}
