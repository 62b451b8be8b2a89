// Streams of bare Fastify: one for each who watches a workspace.
import type { FastifyInstance } from 'fastify'

/** Opens them at `/{tenant}/live`. @returns sends an event to all streams of a workspace @param data JSON */
export function streamsOf(app: FastifyInstance): (tenant: string, data: string) => void {
  const streams = new Map<string, Set<NodeJS.WritableStream>>()
  app.get<{ Params: { tenant: string } }>('/:tenant/live', ({ params: { tenant } }, reply) => {
    const { raw } = reply.hijack()
    raw.writeHead(200, { 'Content-Type': 'text/event-stream' })
    raw.write(': open\n\n')
    const all = streams.get(tenant) ?? new Set()
    streams.set(tenant, all.add(raw))
    raw.once('close', () => all.delete(raw))
  })
  return (tenant, data) => {
    const event = `event: message\ndata: ${data}\n\n`
    for (const stream of streams.get(tenant) ?? []) stream.write(event)
  }
}
