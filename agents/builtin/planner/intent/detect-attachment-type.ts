/** The artifact type of an attachment. */
import type { ArtifactRef } from '@parley/protocol'
import { imageFileType } from '../../tools/images/image-request.ts'

/** Text files whose media type browsers do not know, or give as an application's. */
const textEnding =
  /\.(?:txt|md|markdown|log|ya?ml|toml|ini|cfg|conf|env|properties|sql|xml|html?|eml|srt|vtt|ics|vcf|tex|rst|js|mjs|cjs|jsx|ts|tsx|css|scss|less|vue|graphql|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sh|ps1|bat|diff|patch)$/i

/** The type of files whose sender names none, as the web does for all but CSV. */
export const anyFileType = 'file.any'

/** The artifact type of an attachment, by its own type, media type or name. */
export function detectAttachmentType(file: ArtifactRef): string {
  const isOpen = file.artifact_type === anyFileType
  if (!isOpen && /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){1,4}$/.test(file.artifact_type)) return file.artifact_type
  const media = file.media_type.split(';')[0] ?? ''
  // A JSON file that is given as text is broken, so it holds no table.
  if (media === 'text/plain' && /\.json$/i.test(file.name)) return 'document.text'
  if (/^image\/(?:png|jpeg|webp)$/.test(media)) return imageFileType
  if (media === 'text/csv' || media === 'text/tab-separated-values' || /\.(csv|tsv)$/i.test(file.name)) return 'table.csv'
  if (media === 'application/json' || /\.json$/i.test(file.name)) return 'table.json'
  if (media.startsWith('text/') || textEnding.test(file.name)) return 'document.text'
  return isOpen ? anyFileType : 'document.file'
}
