/** Gives the files of a tool a media type that the market accepts. */
import { fileContentFault } from '@parley/protocol'
import type { OutputFile } from '../skill.ts'
import type { Tool } from './tool.ts'

/** A browser runs neither of them. Markdown may begin like HTML. */
const textTypes = ['text/plain', 'text/markdown'] as const

/** The file as it is if the market accepts it; else as text, so that the work is not refused for its type. */
function acceptedFile(made: OutputFile): OutputFile {
  if (made.bytes !== undefined) return made
  // A file of no bytes is not accepted.
  const file = made.text === '' ? { ...made, text: '\n' } : made
  const bytes = new TextEncoder().encode(file.text)
  const types = [file.media_type, ...textTypes]
  const media_type = types.find((type) => fileContentFault(type, bytes) === null)
  return { ...file, media_type: media_type ?? file.media_type }
}

/** The tool, whose files are of accepted types. HTML, YAML and source code are text. */
export const withAcceptedMediaTypes = (tool: Tool): Tool => ({
  ...tool,
  run: async (work) => {
    const response = await tool.run(work)
    return { ...response, outputs: response.outputs.map(acceptedFile) }
  },
})
