/**
 * Owns what content may come in: texts without control and direction marks, files of known types that are what they say.
 * Never rewrites content: what was signed passes unchanged or is refused.
 * Reads nothing.
 */
export { createContentScreen, maxTextBytes } from './content-screen.ts'
export { screenContent, screenFile, screenText } from './screen-content.ts'
