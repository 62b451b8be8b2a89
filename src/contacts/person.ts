// A person on a channel, as the channel names them.

export interface Person {
  /** Their ids on the channel, of which each names the same person: one, or on WhatsApp also a number beside a business-scoped user id. */
  ids: string[]
  /** What the platform calls them, each only where it says so. */
  name?: string
  handle?: string
  language?: string
  /** The page of the shop's site that they are on: it becomes the contact's attribute `last_page`. */
  page?: string
  /** Proof of who they are: what the platform vouches for, or what the shop has signed. A contact is found by it. */
  proven?: { phone?: string; email?: string; external_id?: string }
  /** What they typed themselves. It fills fields that are empty, with what no other contact has; no contact is found by it, and a proof takes its place. */
  claimed?: { name?: string; email?: string }
}
