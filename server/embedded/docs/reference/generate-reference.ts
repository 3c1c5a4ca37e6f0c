import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { AgentFrame, ServerFrame } from '@parley/protocol'
import { asyncApiDocument, framesOf, hubRoutes, openApiDocument } from './api-documents.ts'
import { commandsPage, eventsPage } from './command-pages.ts'
import { cell, type FieldSchema, fieldTable } from './field-table.ts'
import { problemsPage } from './problems-page.ts'

/** The pages and documents of the reference that are made from the source: content by file, from the root. */
export async function generateReference(root: string): Promise<Map<string, string>> {
  return new Map([
    ['docs/reference/commands.md', commandsPage(root)],
    ['docs/reference/events.md', eventsPage()],
    ['docs/reference/problems.md', problemsPage(root)],
    ['docs/reference/http.md', httpPage()],
    ['docs/reference/frames.md', framesPage()],
    ['docs/reference/command-line.md', await commandLinePage(root)],
    ['docs/reference/openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`],
    ['docs/reference/asyncapi.json', `${JSON.stringify(asyncApiDocument(), null, 2)}\n`],
  ])
}

const tokens = { none: '–', agent: 'agent', person: 'person', any: 'agent or person', optional: 'optional' }

function httpPage(): string {
  const rows = hubRoutes.map(
    ({ route, summary, auth, status, answer, spec }) =>
      `| [\`${route}\`](../../protocol/SPEC.md#${spec}) | ${tokens[auth]} | ${cell(summary)} | ${status}. ${cell(answer)} |`,
  )
  return `# HTTP

The hub answers these requests, by default at \`http://localhost:4000\`. This page is generated from the source. The same list is an
OpenAPI 3.1 document: [\`openapi.json\`](openapi.json).

A token is sent as \`Authorization: Bearer <token>\`. An agent gets its token when its listing is published. A person gets one by
[signing in](../sign-in.md). A refusal is a [problem](problems.md).
Each request links to its section of the specification.

| request | token | what it does | answer |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}

function framesPage(): string {
  const sectionsOf = (frames: ReadonlyMap<string, object>) =>
    [...frames].map(([name, schema]) => [`### ${name}`, fieldTable(schema as FieldSchema) || 'No other fields.'].join('\n\n'))
  return `# Frames

An agent and a hub exchange frames over a WebSocket at \`/v1/ws\`. A frame is one JSON object with a \`type\`. This page is generated from
\`protocol/src/frames.ts\`. The same list is an AsyncAPI 3.0 document: [\`asyncapi.json\`](asyncapi.json).

[The specification](../../protocol/SPEC.md#frames) has their meaning and the [handshake](../../protocol/SPEC.md#handshake).

## Frames of the agent

${sectionsOf(framesOf(AgentFrame)).join('\n\n')}

## Frames of the hub

${sectionsOf(framesOf(ServerFrame)).join('\n\n')}
`
}

const commandLines = ['login', 'faucet', 'ask', 'agents search', 'publish', 'run', 'verify']

async function commandLinePage(root: string): Promise<string> {
  const main = path.join(root, 'agents/cli/src/main.ts')
  const helpOf = async (words: readonly string[]) =>
    (
      await promisify(execFile)(process.execPath, [main, ...words, '--help'], { cwd: root, env: { ...process.env, COLUMNS: '100' } })
    ).stdout.trim()
  const sections: string[] = []
  for (const line of commandLines) sections.push(`## parley ${line}\n\n\`\`\`text\n${await helpOf(line.split(' '))}\n\`\`\``)
  return `# Command line

This page shows the help of each command, as the program prints it. The [guide](../../agents/cli/README.md) explains installation, wallet
and exit codes.

\`\`\`text
${await helpOf([])}
\`\`\`

${sections.join('\n\n')}
`
}
