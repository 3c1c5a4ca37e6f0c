/** `text.checksum`: the SHA-256 and other digests of an attached file, compared with a given value. */
import { createHash } from 'node:crypto'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { phrasesWithoutEffect } from './phrases-without-effect.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'
import { listRequests, textPorts } from './text-request.ts'

const type = 'query.text_checksum'
const algorithms = ['sha256', 'sha512', 'sha1', 'md5'] as const
type Algorithm = (typeof algorithms)[number]
const names: { readonly [algorithm in Algorithm]: string } = { sha256: 'SHA-256', sha512: 'SHA-512', sha1: 'SHA-1', md5: 'MD5' }
const lengths: { readonly [algorithm in Algorithm]: number } = { sha256: 64, sha512: 128, sha1: 40, md5: 32 }

const skill: ToolSkill = {
  id: 'text.checksum',
  name: 'Check the checksum of a file',
  description: 'Computes the SHA-256, SHA-512, SHA-1 or MD5 of an attached file, and says whether it matches a given value.',
  inputs: [
    ...textPorts(type, 'What is computed, and the value to compare with.', {
      algorithm: { enum: algorithms, default: 'sha256' },
      expected: { type: 'string', maxLength: 128, description: 'The value that the file should have, in hexadecimal digits.' },
    }),
    { name: 'table', type: 'table.csv', description: 'A CSV file.', optional: true },
    { name: 'json', type: 'table.json', description: 'A JSON file.', optional: true },
  ],
  outputs: [{ name: 'checksum', type: 'text.checksum', description: 'The digest and the verdict.', optional: false }],
  price: '100000',
  tags: ['checksum', 'sha256', 'sha-256', 'md5', 'hash', 'digest', 'verify', 'match'],
  samples: [
    {
      title: 'MD5',
      input: { text: 'abc', algorithm: 'md5' },
      output: 'The MD5 of the text (3 bytes) is 900150983cd24fb0d6963f7d28e17f72.',
    },
  ],
}

type Draft = { algorithm: Algorithm | undefined; expected: string | undefined; isAsked: boolean }

const set = (algorithm: Algorithm) => (draft: Draft) => {
  if (draft.algorithm !== undefined && draft.algorithm !== algorithm) return false
  draft.algorithm = algorithm
  draft.isAsked = true
  return true
}
const noun = '(?:[- ]?(?:check ?sums?|hash(?: value)?|digest|sum|value|fingerprint))?'

const phrases: readonly Phrase<Draft>[] = [
  [
    phraseOf('(?:0x)?([0-9a-f]{32,128})'),
    (draft, [, value = '']) => {
      if (draft.expected !== undefined) return false
      draft.expected = value
      return true
    },
  ],
  [phraseOf(`sha-?2?[- ]?256${noun}`), set('sha256')],
  [phraseOf(`sha-?2?[- ]?512${noun}`), set('sha512')],
  [phraseOf(`sha-?1${noun}`), set('sha1')],
  [phraseOf(`md-?5${noun}`), set('md5')],
  [
    phraseOf(
      'check ?sums?|hash(?:es)?(?: value)?|digests?|fingerprint|match(?:es|ing)?|verif(?:y|ied|ies)|same|identical|correct|intact|corrupt(?:ed)?|tampered with|genuine|ok|okay|right|agrees?|differs?|different|unchanged',
    ),
    (draft) => {
      draft.isAsked = true
      return true
    },
  ],
  ...(phrasesWithoutEffect as readonly Phrase<Draft>[]),
  [
    phraseOf(
      '(?:the |this |that |my |our |attached )*(?:downloads?|downloaded file|image|iso|installer|firmware|config|configuration|archive|package|release|export|backup|one|thing)(?: page)?',
    ),
    () => true,
  ],
  [
    phraseOf(
      `(?:the |this |that |my |our |attached |downloaded )*${'(?:file|copy|version)'}(?: (?:that )?(?:i've|i have|we have|we've|i|we) (?:got|downloaded|received|attached|have))?`,
    ),
    () => true,
  ],
  [phraseOf(textPointer), () => true],
  [
    phraseOf(
      "the|a|an|of|for|to|in|on|with|and|or|if|is|are|was|it|its|it's|this|that|these|what|what's|whats|which|does|do|did|should|must|has|have|had|be|been|says?|said|gives?|given|lists?|listed|states?|expected|i|i've|i'm|we|we've|got|my|our|me|us|check|compare|tell|show|give|compute|calculate|get|find|whether|against|vendor|vendor's|supplier|website|site|page|publisher|developer|readme|manufacturer|they|he|she|from|by|as|here|attached|please|can|could|you|so|but|not|sure|or not|really|still|download|downloaded|received|file|want|need|know|like|would",
    ),
    () => true,
  ],
]

