/** What a rule reads, and what it finds. */

/** A part of an answer. `text`: null for a file that is no text, or too long to read. `size`: bytes. */
export type Deliverable = {
  readonly name: string
  readonly mediaType: string
  readonly text: string | null
  readonly size: number
}

/** `unchecked`: the rule cannot decide, so the client looks. */
export type CheckedCriterion = { readonly status: 'met' | 'failed' | 'unchecked'; readonly evidence: string }
