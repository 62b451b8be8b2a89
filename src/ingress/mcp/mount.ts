// The agent server's place in the app: a plugin with parsers and errors of its own, whose handlers are imported when they are first asked for, so that
// a process without agents carries none of it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { JSON_BODY_BYTES } from '../../limits/bodies.ts'
import { gather } from '../gather.ts'
import type { AgentHttp } from './http.ts'
import { errorAnswer, PARSE_ERROR, REFUSED } from './messages.ts'

const PATH = '/api/mcp'

export function mountAgentServer(app: FastifyInstance, open: () => Promise<AgentHttp>): void {
  let opened: Promise<AgentHttp> | undefined
  const http = (): Promise<AgentHttp> => {
    opened ??= open()
    return opened
  }
  app.decorateRequest('agent', undefined)
  const mount = async (scope: FastifyInstance): Promise<void> => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request: FastifyRequest, body: FastifyRequest['raw']) => gather(body, JSON_BODY_BYTES))
    scope.setErrorHandler(async (error: Error, request, reply) => (await http()).fail(error, request, reply))
    scope.route({
      method: 'POST',
      url: '',
      bodyLimit: JSON_BODY_BYTES,
      onRequest: async (request, reply) => (await http()).receive(request, reply),
      handler: async (request, reply) => (await http()).serve(request, reply),
    })
    scope.route({
      method: 'OPTIONS',
      url: '',
      onRequest: async (request, reply) => (await http()).preflight(request, reply),
      handler: () => undefined,
    })
    const refuse = async (request: FastifyRequest, reply: FastifyReply) => (await http()).refuse(request, reply)
    // Before a body is read, whatever its type.
    const refused = { exposeHeadRoute: false, onRequest: refuse, handler: () => undefined }
    const methods = scope.supportedMethods
    scope.route({ ...refused, method: methods.filter(each => each !== 'POST' && each !== 'OPTIONS'), url: '' })
    scope.route({ ...refused, method: methods, url: '/*' })
    // Methods that Fastify routes nowhere, such as PROPFIND.
    scope.setNotFoundHandler(refuse)
  }
  app.register(mount, { prefix: PATH })
  app.unreadable.set(PATH, async (request, reply) => (await http()).refuse(request, reply))
  // Without what opens the server: what a port scan sends shall load nothing.
  app.wordings.set(PATH, ({ status, detail }) => ({
    type: 'application/json',
    body: errorAnswer(null, status === 400 ? PARSE_ERROR : REFUSED, detail),
  }))
}
