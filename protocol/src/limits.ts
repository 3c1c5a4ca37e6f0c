/** Limits of one request, message, text and answer, equal at every endpoint. Bytes are of UTF-8. */
export const limits = {
  /** Bytes of one message on the wire, signed by its sender or by the server. */
  envelopeBytes: 262_144,
  /** Bytes of the unknown fields of an envelope, in canonical form. */
  unknownBytes: 8_192,
  /** Nesting, and keys of one object, inside an envelope. */
  depth: 32,
  keys: 256,
  /** Bytes of one request: a frame, an HTTP body or a call of a page. A command with artifacts is the largest. */
  requestBytes: 8_388_608,
  /** Bytes of one command without its files: an envelope, and the command around it. */
  commandBytes: 327_680,
  /** Bytes of a posted goal without files. A page of a hundred goals must fit into one answer. */
  goalBytes: 65_536,
  /** Nesting, keys of one object, and JSON values of one request: an envelope, and the command and frame around it. */
  requestDepth: 40,
  requestKeys: 512,
  requestValues: 65_536,
  /** Bytes of one page of a list, a transcript or a stream. Its last entry may exceed the limit. */
  pageBytes: 1_048_576,
  /** UTF-16 units of one text that is shown as Markdown. */
  markdownLength: 65_536,
} as const
