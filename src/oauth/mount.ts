// The authorization server's place in the app: a plugin with parsers and errors of its own, whose handlers are imported when they are first asked for.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gather } from '../ingress/gather.ts'
import { OAUTH_BODY_BYTES } from '../limits/oauth.ts'
import type { OAuthHttp } from './http.ts'

const METADATA = {
  '/.well-known/oauth-authorization-server': 'server',
  '/.well-known/oauth-protected-resource': 'resource',
  '/.well-known/oauth-protected-resource/api/mcp': 'resource',
} as const

const ENDPOINTS = ['register', 'token', 'revoke'] as const

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
      others(scope, url, ['GET', 'HEAD'])
    }
    for (const kind of ENDPOINTS) {
      const url = `/api/oauth/${kind}`
      scope.post(url, { bodyLimit: OAUTH_BODY_BYTES }, async (request, reply) => (await http())[kind](request, reply))
      others(scope, url, ['POST'])
    }
  })

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
