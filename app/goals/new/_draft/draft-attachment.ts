/** A file of a goal that is being written, read into the browser. `content`: Base64. `size`: in bytes. */
export type DraftAttachment = {
  readonly name: string
  readonly mediaType: string
  readonly content: string
  readonly size: number
  /** True: the bytes are no longer those of the chosen file. */
  readonly isConverted?: true
}

/** The maximum number of files of a goal. */
export const maxAttachments = 8

/** The artifact type of an attached file. */
export const artifactTypeOf = ({ mediaType }: Pick<DraftAttachment, 'mediaType'>): string =>
  mediaType === 'text/csv' ? 'table.csv' : 'file.any'
