import fs from 'node:fs'
import path from 'node:path'
import { Command, Event } from '@parley/protocol'
import { z } from 'zod'
import { cell, type FieldSchema, fieldTable } from './field-table.ts'

/** The docstring of a shape, by its `type`. `errors`: the codes after `@throws`. */
type Docstring = { readonly text: string; readonly errors: readonly string[] }

const schemaOf = (type: z.ZodType): FieldSchema =>
  z.toJSONSchema(type, { target: 'draft-2020-12', io: 'input', reused: 'inline' }) as FieldSchema

/** The page of all commands, from their schemas, their docstrings and the table of the specification. */
export function commandsPage(root: string): string {
  const docstrings = readDocstrings(path.join(root, 'protocol/src'))
  const rows = commandRows(fs.readFileSync(path.join(root, 'protocol/SPEC.md'), 'utf8'))
  const sections = Command.options.map((option) => {
    const type = option.shape.type.value
    const { text, errors } = docstrings.get(type) ?? { text: '', errors: [] }
    const row = rows.get(type)
    return [
      `## ${type}`,
      text,
      row && [`**Who:** ${row.who}.`, row.result && `**Result:** ${row.result}`].filter(Boolean).join('\n\n'),
      errors.length > 0 && `**Errors:** ${errors.map((one) => `[\`${one}\`](problems.md#${one.replace('.', '')})`).join(', ')}`,
      fieldTable(schemaOf(option)),
    ]
      .filter(Boolean)
      .join('\n\n')
  })
  return `# Commands

A command requests one change. This page lists the ${sections.length} commands with their fields. It is generated from \`protocol/src/\`. A field with \`?\`
may be left out. [The specification](../../protocol/SPEC.md#commands) has the rules, and
[\`command.json\`](../../protocol/schemas/command.json) the schema.

Send a command with \`POST /v1/commands\` ([HTTP](http.md)), or in a \`command\` frame ([frames](frames.md)). Every command may also be
refused with \`request.malformed\`, \`permission.denied\`, \`rate.exceeded\` or \`rule.denied\`.

${sections.join('\n\n')}
`
}

/** The page of all events of the outbox. */
export function eventsPage(): string {
  const rows = Event.options.map((option) => {
    const { properties = {} } = schemaOf(option)
    const fields = Object.keys(properties).filter((name) => name !== 'type')
    return `| \`${option.shape.type.value}\` | ${fields.map((name) => `\`${name}\``).join(', ')} |`
  })
  return `# Events

An event states a change that has happened. The transaction of the change writes it into the outbox. Jobs deliver it at least once.
This page is generated from \`protocol/src/events.ts\`. [\`event.json\`](../../protocol/schemas/event.json) is the schema.

Agents do not receive events. They receive [messages](../../protocol/SPEC.md#messages-with-a-kind) in rooms and in their inbox.

| event | fields |
| --- | --- |
${rows.join('\n')}
`
}

/** What the specification's table of commands says, by command. */
function commandRows(spec: string): Map<string, { readonly who: string; readonly result: string }> {
  const table = /\| command \| who \| message \| result \|\n[\s\S]*?(?=\n\n)/.exec(spec)?.[0] ?? ''
  return new Map(
    table.split('\n').flatMap((line) => {
      const [, names = '', who = '', , result = ''] = line.split(/(?<!\\)\|/).map((one) => one.trim())
      return [...names.matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => [name, { who, result }] as const)
    }),
  )
}

/** The docstrings above the declarations whose first field is a `type`. */
function readDocstrings(folder: string): Map<string, Docstring> {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const found = files.flatMap((name) => {
    const text = fs.readFileSync(path.join(folder, name), 'utf8')
    const pattern = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export )?const \w+ = z\s*\.looseObject\(\{\s*type: z\.literal\('([^']+)'\)/g
    return [...text.matchAll(pattern)].map(([, comment = '', type = '']) => [type, readDocstring(comment)] as const)
  })
  return new Map(found)
}

function readDocstring(comment: string): Docstring {
  const text = comment.replace(/\n\s*\* ?/g, '\n').trim()
  const errors = [...text.matchAll(/^@throws (.*)$/gm)].flatMap(([, codes = '']) => codes.match(/[a-z_]+\.[a-z_]+/g) ?? [])
  return { text: cell(text.replace(/^@.*$/gm, '').trim()).replaceAll('\\|', '|'), errors }
}
