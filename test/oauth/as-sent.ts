// What the clients that people connect say of themselves: as they register, and in the documents whose address is their id. Verbatim, each with where
// it was seen; who writes a client may change it, so what is here is what has to go on working.

export interface AsSent {
  name: string
  /** Where it was read or measured. */
  seen: string
  body: { redirect_uris: string[]; [member: string]: unknown }
}

const BOTH = ['authorization_code', 'refresh_token']

export const REGISTRATIONS: AsSent[] = [
  {
    name: 'Claude, on the web',
    // It takes the scope from the server's metadata.
    seen: 'a server that logs what it gets, August 2026: "CIMD Probe, measurement protocol", per-client record 3',
    body: {
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'none',
      grant_types: BOTH,
      response_types: ['code'],
      scope: 'read write',
      client_name: 'Claude',
      application_type: 'web',
    },
  },
  {
    name: 'Claude, with a secret',
    seen: 'https://github.com/PostHog/posthog/pull/48397, February 2026; again in https://github.com/anthropics/claude-ai-mcp/issues/1043, September 2026',
    body: {
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: BOTH,
      response_types: ['code'],
      client_name: 'Claude',
    },
  },
  {
    name: 'Claude Code',
    seen: 'the same server that logs, August 2026, version 2.1.226, record 1; the port is another one each time',
    body: {
      client_name: 'Claude Code (shopdesk)',
      redirect_uris: ['http://localhost:3118/callback'],
      grant_types: BOTH,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
  {
    name: 'ChatGPT',
    // The body itself was found nowhere: its members are those of its document, its redirect URI is that of its logged requests.
    seen: 'https://community.openai.com/t/oauth-missing-scopes-after-reconnect/1366784 for the redirect URI',
    body: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      grant_types: BOTH,
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  },
  {
    name: 'ChatGPT, with an address for each connector',
    seen: 'https://github.com/BasedHardware/omi/issues/8824 for the redirect URI; https://github.com/garrytan/gbrain/pull/894 for the method',
    body: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/OUbdUMlL15Ct'],
      grant_types: BOTH,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
  {
    name: 'Cursor',
    seen: 'a server that writes every body it gets, August 2026, version 3.2.16; the same three in https://github.com/erp-mafia/accounted/pull/2225',
    body: {
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      token_endpoint_auth_method: 'none',
      grant_types: BOTH,
      response_types: ['code'],
      client_name: 'Cursor',
    },
  },
  {
    name: 'VS Code',
    // Only those grant types that the metadata names.
    seen: 'microsoft/vscode src/vs/base/common/oauth.ts, fetchDynamicRegistration',
    body: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: BOTH,
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      scope: 'read write',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  },
  {
    name: 'mcp-remote',
    seen: 'mcp-remote 0.15.1, dist/: clientMetadata, and what its SDK adds',
    body: {
      redirect_uris: ['http://localhost:3334/oauth/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: BOTH,
      response_types: ['code'],
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.15.1',
      scope: 'read write',
      application_type: 'native',
    },
  },
  {
    name: 'the Inspector',
    seen: 'the same server that logs, August 2026, version 2.1.0, record 2',
    body: {
      redirect_uris: ['http://localhost:6274/oauth/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: BOTH,
      response_types: ['code'],
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      scope: '',
      application_type: 'native',
    },
  },
  {
    name: 'Gemini CLI',
    seen: 'google-gemini/gemini-cli packages/core/src/mcp/oauth-provider.ts, registerClient',
    body: {
      client_name: 'Gemini CLI MCP Client',
      redirect_uris: ['http://localhost:7777/oauth/callback'],
      grant_types: BOTH,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: '',
    },
  },
  {
    name: 'Codex and Goose',
    seen: 'modelcontextprotocol/rust-sdk crates/rmcp/src/transport/auth.rs, register_client, with the address of openai/codex perform_oauth_login.rs',
    body: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:51007/callback'],
      grant_types: BOTH,
      token_endpoint_auth_method: 'none',
      response_types: ['code'],
    },
  },
  {
    name: 'Cline',
    seen: 'cline/cline src/services/mcp/McpOAuthManager.ts, clientMetadata; the address is that of its extension in VS Code',
    body: {
      redirect_uris: ['vscode://saoudrizwan.claude-dev/mcp-auth/callback/3f6c1b2a'],
      token_endpoint_auth_method: 'none',
      grant_types: BOTH,
      response_types: ['code'],
      client_name: 'Cline',
      client_uri: 'https://cline.bot',
      software_id: 'cline',
    },
  },
  {
    name: 'LibreChat',
    // It takes the scope from the resource's metadata, and of the ways to authenticate the first that it likes.
    seen: 'danny-avila/LibreChat packages/api/src/mcp/oauth/handler.ts, registerOAuthClient',
    body: {
      client_name: 'LibreChat MCP Client',
      redirect_uris: ['https://chat.example/api/mcp/shopdesk/oauth/callback'],
      grant_types: BOTH,
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'read write',
    },
  },
  {
    name: 'n8n',
    seen: 'n8n-io/n8n packages/cli/src/oauth/oauth.service.ts, registerPayload',
    body: {
      redirect_uris: ['http://localhost:5678/rest/oauth2-credential/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: BOTH,
      response_types: ['code'],
      client_name: 'n8n',
      client_uri: 'https://n8n.io/',
      scope: 'read write',
    },
  },
  {
    name: 'a client that leaves nothing out',
    seen: 'made up of what came from several: an empty address, a grant type that is not here, the scope of https://github.com/anthropics/claude-ai-mcp/issues/124',
    body: {
      redirect_uris: ['windsurf://oauth/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: [...BOTH, 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      client_name: 'Editor',
      client_uri: '',
      scope: 'read write claudeai',
    },
  },
]

/** Fetched in August and September 2026 from the address that each names; here without `client_id`, which a test serves from an address of its own. */
export const DOCUMENTS: AsSent[] = [
  {
    name: 'Claude',
    seen: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    body: {
      client_name: 'Claude',
      client_uri: 'https://claude.ai',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: [...BOTH, 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
  {
    name: 'Claude Code',
    seen: 'https://claude.ai/oauth/claude-code-client-metadata',
    body: {
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: BOTH,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
  {
    name: 'ChatGPT',
    seen: 'https://chatgpt.com/oauth/client.json',
    body: {
      client_uri: 'https://chatgpt.com/',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      grant_types: BOTH,
      response_types: ['code'],
      client_name: 'ChatGPT',
      logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
  },
  {
    name: 'ChatGPT, as it was in August',
    seen: 'https://chatgpt.com/oauth/mcp/client.json',
    body: {
      client_uri: 'https://chatgpt.com/',
      redirect_uris: ['https://chatgpt.com/connector/oauth/mcp'],
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      grant_types: BOTH,
      response_types: ['code'],
      client_name: 'ChatGPT',
      logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
  },
  {
    name: 'VS Code',
    seen: 'https://vscode.dev/oauth/client-metadata.json',
    body: {
      client_name: 'Visual Studio Code',
      logo_uri: 'https://code.visualstudio.com/assets/branding/code-stable.png',
      grant_types: [...BOTH, 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      client_uri: 'https://vscode.dev/product',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
    },
  },
]
