/** Serializes values between pages and server. */
import { decodeWireValue, encodeWireValue, type WireValue } from '@parley/protocol'

export const transformer = {
  // Inputs are plain JSON. The base procedure checks their limits, because pages call procedures without this.
  input: {
    serialize: (json: unknown) => ({ json }),
    deserialize: (wire: unknown) =>
      typeof wire === 'object' && wire !== null && Object.hasOwn(wire, 'json') ? (wire as WireValue).json : undefined,
  },
  output: { serialize: encodeWireValue, deserialize: (wire: unknown) => decodeWireValue(wire as WireValue) },
}
