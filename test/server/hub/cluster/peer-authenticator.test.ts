import { randomSeed, signerFromSeed } from '@parley/protocol'
import { expect, it } from 'vitest'
import { createPeerAuthenticator, createPeerProof } from '../../../../server/hub/cluster/peer-authenticator.ts'

it('admits a hub of the same server, which knows the answer from that of anyone else', async () => {
  const server = await signerFromSeed(randomSeed())
  const asked = await createPeerProof(server, 'a', 'b')
  const admitted = await createPeerAuthenticator(server, 'b').verify(asked.header)
  expect(admitted?.from).toBe('a')
  expect(await asked.isAnswer(admitted?.answer)).toBe(true)
  const other = await createPeerProof(server, 'a', 'b')
  expect(await other.isAnswer(admitted?.answer)).toBe(false)
  for (const answer of [undefined, '', ['x'], asked.header.split(' ')[2]]) expect(await asked.isAnswer(answer)).toBe(false)
})

it('admits no one with another key, a proof for another hub, one that was used, or none', async () => {
  const server = await signerFromSeed(randomSeed())
  const authenticator = createPeerAuthenticator(server, 'b')
  const foreign = await createPeerProof(await signerFromSeed(randomSeed()), 'a', 'b')
  const elsewhere = await createPeerProof(server, 'a', 'c')
  const asked = await createPeerProof(server, 'a', 'b')
  expect(await authenticator.verify(asked.header)).not.toBe(null)
  const [from, nonce, signature] = asked.header.split(' ')
  const forged = `c ${nonce} ${signature}`
  const spent = [asked.header, [from, nonce, signature].join(' ')]
  for (const header of [foreign.header, elsewhere.header, forged, ...spent, undefined, '', 'a b', ['x']])
    expect(await authenticator.verify(header)).toBe(null)
})
