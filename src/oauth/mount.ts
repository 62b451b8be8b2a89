// The authorization server's place in the app: a plugin with parsers and errors of its own, whose handlers are imported when they are first asked for.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gather } from '../ingress/gather.ts'
import { pathOf } from '../ingress/request.ts'
import { OAUTH_BODY_BYTES } from '../limits/oauth.ts'
import type { OAuthHttp } from './http.ts'

const METADATA = {
  '/.well-known/oauth-authorization-server': 'server',
  '/.well-known/oauth-protected-resource': 'resource',
  '/.well-known/oauth-protected-resource/api/mcp': 'resource',
} as const

const ENDPOINTS = { '/api/oauth/register': 'register', '/api/oauth/token': 'token', '/api/oauth/revoke': 'revoke' } as const

const READ = ['GET', 'HEAD']
const SENT = ['POST']

/** Registers the metadata of both kinds, and `/api/oauth/register`, `…/token` and `…/revoke`. */
export function mountOAuth(app: FastifyInstance, open: () => Promise<OAuthHttp>): void {
  let opened: Promise<OAuthHttp> | undefined
  const http = (): Promise<OAuthHttp> => {
    opened ??= open()
    return opened
  }
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request: FastifyRequest, body: FastifyRequest['raw']) => gather(body, OAUTH_BODY_BYTES))
    scope.setErrorHandler(async (error: Error, request, reply) => (await http()).fail(error, request, reply))
    for (const [url, kind] of Object.entries(METADATA)) {
      scope.get(url, async (request, reply) => (await http())[kind](request, reply))
      others(scope, url, READ)
    }
    for (const [url, kind] of Object.entries(ENDPOINTS)) {
      scope.post(url, { bodyLimit: OAUTH_BODY_BYTES }, async (request, reply) => (await http())[kind](request, reply))
      others(scope, url, SENT)
    }
  })
  // Clients look for metadata where there is none, and their pages must be able to read that there is none.
  const noMetadata = async (request: FastifyRequest, reply: FastifyReply) =>
    request.method === 'OPTIONS' || Object.hasOwn(METADATA, pathOf(request))
      ? (await http()).others(READ, request, reply)
      : (await http()).noMetadata(reply)
  const noEndpoint = async (request: FastifyRequest, reply: FastifyReply) =>
    Object.hasOwn(ENDPOINTS, pathOf(request)) ? (await http()).others(SENT, request, reply) : (await http()).noEndpoint(request, reply)
  nothingElse('/.well-known', noMetadata)
  nothingElse('/api/oauth', noEndpoint)
  app.wordings.set('/api/oauth', ({ detail }) => ({
    type: 'application/json',
    body: JSON.stringify({ error: 'invalid_request', error_description: detail }),
  }))

  /** Also answers methods that Fastify routes nowhere, such as PROPFIND. */
  function nothingElse(prefix: string, answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): void {
    app.register(async scope => void scope.setNotFoundHandler(answer), { prefix })
    app.unreadable.set(prefix, answer)
  }

  function others(scope: FastifyInstance, url: string, allowed: string[]): void {
    scope.route({
      method: scope.supportedMethods.filter(each => !allowed.includes(each)),
      url,
      exposeHeadRoute: false,
      // Before a body is read.
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => (await http()).others(allowed, request, reply),
      handler: () => undefined,
    })
  }
}
