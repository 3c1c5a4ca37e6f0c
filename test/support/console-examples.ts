// Examples of commands with their outputs, in blocks of the language `console`: a line that begins with `$ ` is a command, and the lines
// after it are its output.

const block = /^```console\n([\s\S]*?)^```$/gm

/** The commands of all blocks, in order. */
export function consoleCommands(text: string): string[] {
  return [...text.matchAll(block)].flatMap(([, code = '']) =>
    code.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : [])),
  )
}

const mark = '@@@'

/**
 * One script that runs the commands in order, with a mark before each. `parley run` runs beside the others until it has been paid. Before
 * the first `parley verify` the transcript of the first paid goal is exported.
 */
export function scriptOfExamples(commands: readonly string[], webUrl: string): string {
  const lines = commands.map((command, index) => {
    const begin = `printf '\\n${mark}${index}\\n'`
    if (/^parley run [^;]*$/.test(command)) {
      const wait = 'until grep -q online run.log; do sleep 0.1; done'
      return `${begin}\n: > run.log\n${command} > run.log 2>&1 < /dev/null &\nrunner=$!\nran=${index}\ntrap 'kill $runner' EXIT\n${wait}`
    }
    return `${begin}\n{ ${command}\n} < /dev/null 2>&1`.replace(/ask "What is 15% of 240\?" --yes --accept$/m, '$& 2>&1 | tee first.txt')
  })
  const exported = `goal=$(sed -n 's|^Started: .*/goals/||p' first.txt)\ncurl -sf ${webUrl}/goals/$goal/transcript.jsonl > transcript.jsonl`
  const first = commands.findIndex((command) => command.startsWith('parley verify'))
  lines.splice(first, 0, exported)
  return [...lines, 'until grep -q paid run.log; do sleep 0.1; done', `printf '\\n${mark}%s\\n' $ran`, 'cat run.log'].join('\n')
}

/** The output of each command by its position; that of a command with two marks is its last. */
export function outputsOf(stdout: string): string[] {
  const outputs: string[] = []
  for (const part of stdout.split(new RegExp(`^${mark}`, 'm')).slice(1)) {
    const [index = '', ...lines] = part.split('\n')
    outputs[Number(index)] = lines.join('\n')
  }
  return outputs
}

/**
 * The output without its variable parts, as the guide states: an id, address, hash or token ends with `…` after its first characters, all
 * times and numbers of messages are those of one run, and states that pass quickly are left out. `places`: addresses of this run, and what stands for them.
 */
export function normalizeOutput(output: string, places: Readonly<Record<string, string>>): string {
  const moved = Object.entries(places).reduce((text, [from, to]) => text.replaceAll(from, to), output)
  return moved
    .replace(/\b(gol|agt|rom)_[0-9a-f]{32}\b/g, '$1_…')
    .replace(/\b0x[0-9a-f]{40,}\b/gi, '0x…')
    .replace(/\b[0-9a-f]{64}\b/g, '…')
    .replace(/\bparley_[\w-]{20,}/g, 'parley_…')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-12-01T12:00:00.000Z')
    .replace(/\b\d+ of \d+ messages\b/g, '6 of 16 messages')
    .replace(/(?<!of )\b\d+ messages\b/g, '16 messages')
    .replace(/^ {2}"count": \d+/gm, `  "count": 16`)
    .replace(/^ {2}(funding|open|underway|settling)\n/gm, '')
    .trimEnd()
}

/** The text with these outputs after its commands. */
export function withOutputs(text: string, outputs: readonly string[]): string {
  let index = 0
  return text.replace(block, (_, code: string) => {
    const commands = code.split('\n').filter((line) => line.startsWith('$ '))
    const lines = commands.flatMap((command) => {
      const output = outputs[index++] ?? ''
      return output === '' ? [command] : [command, output]
    })
    return `\`\`\`console\n${lines.join('\n')}\n\`\`\``
  })
}
