import type { Json } from '@parley/protocol'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { withTranslatedAnswers } from '../../../../../agents/builtin/tools/answer-translation/with-translated-answers.ts'
import { imageTool } from '../../../../../agents/builtin/tools/images/image-tool.ts'
import type { ToolReading } from '../../../../../agents/builtin/tools/tool.ts'
import { withAcceptedMediaTypes } from '../../../../../agents/builtin/tools/with-accepted-media-types.ts'
import { uncoveredGoals } from '../../../../../bench/goal-outcomes/corpus/uncovered-goals.ts'

const tool = withAcceptedMediaTypes(withTranslatedAnswers(imageTool))
const photo = { name: 'garden.png', type: 'image.photo' }
const read = (text: string, files = [photo]): ToolReading => imageTool.readGoal({ text, words: text, quotations: [], files })
const queryOf = (text: string) => {
  const reading = read(text)
  return reading && 'query' in reading ? reading.query : reading
}

/** A picture whose left half is red and whose right half is blue, with the place where it was taken. */
const halves = async (width: number, height: number, format: 'png' | 'jpeg' = 'png') => {
  const red = await sharp({ create: { width: Math.floor(width / 2), height, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()
  return new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: '#00f' } })
      .composite([{ input: red, left: 0, top: 0 }])
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .toFormat(format)
      .toBuffer(),
  )
}
/** What a camera stores: noise does not compress. */
const noise = async (width: number, height: number) => {
  let state = 1
  const pixels = Uint8Array.from({ length: width * height * 3 }, () => {
    state = (state * 48_271) % 2_147_483_647
    return state & 255
  })
  return new Uint8Array(
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90 })
      .toBuffer(),
  )
}

async function process(bytes: Uint8Array, query: { [key: string]: Json }, name = 'garden.png') {
  const artifact = { sha256: 'ab'.repeat(32), name, media_type: 'image/png', size: bytes.length, artifact_type: 'file.any' } as never
  const inputs = [
    { port: 'query', type: 'query.image', data: query },
    { port: 'image', type: 'image.photo', artifact, bytes },
  ]
  const { outputs, text } = await tool.run({ inputs })
  return { file: outputs[0] ?? expect.fail('There is no file.'), text }
}
const pixel = async (bytes: Uint8Array | undefined, left: number, top: number) => [
  ...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
]

describe('image.convert reads', () => {
  it.each([
    ['Make this picture 400 pixels wide and give it to me as a JPEG', { width: 400, format: 'jpeg' }],
    ['Resize the attached image to 800x600', { width: 800, height: 600 }],
    ['Convert garden.png to jpg please', { format: 'jpeg' }],
    ['shrink this photo to under 200 KB for an email', { max_bytes: 200_000 }],
    ['rotate the picture 90 degrees to the left', { rotate: 270 }],
    ['What are the dimensions of this image?', { describe: true }],
    ['crop it to a square and make it 256 px', { crop: 'square', width: 256 }],
    ['make it 30% smaller', { percent: 70 }],
    ['reduce the image by 30%', { percent: 70 }],
    ['scale down to 30%', { percent: 30 }],
    ['remove the exif data from my photo', { strip: true }],
    ['turn this png into a jpg with quality 80', { format: 'jpeg', quality: 80 }],
    ['resize to max 1024 px on the longest side', { max_side: 1_024 }],
    ['make it black and white', { greyscale: true }],
  ])('%s', (text, query) => expect(queryOf(text)).toEqual(query))

  it.each(['compress this image', 'Resize to 400', 'scale by 30%', 'resize to 50% and 300 pixels wide'])('%s, and asks', (text) => {
    expect(read(text)).toMatchObject({ question: expect.stringContaining('?') })
  })

  it.each([
    'Remove the background',
    'What is in this picture?',
    'I need my photo at 35 x 45 mm',
    'Draw a red circle 40 pixels wide on it',
    'jpeg webp',
    'Make it 400 pixels wide but keep the sky',
  ])('%s not at all', (text) => expect(read(text)).toBeUndefined())

  it('no goal that no skill covers', () => {
    expect(uncoveredGoals.map(({ text }) => read(text)).filter((reading) => reading !== undefined && 'query' in reading)).toEqual([])
  })

  it('nothing without exactly one image', () => {
    expect(read('Make it 400 pixels wide', [])).toBeUndefined()
    expect(read('Make it 400 pixels wide', [photo, photo])).toBeUndefined()
    expect(read('Make it 400 pixels wide', [{ name: 'a.csv', type: 'table.csv' }])).toBeUndefined()
  })
})

