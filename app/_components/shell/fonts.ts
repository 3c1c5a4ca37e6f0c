import localFont from 'next/font/local'

// One file per range of letters, so that a page loads only what its text needs. Only the Latin files are preloaded.
const sans = localFont({
  src: '../../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-sans-latin',
})
const sansLatinExtended = localFont({
  src: '../../../node_modules/@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-sans-latin-extended',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113',
    },
  ],
})
const sansCyrillic = localFont({
  src: '../../../node_modules/@fontsource-variable/geist/files/geist-cyrillic-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-sans-cyrillic',
  preload: false,
  adjustFontFallback: false,
  declarations: [{ prop: 'unicode-range', value: 'U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116' }],
})
const mono = localFont({
  src: '../../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-mono-latin',
  adjustFontFallback: false,
})
/** Frames and bars of charts in text. */
const monoSymbols = localFont({
  src: '../../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-symbols2-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-mono-symbols',
  preload: false,
  adjustFontFallback: false,
  declarations: [{ prop: 'unicode-range', value: 'U+23B8-23BD, U+2500-259F' }],
})

/** The class that defines the variables of all fonts. */
export const fontVariables = [sans, sansLatinExtended, sansCyrillic, mono, monoSymbols].map(({ variable }) => variable).join(' ')
