// Which mailbox an address leads to, as far as that can be told from its letters. For counting alone: mails go to the address as it was typed.

/** Whose owners get what is sent to their name with dots anywhere in it. */
const GMAIL = ['gmail.com', 'googlemail.com']

/** The same text for `Eve+shop@example.com` and `eve@example.com`: what stands behind a plus is a word of the owner's own, and Gmail skips dots. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const [name, domain] = [address.slice(0, at), address.slice(at + 1)].map(part => part.toLowerCase()) as [string, string]
  const owner = name.replace(/(?<=.)\+.*/, '')
  return GMAIL.includes(domain) ? `${owner.replaceAll('.', '')}@${GMAIL[0]}` : `${owner}@${domain}`
}
