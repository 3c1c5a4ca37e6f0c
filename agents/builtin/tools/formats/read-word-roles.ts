/** Reads a request word by word: each word has a role that the tool knows, or the request is not the tool's. */

/** Words by role, each list separated by blanks. */
export type Lexicon<Role extends string> = { readonly [role in Role]: string }

export type RoleWord<Role extends string> = { readonly role: Role; readonly word: string }

/** Words that change nothing in a request. */
const fillers = new Set(
  (
    'a an u ur the this that these those it its my our your me i im ive we us you is are was were be am does do got get have has hi hello hey there please pls plz kindly ' +
    'can could would will want need needs like id just so ok okay also then now and to into in as with of for from on at here heres below above following ' +
    'given attached enclosed uploaded pasted provided thanks thank thx ty cheers much many very lot advance quickly quick help give show tell let know make made put turn ' +
    'write print return output result use using what whats which one ones by via should whose there any both each up out all some but because since and ' +
    'colleague coworker boss client friend sent received found came gave awful ugly messy horrible mess copied ' +
    'text string file files document content contents input snippet piece block stuff thing something inside between'
  ).split(' '),
)

/** Lower-case words without marks: "What's" is `whats`. Numbers and `c++` stay whole. */
export const requestWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[’‘']/g, '')
    .replace(/\bmany thanks\b/g, ' ')
    .replace(/[^\p{L}\p{N}+#.%-]+/gu, ' ')
    .split(' ')
    .map((word) => word.replace(/^[.+-]+/, '').replace(/(?<![.-])[.-]+$/, ''))
    .filter((word) => word !== '')

/** The words with a role, in order. Undefined: there is a word that the lexicon does not know. */
export function readWordRoles<Role extends string>(
  words: string | readonly string[],
  lexicon: Lexicon<Role>,
): RoleWord<Role>[] | undefined {
  const roles = new Map<string, Role>()
  for (const role of Object.keys(lexicon) as Role[]) for (const word of lexicon[role].split(' ')) roles.set(word, role)
  const found: RoleWord<Role>[] = []
  for (const word of typeof words === 'string' ? requestWords(words) : words) {
    const role = roles.get(word)
    if (role !== undefined) found.push({ role, word })
    else if (!fillers.has(word)) return undefined
  }
  return found
}

export const hasRole = <Role extends string>(words: readonly RoleWord<Role>[], role: Role): boolean =>
  words.some((word) => word.role === role)

/** True for a word that changes nothing in a request. */
export const isFiller = (word: string): boolean => fillers.has(word)
