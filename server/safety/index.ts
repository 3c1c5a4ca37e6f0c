/**
 * Owns the rules for incoming content: text without control and direction characters, files of known types whose content matches.
 * Never rewrites content: it accepts or refuses.
 * Reads nothing.
 */
export { createContentScreen, maxTextBytes } from './content-screen.ts'
export { requireAcceptableContent, requireAcceptableFile, requireAcceptableText } from './require-acceptable-content.ts'
