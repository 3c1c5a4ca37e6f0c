/** The anchor of a heading, as GitHub makes it: lower case, without punctuation, hyphens instead of spaces. */
export const headingSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
