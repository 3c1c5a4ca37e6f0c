import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  AgentFrame,
  Command,
  callTransitions,
  channelTransitions,
  charterDraftTransitions,
  commandTypes,
  conversationStates,
  disputeTransitions,
  Envelope,
  goalTransitions,
  helloBytes,
  holdTransitions,
  limits,
  problems,
  ServerFrame,
  settlementOfferTransitions,
  signedBytes,
  signerFromSeed,
  speechActs,
  stepTransitions,
  taskTransitions,
  teamTransitions,
  transferTransitions,
  verifyBytes,
  verifyEnvelope,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const protocol = path.join(import.meta.dirname, '../../protocol')
const spec = readFileSync(path.join(protocol, 'SPEC.md'), 'utf8')
const rows = spec
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
const names = (cell = '') => [...cell.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name ?? '')
const section = (title: string) => spec.slice(spec.indexOf(`\n## ${title}\n`)).split(/\n## /)[1] ?? ''

describe('SPEC.md', () => {
  it('has every section that the source and the table of contents point to', () => {
    const anchors = [...spec.matchAll(/^## (.+)$/gm)].map(([, title]) => title?.toLowerCase().replaceAll(' ', '-'))
    const source = readdirSync(path.join(protocol, 'src')).map((file) => readFileSync(path.join(protocol, 'src', file), 'utf8'))
    const wanted = [spec, ...source].flatMap((text) => [...text.matchAll(/(?:SPEC\.md|\]\()#([a-z-]+)/g)].map(([, anchor]) => anchor))
    expect(wanted.length).toBeGreaterThan(20)
    expect(anchors).toEqual(expect.arrayContaining([...new Set(wanted)]))
  })

  it('lists every problem with its status and what to do', () => {
    const listed = rows.flatMap((row) => [row.slice(0, 3), row.slice(4, 7)]).filter(([code]) => /^`[a-z_]+\.[a-z_]+`$/.test(code ?? ''))
    const documented = Object.fromEntries(
      listed
        .filter(([, status]) => /^\d{3}$/.test(status ?? ''))
        .map(([code, status, retry]) => [names(code)[0], { status: Number(status), retry }]),
    )
    expect(documented).toEqual(problems)
  })

  it('draws the transitions of the source', () => {
    const machines = {
      goal: goalTransitions,
      hold: holdTransitions,
      "task (A2A's states)": taskTransitions,
      'step of the charter': stepTransitions,
      team: teamTransitions,
      'draft of a charter': charterDraftTransitions,
      dispute: disputeTransitions,
      offer: settlementOfferTransitions,
      channel: channelTransitions,
      call: callTransitions,
      "transfer (a transaction of the server's)": transferTransitions,
    }
    const drawn: Record<string, Record<string, string[]>> = {}
    let heads: string[] = []
    for (const row of section('States')
      .split('\n')
      .filter((line) => line.startsWith('|'))) {
      const cells = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      if (cells[1]?.startsWith('may become')) heads = [cells[0] ?? '', cells[3] ?? '']
      else if (!cells[0]?.startsWith('---')) {
        for (const [index, head] of heads.entries()) {
          const [from, to] = [cells[index * 3], cells[index * 3 + 1]]
          for (const state of names(from)) {
            const tos = [...(to?.includes('itself') ? [state] : []), ...names(to)].sort()
            drawn[head] = { ...drawn[head], [state]: tos }
          }
        }
      }
    }
    const expected = Object.fromEntries(
      Object.entries(machines).map(([name, table]) => [
        name,
        Object.fromEntries(Object.entries(table).map(([from, tos]) => [from, [...tos].sort()])),
      ]),
    )
    expect(drawn).toEqual(expected)
    for (const state of conversationStates) expect(section('States')).toContain(`\`${state}\` → `)
  })

  it('names every command, frame, field and act', () => {
    const commands = section('Commands')
    for (const type of commandTypes) expect(commands, type).toContain(`\`${type}\``)
    for (const { shape } of [...AgentFrame.options, ...ServerFrame.options])
      expect(section('Frames')).toMatch(new RegExp(`\`${shape.type.value}[ \`]`))
    for (const field of Object.keys(Envelope.shape)) expect(section('Envelope'), field).toContain(`\`${field}\``)
    for (const act of speechActs) expect(section('Envelope')).toMatch(new RegExp(`\\b${act}\\b`))
  })

  it('shows an exchange of valid frames whose signatures hold', async () => {
    const blocks = [...section('Worked exchange').matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text))
    const [agentSeed = '', serverSeed = ''] = section('Worked exchange').match(/[0-9a-f]{64}/g) ?? []
    const [agent, server] = [await signerFromSeed(agentSeed), await signerFromSeed(serverSeed)]
    const keys = new Map([agent, server].map((signer) => [signer.did as string, signer]))
    expect(blocks.length).toBeGreaterThan(12)
    const { nonce } = blocks[0]
    for (const block of blocks) {
      const frame = z.union([AgentFrame, ServerFrame]).parse(block)
      if (frame.type === 'command') Command.parse(frame.command)
      if (frame.type === 'hello')
        expect(await verifyBytes(agent.did, helloBytes({ audience: server.did, nonce, did: agent.did }), frame.signature)).toBe(true)
      const envelope = block.envelope ?? block.command?.envelope
      if (!envelope) continue
      expect.soft(envelope.sig.value, envelope.id).toBe(await keys.get(envelope.sig.kid)?.sign(signedBytes(envelope)))
      expect.soft(await verifyEnvelope(Envelope.parse(envelope), server.did)).toBe(true)
    }
  })

  it('states the bounds of the source', () => {
    const figures = (value: number) => value.toLocaleString('en')
    expect(section('Envelope')).toContain(`${figures(limits.envelopeBytes)} bytes in all`)
    expect(section('Envelope')).toContain(`${figures(limits.unknownBytes)} bytes of unknown fields`)
    expect(section('Canonical form')).toContain(`deeper than ${limits.depth}, more than ${limits.keys} keys`)
  })
})
