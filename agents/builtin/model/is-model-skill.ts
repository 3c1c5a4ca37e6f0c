/** Which skills send their inputs to a language model. */

/** The tag by which a listing declares it. */
export const modelSkillTag = 'language model'

/** True if the listing declares that a language model reads the inputs. */
export const isModelSkill = ({ tags }: { readonly tags: readonly string[] }): boolean => tags.includes(modelSkillTag)
