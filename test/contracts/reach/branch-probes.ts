/**
 * Puts a probe around each condition of a Solidity source, which reports its outcome. A condition is what an `if`, a loop,
 * `require` or `?:` asks, each operand of `&&` and `||` separately, what assembly's `if` and `for` ask, each operand of its
 * `or` separately, and whether a `try` went well. With every operand seen both ways, what is made of them was too.
 */
import { createRequire } from 'node:module'
import { keccak256, slice, toHex } from 'viem'
import { readSource } from '../../../contracts/abi/compile.ts'

/** One way for a condition to come out, where it stands, and the tag that its probe reports. */
export type Outcome = { file: string; line: number; text: string; came: 'true' | 'false'; tag: string }

type Node = { nodeType: string; src: string; [field: string]: unknown }
type Output = { sources?: Record<string, { ast: Node }>; errors?: { severity: string; formattedMessage: string }[] }
type Compiler = { compile: (input: string, callbacks: { import: (file: string) => { contents: string } }) => string }
/** Text that goes before or after a piece of the source; what is deeper in it stands further in. */
type Insertion = { at: number; text: string; rank: number }

const require = createRequire(import.meta.url)

/** Receives a condition's value and returns it: as a function of Solidity, and as one that stands in a block of assembly. */
const probes = '__ParleyConditions'
const inAssembly = '__told'
const sink = '0xc0bEc0BEc0BeC0bEC0beC0bEC0bEC0beC0beC0BE'
/** What was returned by the last call is put back, by the precompile that returns what it is given, as is the word at 0. */
const assemblyProbe = `function ${inAssembly}(value, yes, no) -> same {
  same := value
  let kept := mload(0)
  let far := add(mload(0x40), 0x4000)
  let length := returndatasize()
  returndatacopy(far, 0, length)
  mstore(0, no)
  if value { mstore(0, yes) }
  pop(staticcall(gas(), ${sink}, 0, 32, 0, 0))
  mstore(0, kept)
  pop(staticcall(gas(), 4, far, length, 0, 0))
}`
export const conditionLibrary = {
  filename: `${probes}.sol`,
  content: `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;
library ${probes} {
  function told(bool value, uint256 yes, uint256 no) internal view returns (bool) {
    passed(value ? yes : no);
    return value;
  }
  function passed(uint256 tag) internal view {
    assembly ("memory-safe") {
      ${assemblyProbe}
      pop(${inAssembly}(1, tag, tag))
    }
  }
}
`,
}

/** Assembly that reports something reads external state, which what is pure may not, nor may its callers. */
export const impure = (source: string) => source.replace(/\bpure\b/g, 'view')

/** Is this a statement that was put in here? */
export const isOfACondition = ({ text }: { text: string }) => text.trimStart().startsWith(`${probes}.passed`)

