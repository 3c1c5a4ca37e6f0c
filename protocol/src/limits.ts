/** What one request, message, text or answer may hold: the same at every endpoint. Bytes are of UTF-8. */
export const limits = {
  /** Bytes of one message on the wire, whether its sender or the server signs it. */
  envelopeBytes: 262_144,
  /** Bytes of the fields of an envelope that this version does not know, in canonical form. */
  unknownBytes: 8_192,
  /** Nesting, and keys of any one object, inside an envelope. */
  depth: 32,
  keys: 256,
  /** Bytes of one request: a frame, a body, a call of a page. A command with artifacts is the largest. */
  requestBytes: 8_388_608,
  /** Bytes of one command without the files that it carries: an envelope, and the command around it. */
  commandBytes: 327_680,
  /** Bytes of a goal as its client posts it, without files: a page of a hundred must fit into one answer. */
  goalBytes: 65_536,
  /** Nesting, keys of any one object and JSON values in all of one request: an envelope, and the command and the frame around it. */
  requestDepth: 40,
  requestKeys: 512,
  requestValues: 65_536,
  /** Bytes of one page of a list, a transcript or a stream; its last entry may reach beyond. */
  pageBytes: 1_048_576,
  /** UTF-16 units of one text that is shown as Markdown. */
  markdownLength: 65_536,
} as const
