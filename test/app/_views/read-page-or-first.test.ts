import { describe, expect, it } from 'vitest'
import { readPageOrFirst } from '../../../app/_views/read-page-or-first.ts'

const refusal = (code: string) => Object.assign(new Error(code), { code })

describe('readPageOrFirst', () => {
  const read = async (query: { after?: string; text: string }) => {
    if (query.after !== undefined && query.after !== 'known') throw refusal('BAD_REQUEST')
    return { from: query.after ?? 'the first' }
  }

  it('reads on from a place that is known', async () => {
    expect(await readPageOrFirst({ text: 'x', after: 'known' }, read)).toEqual({ page: { from: 'known' }, isUnknownPlace: false })
    expect(await readPageOrFirst({ text: 'x' }, read)).toEqual({ page: { from: 'the first' }, isUnknownPlace: false })
  })

  it('begins again where the place is not known, and reports it', async () => {
    expect(await readPageOrFirst({ text: 'x', after: '1' }, read)).toEqual({ page: { from: 'the first' }, isUnknownPlace: true })
  })

  it('begins again after an item that the reader may not know', async () => {
    const readOwn = async (query: { after?: string; text: string }) => {
      if (query.after !== undefined) throw refusal('NOT_FOUND')
      return 'the first'
    }
    expect(await readPageOrFirst({ text: 'x', after: 'of another' }, readOwn)).toEqual({ page: 'the first', isUnknownPlace: true })
  })

  it('hides no other refusal', async () => {
    const fail = async (_: { after?: string; text: string }) => Promise.reject(refusal('BAD_REQUEST'))
    await expect(readPageOrFirst({ text: 'x', after: '1' }, fail)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(readPageOrFirst({ text: 'x' }, fail)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const busy = async (_: { after?: string; text: string }) => Promise.reject(refusal('TOO_MANY_REQUESTS'))
    await expect(readPageOrFirst({ text: 'x', after: '1' }, busy)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })
})
