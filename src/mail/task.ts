// What tasks/mail/send.ts calls. Task files are loaded as they are, so the process hands over what sending needs here.
import { type Post, send } from './mail.ts'

let current: Post | undefined

export function setPost(post: Post): void {
  current = post
}

export function sendMail(tenantId: string, mailId: string, signal?: AbortSignal): Promise<void> {
  if (!current) throw new Error('this process sends no mail: it is told how by startWorker')
  return send(current, tenantId, mailId, signal)
}
