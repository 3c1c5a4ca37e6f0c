declare module 'qrcode' {
  type ErrorCorrectionLevel = 'L' | 'M' | 'Q' | 'H'
  /** `data`: one byte for each module, row by row; 1 is dark. */
  type QrCode = { readonly version: number; readonly modules: { readonly size: number; readonly data: Uint8Array } }
  export function create(text: string, options: { readonly errorCorrectionLevel: ErrorCorrectionLevel }): QrCode
}
