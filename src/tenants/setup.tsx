// What is still to be set up in a workspace: for its admins each with the way to do it. What is done is not shown.
import type { VNode } from 'preact'
import type { Setup } from './setup-store.ts'

const STEPS: { of: keyof Setup; title: string; href: string; why: string }[] = [
  { of: 'products', title: 'Bring your products in', href: '/docs/api/imports', why: 'from a file or by the API; orders need them.' },
  {
    of: 'channels',
    title: 'Connect a channel',
    href: '/docs/channels',
    why: 'so that customers can write to you: Telegram, WhatsApp, your own pages.',
  },
  { of: 'providers', title: 'Connect a payment provider', href: '/docs/payments', why: 'so that orders are paid by themselves.' },
  { of: 'keys', title: 'Make a REST key', href: '/dashboard/settings/developer', why: 'for programs of yours, such as the shop window.' },
  { of: 'webhooks', title: 'Have events sent', href: '/docs/webhooks', why: 'to programs that are to know of orders at once.' },
  {
    of: 'clients',
    title: 'Connect an AI client',
    href: '/dashboard/settings/integrations',
    why: 'such as Claude or ChatGPT, which then works in this shop.',
  },
  { of: 'team', title: 'Invite your team', href: '/dashboard/settings/team', why: 'each person with an account and a role of their own.' },
]

export function StillToDo({ setup, isAdmin }: { setup: Setup; isAdmin: boolean }): VNode | null {
  const open = STEPS.filter(step => !setup[step.of])
  if (open.length === 0) return null
  return (
    <>
      <h2>Still to be set up</h2>
      {!isAdmin && <p>An admin of this workspace can do it.</p>}
      <ul class="steps">
        {open.map(({ title, href, why }) => (
          <li key={href}>
            {isAdmin ? <a href={href}>{title}</a> : title}
            <small class="hint">{why}</small>
          </li>
        ))}
      </ul>
    </>
  )
}
