/** "iso4217:USD" → "USD"; null for the market's own token, which has its symbol from the market. */
export function currencyOfAsset(asset: string): string | null {
  return asset.startsWith('iso4217:') ? asset.slice('iso4217:'.length) : null
}
