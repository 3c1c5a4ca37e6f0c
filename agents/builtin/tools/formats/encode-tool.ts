/** `format.encode`: encodes and decodes texts in Base64, URLs, hexadecimal, binary, HTML entities, Morse and others. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { type CodecId, codecIds, codecs } from './codecs.ts'
import { cssColours } from './css-colours.ts'
import { formatResponse, formatResultType, formatToolPorts, readSourceGoal, requireSource } from './format-tool-ports.ts'
import { readEncodingRequest } from './read-encoding-request.ts'

const type = 'query.encoding'
const maxCodecs = 4

const skill: ToolSkill = {
  id: 'format.encode',
  name: 'Encode or decode a text',
  description:
    'Encodes and decodes Base64, Base32, URL encoding, hexadecimal, binary, HTML entities, Morse code, character codes and Unicode code points. Spells in the NATO alphabet and makes URL-friendly names.',
  inputs: formatToolPorts(type, 'The text and its encoding.', {
    codecs: { type: 'array', items: { enum: codecIds }, minItems: 1, maxItems: maxCodecs, description: 'One result each.' },
    direction: { enum: ['encode', 'decode'], default: 'encode' },
  }),
  outputs: [{ name: 'result', type: formatResultType, description: 'The encoded or decoded text.', optional: false }],
  price: '100000',
  tags: [
    'base64',
    'base32',
    'url encode',
    'percent encoding',
    'hex',
    'binary',
    'html entities',
    'morse code',
    'nato alphabet',
    'ascii',
    'unicode',
    'decode',
  ],
  samples: [{ title: 'Morse code', input: { text: 'SOS', codecs: ['morse'], direction: 'encode' }, output: '... --- ...' }],
}

function readGoal(goal: ToolGoal): ToolReading {
  const request = readEncodingRequest(goal)
  if (!request) return undefined
  // "Hex of red" asks for a colour.
  const isColour = request.text
    ?.toLowerCase()
    .split(/\s+/)
    .some((word) => cssColours.has(word) || /^colou?rs?$/.test(word))
  if (request.codecs.includes('hex') && isColour) return undefined
  const named = request.codecs.map((id) => codecs[id].name).join(', ')
  const isDecoding = request.direction === 'decode'
  if (isDecoding && request.codecs.some((id) => codecs[id].decode === undefined)) return undefined
  const options = { codecs: request.codecs, direction: request.direction }
  return readSourceGoal(goal, request.text, options, isDecoding ? `I decode the text from ${named}.` : `I encode the text as: ${named}.`)
}

function apply(id: CodecId, direction: 'encode' | 'decode', text: string): string {
  const { name, encode, decode } = codecs[id]
  if (direction === 'encode') return encode(text)
  return decode ? decode(text.trim()) : refuse(`${name} cannot be decoded, because different texts have the same code.`)
}

function run(work: SkillRequest): SkillResponse {
  const data = requireData(work, type)
  const chosen = Array.isArray(data.codecs) ? codecIds.filter((id) => (data.codecs as readonly unknown[]).includes(id)) : []
  if (chosen.length === 0 || chosen.length > maxCodecs)
    return refuse(`The query needs \`codecs\`: 1 to ${maxCodecs} of ${codecIds.join(', ')}.`)
  const direction = data.direction === 'decode' ? 'decode' : 'encode'
  const source = requireSource(work, type)
  const results = chosen.map((id) => ({ name: codecs[id].name, text: apply(id, direction, source) }))
  const [only] = results
  const all = results.map(({ name, text }) => `${name}: ${text}`).join('\n')
  const file = (text: string) => ({ name: 'result.txt', media_type: 'text/plain', text })
  if (results.length === 1 && only)
    return formatResponse(direction === 'decode' ? `Decoded from ${only.name}:` : `${only.name}:`, file(only.text))
  return formatResponse('The text in each encoding:', file(`${all}\n`))
}

export const encodeTool: Tool = { skill, readGoal, run }