describe('image.convert', () => {
  it('answers as its sample says', async () => {
    const [sample] = imageTool.skill.samples
    const { text } = await process(await halves(800, 600), sample?.input as never)
    const shape = (answer: unknown) => String(answer).replace(/[\d,]+ bytes/g, 'n bytes')
    expect(shape(text)).toBe(shape(sample?.output))
  })

  it('resizes, converts, and removes the metadata', async () => {
    const { file, text } = await process(await halves(800, 600), { width: 400, format: 'jpeg' })
    const found = await sharp(file.bytes).metadata()
    expect([file.name, file.media_type, found.format, found.width, found.height, found.exif]).toEqual([
      'garden-converted.jpg',
      'image/jpeg',
      'jpeg',
      400,
      300,
      undefined,
    ])
    expect(text).toMatch(/^JPEG image, 400 × 300 pixels, [\d,]+ bytes\. It was a PNG image, 800 × 600 pixels, [\d,]+ bytes\.$/)
  })

  it('cuts edges instead of distorting, and says so', async () => {
    const { file, text } = await process(await halves(800, 400), { width: 100, height: 100 })
    expect([await pixel(file.bytes, 2, 50), await pixel(file.bytes, 97, 50)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ])
    expect(text).toContain('Edges were cut to keep the proportions.')
    expect((await process(await halves(801, 600), { width: 333 })).text).not.toContain('Edges')
  })

  it('turns and mirrors as asked', async () => {
    const picture = await halves(40, 20)
    const turned = (await process(picture, { rotate: 90 })).file.bytes
    expect([await pixel(turned, 10, 2), await pixel(turned, 10, 37)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ])
    const left = (await process(picture, { rotate: 270 })).file.bytes
    expect([await pixel(left, 10, 2), await pixel(left, 10, 37)]).toEqual([
      [0, 0, 255],
      [255, 0, 0],
    ])
    expect(await pixel((await process(picture, { mirror: 'horizontal' })).file.bytes, 2, 10)).toEqual([0, 0, 255])
    expect(await pixel((await process(picture, { mirror: 'vertical' })).file.bytes, 2, 10)).toEqual([255, 0, 0])
  })

  it('turns a photo as its camera held it', async () => {
    const sideways = new Uint8Array(
      await sharp(await halves(40, 20, 'jpeg'))
        .keepMetadata()
        .withMetadata({ orientation: 6 })
        .toBuffer(),
    )
    expect((await process(sideways, { describe: true })).text).toMatch(/^JPEG image, 20 × 40 pixels/)
    const found = await sharp((await process(sideways, { format: 'png' })).file.bytes).metadata()
    expect([found.width, found.height, found.orientation]).toEqual([20, 40, undefined])
  })

  it('reaches a file size by quality first, and by size where nothing names one', async () => {
    const photograph = await noise(900, 700)
    const { file } = await process(photograph, { max_bytes: 200_000 }, 'a.jpg')
    expect(photograph.length).toBeGreaterThan(300_000)
    expect(file.bytes?.length).toBeLessThanOrEqual(200_000)
    await expect(process(photograph, { max_bytes: 2_000, width: 900 }, 'a.jpg')).rejects.toThrow('does not fit into 2,000 bytes')
  })

  it('shows transparency as white in JPEG', async () => {
    const clear = new Uint8Array(
      await sharp({ create: { width: 4, height: 4, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
    )
    expect(await pixel((await process(clear, { format: 'jpeg' })).file.bytes, 1, 1)).toEqual([255, 255, 255])
  })

  it.each([
    ['no image', new TextEncoder().encode('no image'), { width: 10 }, 'could not be read'],
    ['a cut file', null, { width: 10 }, 'damaged'],
    ['a result that is too large', undefined, { percent: 400, crop: 'square', width: 8_000, height: 8_001 }, 'The largest side is 8000'],
  ])('refuses %s', async (_, bytes, query, reason) => {
    const whole = await noise(600, 400)
    await expect(process(bytes === null ? whole.slice(0, 5_000) : (bytes ?? whole), query)).rejects.toThrow(reason)
  })

  it('refuses a picture of more pixels than it decodes', async () => {
    const huge = new Uint8Array(
      await sharp({ create: { width: 8_000, height: 7_000, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
    )
    expect(huge.length).toBeLessThan(2_097_152)
    await expect(process(huge, { width: 10 })).rejects.toThrow('50 million pixels')
  })

  it.each([
    ['de', /^JPEG-Bild, 400 × 300 Pixel, [\d.]+ Bytes\. Vorher: PNG-Bild, 800 × 600 Pixel, [\d.]+ Bytes\.$/],
    ['fr', /^Image JPEG, 400 × 300 pixels, 1.\d{3} octets\. Avant\s: image PNG, 800 × 600 pixels, \d+.\d{3} octets\.$/],
    ['es', /^Imagen JPEG, 400 × 300 píxeles, [\d.]+ bytes\. Antes: imagen PNG, 800 × 600 píxeles, [\d.]+ bytes\.$/],
    ['zh', /^JPEG 图片，400 × 300 像素，[\d,]+ 字节。原图：PNG，800 × 600 像素，[\d,]+ 字节。$/],
  ])('answers in %s', async (answer_language, expected) => {
    expect((await process(await halves(800, 600), { width: 400, format: 'jpeg', answer_language })).text).toMatch(expected)
  })
})