export function withBranches(file: string, text: string): { source: string; outcomes: Outcome[] } {
  const bytes = Buffer.from(text)
  const outcomes: Outcome[] = []
  const insertions: Insertion[] = []
  const range = ({ src }: Node) => {
    const [from = 0, length = 0] = src.split(':').map(Number)
    return { from, to: from + length, length }
  }
  const outcome = (node: Node, came: 'true' | 'false') => {
    const { from, to } = range(node)
    // Short: with its probes in it the escrow must still be deployed within the gas of one transaction.
    const tag = slice(keccak256(toHex(`${file}:${from}:${to}:${came}`)), 0, 4)
    const words = bytes.subarray(from, to).toString().replace(/\s+/g, ' ').slice(0, 100)
    outcomes.push({
      file,
      line: bytes.subarray(0, from).toString().split('\n').length,
      text: words,
      came,
      tag: tag.slice(2).padStart(64, '0'),
    })
    return tag
  }
  const wrapped = new Set<string>()
  const wrap = (node: Node, probe: string) => {
    if (wrapped.has(node.src)) return
    wrapped.add(node.src)
    const { from, to, length } = range(node)
    insertions.push({ at: from, text: `${probe}(`, rank: -length })
    insertions.push({ at: to, text: `, ${outcome(node, 'true')}, ${outcome(node, 'false')})`, rank: length })
  }

  for (const node of nodesOf(parse(file, text))) {
    for (const condition of conditionsOf(node).flatMap(operandsOf)) wrap(condition, `${probes}.told`)
    for (const condition of yulConditionsOf(node).flatMap(yulOperandsOf)) wrap(condition, inAssembly)
    if (node.nodeType === 'InlineAssembly' && nodesOf(node).some((inner) => yulConditionsOf(inner).length > 0))
      insertions.push({ at: range(node.AST as Node).from + 1, text: ` ${assemblyProbe.replace(/\n\s*/g, ' ')} `, rank: 0 })
    if (node.nodeType === 'TryStatement') {
      for (const [i, clause] of (node.clauses as Node[]).entries()) {
        const tag = outcome({ ...clause, src: node.src }, i === 0 ? 'true' : 'false')
        insertions.push({ at: range(clause.block as Node).from + 1, text: `${probes}.passed(${tag});`, rank: 0 })
      }
    }
  }
  // At one place the inner ends first, and the outer begins first.
  insertions.sort((a, b) => a.at - b.at || Number(b.rank > 0) - Number(a.rank > 0) || a.rank - b.rank)
  let source = ''
  let done = 0
  for (const { at, text: inserted } of insertions) {
    source += bytes.subarray(done, at).toString() + inserted
    done = at
  }
  source += bytes.subarray(done).toString()
  return { source: `${impure(source)}\nimport {${probes}} from "${conditionLibrary.filename}";\n`, outcomes }
}

function parse(file: string, text: string): Node {
  const settings = { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } }
  const input = JSON.stringify({ language: 'Solidity', sources: { [file]: { content: text } }, settings })
  const compiler = require('solc') as Compiler
  const output = JSON.parse(compiler.compile(input, { import: (other) => ({ contents: readSource(other) }) })) as Output
  const ast = output.sources?.[file]?.ast
  if (!ast) throw new Error(output.errors?.map((error) => error.formattedMessage).join('\n') ?? `${file} cannot be read`)
  return ast
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'nodeType' in value

function nodesOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf)
  if (typeof value !== 'object' || value === null) return []
  return [...(isNode(value) ? [value] : []), ...Object.values(value).flatMap(nodesOf)]
}

/** What of this node is asked for true or false. */
function conditionsOf(node: Node): Node[] {
  switch (node.nodeType) {
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
    case 'Conditional':
      return isNode(node.condition) ? [node.condition] : []
    case 'BinaryOperation':
      return node.operator === '&&' || node.operator === '||' ? [node] : []
    case 'FunctionCall': {
      const { name } = node.expression as Node & { name?: string }
      return name === 'require' || name === 'assert' ? (node.arguments as Node[]).slice(0, 1) : []
    }
    default:
      return []
  }
}

function operandsOf(node: Node): Node[] {
  if (node.nodeType === 'TupleExpression') return (node.components as Node[]).flatMap(operandsOf)
  if (node.nodeType === 'UnaryOperation' && node.operator === '!') return operandsOf(node.subExpression as Node)
  if (node.nodeType !== 'BinaryOperation' || (node.operator !== '&&' && node.operator !== '||')) return [node]
  return [node.leftExpression as Node, node.rightExpression as Node].flatMap(operandsOf)
}

function yulConditionsOf(node: Node): Node[] {
  if (node.nodeType === 'YulSwitch') throw new Error('a switch of assembly is not counted yet')
  return node.nodeType === 'YulIf' || node.nodeType === 'YulForLoop' ? [node.condition as Node] : []
}

function yulOperandsOf(node: Node): Node[] {
  const called = (node.functionName as { name?: string } | undefined)?.name
  return called === 'or' ? (node.arguments as Node[]).flatMap(yulOperandsOf) : [node]
}