function readGoal(goal: ToolGoal): ToolReading {
  const [file] = goal.files
  if (goal.files.length !== 1 || !file || !/^(?:document\.text|table\.csv|table\.json)$/.test(file.type)) return undefined
  const draft: Draft = { algorithm: undefined, expected: undefined, isAsked: false }
  const text = goal.text.replaceAll(file.name, 'file').replace(/["“”`']([0-9a-f]{32,128})["“”`']/gi, ' $1 ')
  for (const sentence of listRequests(text)) {
    const lower = sentence.toLowerCase()
    if (scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  // The value may stand in a sentence that only describes it.
  const { expected = /\b[0-9a-f]{32,128}\b/i.exec(text)?.[0].toLowerCase(), isAsked } = draft
  const byLength = expected === undefined ? undefined : algorithms.find((one) => lengths[one] === expected.length)
  const algorithm = draft.algorithm ?? algorithmIn(text) ?? byLength
  if (!isAsked || algorithm === undefined) return undefined
  if (expected !== undefined && byLength !== algorithm)
    return {
      confidence: 0.9,
      question: `A ${names[algorithm]} has ${lengths[algorithm]} hexadecimal digits, but the given value has ${expected.length}. Which value is meant?`,
    }
  const what = expected === undefined ? '' : `, and compare it with ${expected}`
  return {
    confidence: 0.93,
    query: { algorithm, ...(expected !== undefined && { expected }) },
    summary: `I compute the ${names[algorithm]} of “${file.name.slice(0, 80)}”${what}.`,
  }
}

/** The only algorithm that the whole goal names. */
function algorithmIn(text: string): Algorithm | undefined {
  const named = algorithms.filter((one) => new RegExp(`\\b${one.replace(/^sha|md/, '$&-?(?:2-)?')}\\b`, 'i').test(text))
  return named.length === 1 ? named[0] : undefined
}

function run(work: SkillRequest): SkillResponse {
  const { text, algorithm, expected } = requireData(work, type)
  const file = work.inputs.find((input) => input.type !== type && input.text !== undefined)
  const source = typeof text === 'string' && text !== '' ? text : file?.text
  if (source === undefined) return refuse('There is no file. Attach the file whose checksum is meant, as text, CSV or JSON.')
  const chosen = algorithms.find((one) => one === algorithm) ?? 'sha256'
  const bytes = Buffer.from(source, 'utf8')
  const digest = createHash(chosen).update(bytes).digest('hex')
  const what = file === undefined ? 'text' : 'attached file'
  const size = `${bytes.length.toLocaleString('en-US')} bytes`
  const sentence = `The ${names[chosen]} of the ${what} (${size}) is ${digest}.`
  const given = typeof expected === 'string' ? expected.toLowerCase() : undefined
  const hint = ' The digest is of the file as it arrived here; a browser or mail program may have changed its encoding or line ends before.'
  const verdict =
    given === undefined
      ? sentence
      : given === digest
        ? `Yes, it matches. ${sentence}`
        : `No, it does not match. ${sentence} The given value is ${given}.${hint}`
  return {
    outputs: [{ name: 'checksum.txt', media_type: 'text/plain', artifact_type: 'text.checksum', text: `${digest}\n\n${verdict}\n` }],
    text: verdict,
  }
}

export const textChecksumTool: Tool = { skill, readGoal, run }
