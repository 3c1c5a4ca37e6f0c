/** What is asked of an image. */

/** The artifact type of an attached PNG, JPEG or WebP image. */
export const imageFileType = 'image.photo'
export const imageFormats = ['jpeg', 'png', 'webp'] as const
export type ImageFormat = (typeof imageFormats)[number]
/** Pixels of a side of the result. */
export const maxSide = 8_000

export type ImageRequest = {
  readonly width?: number
  readonly height?: number
  readonly max_side?: number
  readonly percent?: number
  readonly crop?: 'square'
  readonly rotate?: 90 | 180 | 270
  readonly mirror?: 'horizontal' | 'vertical'
  readonly greyscale?: boolean
  readonly format?: ImageFormat
  readonly quality?: number
  readonly max_bytes?: number
  readonly describe?: boolean
}

/** The size that the result has, in whole pixels; the proportions are kept if one side or a limit is given. */
export function targetSize(request: ImageRequest, { width, height }: { readonly width: number; readonly height: number }) {
  const scaled = (factor: number) => ({ width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) })
  if (request.width !== undefined && request.height !== undefined) return { width: request.width, height: request.height }
  if (request.width !== undefined) return { ...scaled(request.width / width), width: request.width }
  if (request.height !== undefined) return { ...scaled(request.height / height), height: request.height }
  if (request.max_side !== undefined) return scaled(Math.min(1, request.max_side / Math.max(width, height)))
  return request.percent === undefined ? { width, height } : scaled(request.percent / 100)
}
