/** Another's text on one line, so that it cannot look like another result. */
export const toOneLine = (text: string): string => text.replace(/[\s\u0085]+/gu, ' ').trim()
