import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getChannel } from '../../server/settlement/index.ts'
import { type ChannelWorld, question, signedTerms } from '../server/settlement/channel-world.ts'
import type { TestAgent } from '../support/goal-fixture.ts'
import type { TestPerson, TestWorld } from '../support/world.ts'

type ChannelSetup = { readonly world: TestWorld; readonly client: TestPerson; readonly publisher: TestPerson; readonly agent: TestAgent }
/** What a browser keeps of it, and with it can sign the next voucher. */
export type ShowcaseChannel = { readonly keyName: string; readonly key: `0x${string}` }

const price = 800_000n
const facts = JSON.stringify({ cagr: 0.063, strongest: 2023, outliers: [2021] })

/** A client's channel to the trend reader: two questions answered, one declined. */
export async function openShowcaseChannel(setup: ChannelSetup): Promise<ShowcaseChannel> {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  const { world, client, agent } = setup
  const place: ChannelWorld = {
    ...setup,
    key: account,
    balance: (address) => world.system.ports.rail.balanceOf(address as `0x${string}`),
    [Symbol.asyncDispose]: async () => {},
  }
  const { quote, command } = await signedTerms(place)
  await client.send(command)
  await world.until('the channel to open', async () => (await getChannel(world.system, quote.channel_id)).state === 'open')
  const ask = async (amount: bigint, text: string) => {
    const inputs = [{ port: 'in_0', type: 'table.csv', data: { text } }]
    const asked = await question(place, quote.channel_id, { amount, skill_id: 'trend.fit', inputs })
    await client.send(asked)
    return asked.call_id
  }
  const answer = (call_id: string) =>
    agent.send({
      type: 'call.answer',
      call_id,
      text: 'Crossings grow by 6.3 % a year.',
      artifacts: [
        {
          name: 'trend.json',
          media_type: 'application/json',
          artifact_type: 'trend.facts',
          content: Buffer.from(facts).toString('base64'),
        },
      ],
    })
  await answer(await ask(price, 'year,crossings\n2015,1204113\n2024,2090350\n'))
  const second = await ask(2n * price, 'year,crossings\n2015,?\n')
  await agent.send({ type: 'call.decline', call_id: second, reason: 'The figure for 2015 is missing.' })
  await answer(await ask(2n * price, 'year,crossings\n2015,1204113\n2023,2118907\n'))
  return { keyName: `parley.voucher-key.${account.address.toLowerCase()}`, key }
}
