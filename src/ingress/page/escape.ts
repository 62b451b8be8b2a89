// Text in HTML that is put together by hand: pages themselves escape by themselves.

/** For text and for attributes in either kind of quotes. */
export const escapeHtml = (text: string): string =>
  // Most have nothing to escape, which is found out sooner.
  SPECIAL.test(text) ? text.replace(/[&<>"']/g, character => ENTITIES[character] as string) : text

const SPECIAL = /[&<>"']/

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
