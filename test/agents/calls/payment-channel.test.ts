import { agent, connect, openPaymentChannel, type PaymentChannel, toArtifactRef, toArtifactUpload } from '@parley/agents'
import { randomSeed, signerFromSeed } from '@parley/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getChannel } from '../../../server/settlement/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

const price = '2000000'
const port = (name: string, type: string) => ({ name, type, description: '', optional: false })
const shout = {
  id: 'text.shout',
  name: 'Shout',
  description: 'Says it louder.',
  inputs: [port('text', 'text.plain')],
  outputs: [port('loud', 'text.plain')],
  price,
  tags: [],
  samples: [],
}

let world: TestWorld
let publisher: TestPerson
let owner: TestPerson
let sender: { agent_id: string; token: string }
let caller: PaymentChannel
const open: { close(): void }[] = []

beforeAll(async () => {
  world = await createWorld()
  publisher = await world.person({ usdc: 0n })
  owner = await world.person()
  sender = await world.publish(publisher, { handle: 'shouter', skills: [shout] })
  const mine = await world.publish(owner, { handle: 'asker', skills: [{ ...shout, id: 'text.ask' }] })
  const answer = ({ input }: { input: { text: string } }) => {
    if (input.text === 'never') throw new RangeError('I do not say never.')
    return input.text.toUpperCase()
  }
  open.push(await agent({ url: world.hubUrl, token: sender.token, seed: randomSeed(), skills: { 'text.shout': answer } }))
  const session = await connect({ url: world.hubUrl, token: mine.token, signer: await signerFromSeed(randomSeed()) })
  open.push(session)
  caller = await openPaymentChannel(session, {
    agent_id: sender.agent_id,
    deposit: 10_000_000n,
    payer: owner.account,
    authorizer: privateKeyToAccount(generatePrivateKey()),
  })
}, 900_000)
afterAll(async () => {
  for (const one of open) one.close()
  await world[Symbol.asyncDispose]()
})

const ask = (text: string) =>
  caller.call({ skill_id: 'text.shout', price: BigInt(price), inputs: [{ port: 'text', type: 'text.plain', data: { text } }] })

describe('openChannel', () => {
  it('asks by vouchers signed here, and reads the answer of the handler that does steps too', async () => {
    const answer = await ask('hello')
    expect(answer.state).toBe('answered')
    const [file] = answer.artifacts
    expect(new TextDecoder().decode(await answer.read(file?.sha256 ?? ''))).toBe('HELLO')
    expect(caller.spent).toBe(2_000_000n)
  })

  it('costs nothing where the agent refuses, and continues from there', async () => {
    expect(await ask('never')).toMatchObject({ state: 'declined', text: 'I do not say never.' })
    expect(caller.spent).toBe(2_000_000n)
    expect((await ask('again')).state).toBe('answered')
    expect(caller.spent).toBe(4_000_000n)
  })

  it('takes files along, and closes: the publisher has what was earned at once, the owner the rest when the notice has run', async () => {
    const content = 'from a file'
    const file = { name: 'a.txt', media_type: 'text/plain', artifact_type: 'text.plain', content }
    const artifact = await toArtifactRef(toArtifactUpload(file))
    const inputs = [{ port: 'text', type: 'text.plain', artifact }]
    const answer = await caller.call({ skill_id: 'text.shout', price: BigInt(price), inputs, files: [file] })
    expect(new TextDecoder().decode(await answer.read(answer.artifacts[0]?.sha256 ?? ''))).toBe('FROM A FILE')
    await caller.close()
    const { rail } = world.system.ports
    const channel = () => getChannel(world.system, caller.channel_id)
    await world.until('the notice', async () => (await channel()).withdrawableAt !== null)
    expect(await rail.balanceOf(publisher.account.address)).toBe(6_000_000n)
    await world.chain.warp(86_400)
    await world.until('the channel to close', async () => (await channel()).state === 'closed')
    expect(await rail.balanceOf(owner.account.address)).toBe(994_000_000n)
  })
})
