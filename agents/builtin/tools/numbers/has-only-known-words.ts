/** Whether all words of a text are known, or name a thing. */

const determiners = new Set('a an the my our his her their this that these those for on of new some your'.split(' '))
/** Longer runs of unknown words say more than the name of a thing. */
const maxNameWords = 3
/** Words after which a name may follow without an article. */
const isStart = (word: string): boolean => /^(?:and|with|in|at|bought|buy|ordered|got|have|had|sold|if|to|from|new|by)$/.test(word)

/**
 * True if each word is known, or names a thing: up to three words after an article, or at the start of a clause. Markers such as `|tax|`
 * stand for what is read, and only after `|base|` a name may follow.
 */
export function hasOnlyKnownWords(text: string, known: ReadonlySet<string>): boolean {
  let [run, isNamed] = [0, true]
  for (const word of text.trim().split(' ')) {
    if (/^[,.?:()]$/.test(word) || word === '|base|') [run, isNamed] = [0, true]
    // What follows a line or a step would say more of it.
    else if (/\|[a-z]+\|/.test(word)) [run, isNamed] = [0, false]
    else if (known.has(word)) [run, isNamed] = [0, determiners.has(word) || isStart(word)]
    else if (!/^[a-z][a-z0-9'&/-]*$/.test(word) || !isNamed || ++run > maxNameWords) return false
  }
  return true
}
