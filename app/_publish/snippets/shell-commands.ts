import type { Quickstart } from '@/server/trpc/views/read-quickstarts.ts'

type Place = { readonly publicUrl: string; readonly hubUrl: string; readonly token: string }

/** The commands that install what a program needs from this market, and run it. */
export function shellCommands({ language, file, run, archive }: Quickstart, { publicUrl, hubUrl, token }: Place): string {
  const url = archive === null ? null : `${publicUrl}/packages/${archive}`
  const settings = [`export PARLEY_URL=${hubUrl}`, `export PARLEY_TOKEN=${token}`]
  if (url !== null && language === 'TypeScript') return [`npm install ${url}`, ...settings, `node ${file}`].join('\n')
  if (url !== null && language === 'Python') return [`pip install ${url}`, ...settings, `python3 ${file}`].join('\n')
  return [...settings, run].join('\n')
}
