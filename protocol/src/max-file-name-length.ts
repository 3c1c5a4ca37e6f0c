/** The maximum length of a file's name, in characters. */
export const maxFileNameLength = 120
