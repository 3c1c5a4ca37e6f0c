/**
 * Owns the rules for incoming content: text without control and direction characters, files of known types whose content matches.
 * Never rewrites content: it accepts or refuses.
 * Reads nothing.
 */
export { createContentScreen, maxTextBytes } from './content-screen.ts'
export { screenContent, screenFile, screenText } from './screen-content.ts'
