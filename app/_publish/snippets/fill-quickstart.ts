import type { Listing } from '@parley/protocol'
import type { Quickstart } from '@/server/trpc/views/read-quickstarts.ts'
import { generatePythonSkills } from './generate-python-skills.ts'
import { generateShellSkills } from './generate-shell-skills.ts'
import { generateTypescriptSkills } from './generate-typescript-skills.ts'

/** What a program says of its listing. */
export type SnippetListing = Pick<Listing, 'handle' | 'skills'>

/** Replaces the first place that matches. The example files are tested to have each of these places. */
type Filling = readonly (readonly [place: RegExp, text: string])[]

/** The example program of a language with the skills of a listing in place of the example's own. */
export function fillQuickstart(quickstart: Quickstart, listing: SnippetListing): Quickstart {
  const { file, run, code, archive, language } = quickstart
  // The program has no types, so that every Node runs it outside this repository.
  const extension = language === 'TypeScript' && archive !== null ? '.mjs' : file.slice(file.lastIndexOf('.'))
  const name = `${listing.handle}${extension}`
  return {
    ...quickstart,
    file: name,
    run: run.replace(`agents/examples/${file}`, name),
    code: fillingOf(quickstart, listing).reduce((text, [place, filled]) => fillIn(text, place, filled), code),
  }
}

function fillIn(code: string, place: RegExp, text: string): string {
  if (!place.test(code)) throw new Error(`The example has no place ${place}.`)
  // A function, because `$` in a text has a meaning for `replace`.
  return code.replace(place, () => text)
}

function fillingOf({ language }: Quickstart, { handle, skills }: SnippetListing): Filling {
  const intro = [
    /An agent with one skill, (?:hired and paid\.|over plain HTTP)/,
    `The agent @${handle}${language === 'curl' ? ', over plain HTTP' : '.'}`,
  ] as const
  switch (language) {
    case 'TypeScript':
      return [intro, [/^ {2}skills: \{.*\},$/m, generateTypescriptSkills(skills)]]
    case 'Python':
      return [intro, [/^@agent\.skill\(.*\ndef .*\n(?: {4}.*\n)+(?=\n\n)/m, `${generatePythonSkills(skills)}\n`]]
    case 'curl':
      return [
        intro,
        [/ Without a token, .*\n.*to be paid\.$/m, ''],
        [
          /^if \[ -z "\$\{PARLEY_TOKEN.*\n(?: .*\n)*fi$/m,
          `[ -n "\${PARLEY_TOKEN:-}" ] || fail 'Set PARLEY_TOKEN to the token of the listing.'`,
        ],
        [/def work: [\s\S]*?\}\];/, generateShellSkills(skills)],
        [/\n.*\.skill_id != "text\.shout".*$/m, ''],
      ]
    default:
      return language satisfies never
  }
}
