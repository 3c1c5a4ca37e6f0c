/** `image.convert`: resizes, converts, compresses, turns and describes an attached image. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolSkill } from '../tool.ts'
import { type ImageFormat, type ImageRequest, imageFileType, imageFormats, maxSide } from './image-request.ts'
import { type ImageFacts, processImage, readImageFacts } from './process-image.ts'
import { readImageGoal } from './read-image-goal.ts'

const type = 'query.image'

const skill: ToolSkill = {
  id: 'image.convert',
  name: 'Resize or convert an image',
  description:
    'Resizes, compresses, crops, turns or mirrors an attached PNG, JPEG or WebP image, converts it to another of these formats, removes its metadata, or tells its size.',
  inputs: [
    {
      name: 'query',
      type,
      description: 'What is done with the image.',
      optional: false,
      schema: {
        type: 'object',
        properties: {
          width: { type: 'integer', minimum: 1, maximum: maxSide, description: 'Pixels.' },
          height: { type: 'integer', minimum: 1, maximum: maxSide, description: 'Pixels.' },
          max_side: { type: 'integer', minimum: 1, maximum: maxSide, description: 'Pixels of the longer side, at most.' },
          percent: { type: 'integer', minimum: 1, maximum: 400, description: 'Of its width and height.' },
          crop: { enum: ['square'] },
          rotate: { enum: [90, 180, 270], description: 'Degrees clockwise.' },
          mirror: { enum: ['horizontal', 'vertical'] },
          greyscale: { type: 'boolean' },
          format: { enum: [...imageFormats] },
          quality: { type: 'integer', minimum: 1, maximum: 100, description: 'Of JPEG and WebP.' },
          max_bytes: { type: 'integer', minimum: 500, description: 'Largest file size.' },
          strip: { type: 'boolean', description: 'Metadata is always removed.' },
          describe: { type: 'boolean', description: 'Tell the size and the format.' },
        },
      },
    },
    { name: 'image', type: imageFileType, description: 'A PNG, JPEG or WebP image of at most 2 MiB.', optional: true },
  ],
  outputs: [{ name: 'result', type: 'image.converted', description: 'The image, without metadata.', optional: false }],
  price: '150000',
  tags: ['image', 'photo', 'picture', 'resize', 'convert', 'compress', 'crop', 'rotate', 'jpeg', 'png', 'webp', 'exif', 'thumbnail'],
  samples: [
    {
      title: 'Resize',
      input: { width: 400, format: 'jpeg' },
      output: 'JPEG image, 400 × 300 pixels, 21,480 bytes. It was a PNG image, 800 × 600 pixels, 96,201 bytes.',
    },
  ],
}

const endings: { readonly [format in ImageFormat]: string } = { jpeg: 'jpg', png: 'png', webp: 'webp' }

const describe = ({ format, width, height, bytes }: ImageFacts): string =>
  `${format === 'webp' ? 'WebP' : format.toUpperCase()} image, ${width} × ${height} pixels, ${bytes.toLocaleString('en-US')} bytes`

async function run(work: SkillRequest): Promise<SkillResponse> {
  const query = requireData(work, type) as ImageRequest & { readonly answer_language?: string }
  const file = work.inputs.find((input) => input.type !== type && input.bytes !== undefined)
  if (file?.bytes === undefined) return refuse('There is no image. Attach a PNG, JPEG or WebP image.')
  const { describe: isDescribed, answer_language: _, ...changes } = query
  const base = (file.artifact?.name ?? 'image').replace(/\.[^.]{1,5}$/, '')
  if (isDescribed && Object.keys(changes).length === 0) {
    const facts = await readImageFacts(file.bytes)
    const answer = `${describe(facts)}.`
    return {
      outputs: [{ name: `${base}-facts.txt`, media_type: 'text/plain', artifact_type: 'image.converted', text: `${answer}\n` }],
      text: answer,
    }
  }
  const { before, after, isCut, bytes } = await processImage(file.bytes, changes)
  return {
    outputs: [
      {
        name: `${base}-converted.${endings[after.format]}`,
        media_type: `image/${after.format}`,
        artifact_type: 'image.converted',
        text: '',
        bytes,
      },
    ],
    text: `${describe(after)}. It was a ${describe(before)}.${isCut ? ' Edges were cut to keep the proportions.' : ''}`,
  }
}

export const imageTool: Tool = { skill, readGoal: readImageGoal, run }
