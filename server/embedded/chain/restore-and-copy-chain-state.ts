import fs from 'node:fs'
import path from 'node:path'

/** The files of the local chain: what anvil writes, and its last complete copy. */
export function chainFiles(chainDir: string): { state: string; copy: string } {
  return { state: path.join(chainDir, 'state.json'), copy: path.join(chainDir, 'state.last-whole.json') }
}

/** Anvil writes its file in place, so a power cut can truncate it. Then this restores the last complete copy. True if it did. */
export function restoreTruncatedChainState(chainDir: string): boolean {
  const { state, copy } = chainFiles(chainDir)
  if (!fs.existsSync(state) || isWhole(state) || !fs.existsSync(copy)) return false
  fs.renameSync(state, path.join(chainDir, `state.broken-${Date.now()}.json`))
  fs.copyFileSync(copy, state)
  return true
}

type Block = { header: { number: string; timestamp: string } }

/**
 * Anvil creates a genesis block at every start and saves it beside the loaded ones; which one becomes block 0 is random. Keeps only the
 * first before each start. True if it removed any.
 */
export function removeLaterGenesisBlocks(chainDir: string): boolean {
  const { state } = chainFiles(chainDir)
  if (!fs.existsSync(state) || !isWhole(state)) return false
  const saved = JSON.parse(fs.readFileSync(state, 'utf8')) as { blocks?: Block[] }
  const blocks = saved.blocks ?? []
  const geneses = blocks.filter(({ header }) => Number(header.number) === 0)
  const [first] = geneses.sort((one, other) => Number(one.header.timestamp) - Number(other.header.timestamp))
  if (first === undefined || geneses.length === 1) return false
  saved.blocks = blocks.filter((block) => block === first || Number(block.header.number) !== 0)
  fs.writeFileSync(`${state}.new`, JSON.stringify(saved))
  fs.renameSync(`${state}.new`, state)
  return true
}

function isWhole(file: string): boolean {
  try {
    JSON.parse(fs.readFileSync(file, 'utf8'))
    return true
  } catch {
    return false
  }
}

/** Copies the state file if its block has advanced and the file is complete. */
export function copyChainState(chainDir: string): boolean {
  const { state, copy } = chainFiles(chainDir)
  const block = headOf(state)
  if (block === '' || block === headOf(copy) || !isWhole(state)) return false
  fs.copyFileSync(state, `${copy}.new`)
  // The file may have changed between the check and the copy.
  if (!isWhole(`${copy}.new`)) return false
  fs.renameSync(`${copy}.new`, copy)
  return true
}

/** The block of the saved state; -1 without one. */
export function chainStateBlock(chainDir: string): number {
  const number = /"number":"(0x[0-9a-f]+)"/.exec(headOf(chainFiles(chainDir).state))?.[1]
  return number === undefined ? -1 : Number(number)
}

/** The beginning of the file, which names its block. */
function headOf(file: string): string {
  try {
    const open = fs.openSync(file, 'r')
    const head = Buffer.alloc(64)
    fs.readSync(open, head, 0, head.length, 0)
    fs.closeSync(open)
    return head.toString('latin1').replace(/\0+$/, '')
  } catch {
    return ''
  }
}

/** Copies periodically. Returns the function that stops it. */
export function startCopyingChainState(chainDir: string): () => void {
  const timer = setInterval(() => copyChainState(chainDir), 10_000)
  timer.unref()
  return () => clearInterval(timer)
}
