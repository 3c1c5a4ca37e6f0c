import sharp, { type Sharp } from 'sharp'
import { refuse } from '../../skill.ts'
import { type ImageFormat, type ImageRequest, imageFormats, maxSide, targetSize } from './image-request.ts'

/** Pixels that are decoded at most: 200 MB of memory. */
const maxPixels = 50_000_000
const timeoutSeconds = 20
/** Bytes that the market accepts of one file. */
const maxBytes = 2_097_152
const qualities = [85, 75, 65, 55, 45, 35, 25]

export type ImageFacts = { readonly format: ImageFormat; readonly width: number; readonly height: number; readonly bytes: number }
/** `isCut`: edges were cut to keep the proportions. */
export type ProcessedImage = {
  readonly before: ImageFacts
  readonly after: ImageFacts
  readonly isCut: boolean
  readonly bytes: Uint8Array
}

/** Format and size of an image as it is shown, which is after the rotation that its camera recorded. @throws {SkillRefused} */
export async function readImageFacts(bytes: Uint8Array): Promise<ImageFacts> {
  const { format, autoOrient } = await open(bytes)
    .metadata()
    .catch(() => refuse('The image could not be read. It may be damaged, or have more than 50 million pixels.'))
  const known = imageFormats.find((one) => one === format)
  if (!known) return refuse(`The file is ${String(format)}. Attach a PNG, JPEG or WebP image.`)
  return { format: known, width: autoOrient.width, height: autoOrient.height, bytes: bytes.length }
}

/** The image as asked, without metadata. @throws {SkillRefused} for a damaged image, and a size or file size that cannot be reached */
export async function processImage(bytes: Uint8Array, request: ImageRequest): Promise<ProcessedImage> {
  const before = await readImageFacts(bytes)
  const format = request.format ?? before.format
  const size = sizeOf(request, before)
  const draw = (scale: number) =>
    transform(open(bytes).autoOrient(), request, { width: side(size.width * scale), height: side(size.height * scale) })
  const limit = Math.min(request.max_bytes ?? maxBytes, maxBytes)
  for (const scale of request.max_bytes === undefined || hasSize(request) ? [1] : [1, 0.85, 0.7, 0.55, 0.4, 0.28, 0.2, 0.14, 0.1]) {
    for (const quality of request.quality === undefined ? qualities : [request.quality]) {
      const { data, info } = await encode(draw(scale), format, quality)
        .toBuffer({ resolveWithObject: true })
        .catch(() => refuse('The image could not be processed. It may be damaged.'))
      const after = { format, width: info.width, height: info.height, bytes: data.length }
      if (data.length <= limit) return { before, after, isCut: isCut(request, before, after), bytes: new Uint8Array(data) }
      // PNG has no quality, so a further attempt is the same.
      if (format === 'png') break
    }
  }
  return refuse(
    `The image does not fit into ${limit.toLocaleString('en-US')} bytes. Ask for a smaller size, for JPEG or WebP, or for more bytes.`,
  )
}

const open = (bytes: Uint8Array): Sharp =>
  sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).timeout({ seconds: timeoutSeconds })
const side = (pixels: number): number => Math.max(1, Math.round(pixels))
const hasSize = ({ width, height, max_side, percent }: ImageRequest): boolean =>
  width !== undefined || height !== undefined || max_side !== undefined || percent !== undefined

/** Whether the sides have another ratio than before, by more than the rounding to whole pixels. */
function isCut({ rotate }: ImageRequest, before: ImageFacts, after: ImageFacts): boolean {
  const [width, height] = rotate === 90 || rotate === 270 ? [before.height, before.width] : [before.width, before.height]
  return Math.abs(after.width - (after.height * width) / height) > 1 && Math.abs(after.height - (after.width * height) / width) > 1
}

function sizeOf(request: ImageRequest, before: ImageFacts): { width: number; height: number } {
  const isTurned = request.rotate === 90 || request.rotate === 270
  const turned = isTurned ? { width: before.height, height: before.width } : before
  const edge = Math.min(turned.width, turned.height)
  const size = targetSize(request, request.crop ? { width: edge, height: edge } : turned)
  if (size.width > maxSide || size.height > maxSide)
    return refuse(`The result would be ${size.width} × ${size.height} pixels. The largest side is ${maxSide}.`)
  return size
}

/** A size of other proportions is filled by cutting the edges, so that nothing is distorted. */
function transform(image: Sharp, { rotate, mirror, greyscale }: ImageRequest, size: { width: number; height: number }): Sharp {
  const turned = rotate === undefined ? image : image.rotate(rotate)
  const mirrored = mirror === 'vertical' ? turned.flip() : mirror === 'horizontal' ? turned.flop() : turned
  const resized = mirrored.resize({ ...size, fit: 'cover' })
  return greyscale ? resized.greyscale() : resized
}

function encode(image: Sharp, format: ImageFormat, quality: number): Sharp {
  if (format === 'png') return image.png({ compressionLevel: 9 })
  // JPEG has no transparency; white is what a page shows behind it.
  return format === 'jpeg' ? image.flatten({ background: '#fff' }).jpeg({ quality, mozjpeg: true }) : image.webp({ quality })
}
