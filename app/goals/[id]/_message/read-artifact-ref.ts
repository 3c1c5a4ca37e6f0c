import type { ArtifactRef } from '@parley/protocol'

/**
 * A file of a message as far as the page shows it; null if a field is missing. The protocol's schema checks more, and the server has
 * applied it. Every reader of a goal loads this file, and the library for schemas is larger than the page.
 */
export function readArtifactRef(value: unknown): ArtifactRef | null {
  if (typeof value !== 'object' || value === null) return null
  const { sha256, name, media_type, size, artifact_type } = value as { readonly [field: string]: unknown }
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return null
  if (typeof name !== 'string' || name === '' || typeof media_type !== 'string' || typeof artifact_type !== 'string') return null
  return Number.isSafeInteger(size) ? { sha256, name, media_type, size: size as number, artifact_type } : null
}
