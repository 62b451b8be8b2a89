// Whether a person would see anything of a text. White space is not all that is invisible: U+200B is no white space, and a message of it is an empty bubble.

/**
 * White space, controls, characters that fonts draw nothing for (zero-width ones, soft hyphens, fillers, selectors, tags), annotation marks, and the
 * Braille pattern without dots.
 */
const UNSEEN = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]*$/u

export const isBlank = (text: string): boolean => UNSEEN.test(text)
