// What tasks/mail/send.ts calls.
import { provided } from '../queue/provided.ts'
import { type MailContext, send } from './mail.ts'

const context = provided<MailContext>('sending of mail')

export const provideMail = context.provide
export const sendMail = (tenant: string, id: string, signal?: AbortSignal): Promise<void> => send(context.get(), tenant, id, signal)
