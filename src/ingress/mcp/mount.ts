// The agent server's place in the app: a plugin with parsers and errors of its own, whose handlers are imported when they are first asked for, so that
// a process without agents carries none of it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { JSON_BODY_BYTES } from '../../limits/bodies.ts'
import { gather } from '../gather.ts'
import type { AgentHttp } from './http.ts'

const PATH = '/api/mcp'

export function mountAgentServer(app: FastifyInstance, open: () => Promise<AgentHttp>): void {
  let opened: Promise<AgentHttp> | undefined
  const http = (): Promise<AgentHttp> => {
    opened ??= open()
    return opened
  }
  app.decorateRequest('agent', undefined)
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request: FastifyRequest, body: FastifyRequest['raw']) => gather(body, JSON_BODY_BYTES))
    scope.setErrorHandler(async (error: Error, request, reply) => (await http()).fail(error, request, reply))
    scope.route({
      method: 'POST',
      url: PATH,
      bodyLimit: JSON_BODY_BYTES,
      onRequest: async (request, reply) => (await http()).receive(request, reply),
      handler: async (request, reply) => (await http()).serve(request, reply),
    })
    scope.route({
      method: 'OPTIONS',
      url: PATH,
      onRequest: async (request, reply) => (await http()).preflight(request, reply),
      handler: () => undefined,
    })
    const refuse = {
      exposeHeadRoute: false,
      // Before a body is read, whatever its type.
      onRequest: async (request: FastifyRequest, reply: Parameters<AgentHttp['refuse']>[1]) => (await http()).refuse(request, reply),
      handler: () => undefined,
    }
    const methods = scope.supportedMethods
    scope.route({ ...refuse, method: methods.filter(each => each !== 'POST' && each !== 'OPTIONS'), url: PATH })
    scope.route({ ...refuse, method: methods, url: `${PATH}/*` })
  })
}
