// How each client is connected, on a page.
import type { VNode } from 'preact'
import { isReachable, type KnownClient, knownClients, type Step } from '../ingress/mcp/known-clients.ts'
import { Copyable, Notice, Words } from '../ingress/page/parts.tsx'

/** Every client, closed until it is chosen. */
export const Connecting = ({ baseUrl }: { baseUrl: string }): VNode => (
  <div class="choose">
    {knownClients(`${baseUrl}/api/mcp`).map(client => (
      <details key={client.id} name="client">
        <summary>{client.name}</summary>
        {client.from === 'internet' && !isReachable(baseUrl) && <Unreachable baseUrl={baseUrl} />}
        <h3>By signing in</h3>
        <Install {...client} />
        <Steps about={`${client.name}, by signing in`}>{client.oauth}</Steps>
        <h3>With an agent key</h3>
        {client.key ? (
          <Steps about={`${client.name}, with a key`}>{client.key}</Steps>
        ) : (
          <p>It takes none: people connect it by signing in.</p>
        )}
      </details>
    ))}
  </div>
)

/** How a key that was just made is given to the clients that take one. */
export const ConnectingWith = ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): VNode => (
  <div class="choose">
    {knownClients(`${baseUrl}/api/mcp`, apiKey).map(
      ({ id, name, key }) =>
        key && (
          <details key={id} name="client">
            <summary>{name}</summary>
            <Steps about={name}>{key}</Steps>
          </details>
        ),
    )}
  </div>
)

const Steps = ({ about, children }: { about: string; children: Step[] }): VNode => (
  <>
    {children.map(step =>
      typeof step === 'string' ? (
        <p key={step}>
          <Words>{step}</Words>
        </p>
      ) : (
        <Copyable key={step.copy} label={`${about}: ${step.label}`}>
          {step.copy}
        </Copyable>
      ),
    )}
  </>
)

const Install = ({ name, install }: KnownClient): VNode | null =>
  install === undefined ? null : (
    <p>
      <a class="button" href={install}>
        Add to {name}
      </a>{' '}
      <span class="hint">where it is installed; or by hand:</span>
    </p>
  )

const Unreachable = ({ baseUrl }: { baseUrl: string }): VNode => (
  <Notice kind="warning">
    It connects from the internet, and needs an https address that is reachable from there. This service is at <code>{baseUrl}</code>, which
    is not: its operator sets <code>BASE_URL</code>.
  </Notice>
)
