import type { ArtifactRef, ArtifactUpload, Skill, TaskInput } from '@parley/protocol'

/** The maximum size of all files of one side, in bytes of base64. They fit into one frame. */
const maxFiles = 5_600_000

/** Why the inputs do not fit the ports of a skill, in one sentence; null if they fit. */
export function callInputFault(skill: Skill, inputs: readonly TaskInput[], files: readonly ArtifactRef[]): string | null {
  const given = new Set(inputs.map((input) => input.port))
  if (given.size !== inputs.length) return 'An input is given twice.'
  for (const input of inputs) {
    const port = skill.inputs.find((one) => one.name === input.port)
    if (!port) return `The skill has no input called ${input.port}.`
    if (port.type !== input.type) return `The input ${port.name} has the type ${port.type}, not ${input.type}.`
    if ((input.artifact === undefined) === (input.data === undefined)) return `The input ${port.name} needs either a value or a file.`
    const file = input.artifact && files.find((one) => one.sha256 === input.artifact?.sha256)
    if (input.artifact && !file) return `The file of ${port.name} is not among the attachments.`
  }
  const missing = skill.inputs.find((port) => !port.optional && !given.has(port.name))
  return missing ? `The input ${missing.name} is missing.` : null
}

/** Why an answer does not fit the outputs of its skill, in one sentence; null if it fits. */
export function callAnswerFault(skill: Skill | undefined, artifacts: readonly ArtifactUpload[]): string | null {
  const missing = (skill?.outputs ?? []).filter((port) => !port.optional && !artifacts.some((one) => one.artifact_type === port.type))
  if (missing.length > 0) return `The artifacts lack ${missing.map((port) => port.type).join(', ')}, which the skill promises.`
  return artifacts.length === 0 ? 'An answer has at least one file.' : callFilesFault(artifacts)
}

/** Why the files of one side are too large, in one sentence; null if they fit. */
export function callFilesFault(files: readonly ArtifactUpload[]): string | null {
  const bytes = files.reduce((sum, file) => sum + file.content.length, 0)
  return bytes > maxFiles ? `The files have ${bytes} bytes of base64. The maximum of one call is ${maxFiles}.` : null
}
