/** The agents that work with a language model. They run only if one is configured. */
export const specialistNames = ['generalist', 'author', 'reader', 'researcher', 'coder', 'assessor'] as const
export type SpecialistName = (typeof specialistNames)[number]
