// The page of the tools, made of the tools themselves: docs/agent/tools.md.
import type { TSchema } from 'typebox'
import type { Tool } from '../../src/ingress/mcp/tool.ts'

interface Shape {
  type?: string | string[]
  enum?: unknown[]
  description?: string
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  minimum?: number
  maximum?: number
  maxLength?: number
}

export const toolsPage = (tools: Tool[]): string => `# Tools of the agent server

What an assistant that is [connected](connecting.md) can do. The [agent server](../agent.md) says what is common to all tools: pages, sizes, refusals and limits. A tool whose scope the key lacks is not listed.

| Tool | Scope | |
|---|---|---|
${tools.map(({ name, title, scope, role }) => `| [\`${name}\`](#${name}) | ${scope}${role === 'admin' ? ', admins alone' : ''} | ${title} |`).join('\n')}

Arguments take the spelling of their choices in any case. An argument that a tool does not know is refused.

${tools.map(section).join('\n')}`

const section = (tool: Tool): string => `## ${tool.name}

${tool.description}

${argumentsOf(tool)}

${resultOf(tool)}

\`\`\`json
${JSON.stringify({ name: tool.name, arguments: tool.example }, null, 2)}
\`\`\`
`

function argumentsOf({ input }: Tool): string {
  const { properties = {}, required = [] } = input as Shape
  const rows = Object.entries(properties).map(
    ([name, schema]) =>
      `| \`${name}\`${required.includes(name) ? ', required' : ''} | ${typeOf(schema)} | ${escaped(schema.description ?? '')} |`,
  )
  return rows.length === 0 ? 'It takes no arguments.' : `| Argument | Type | |\n|---|---|---|\n${rows.join('\n')}`
}

function resultOf({ output }: Tool): string {
  const rows = membersOf(output, '').map(([name, schema]) => `| \`${name}\` | ${typeOf(schema)} | ${escaped(schema.description ?? '')} |`)
  return `| Result | Type | |\n|---|---|---|\n${rows.join('\n')}`
}

function membersOf(schema: TSchema | Shape, at: string): [string, Shape][] {
  const { properties = {}, items } = schema as Shape
  if (items) return membersOf(items, `${at.slice(0, -1)}[].`)
  return Object.entries(properties).flatMap(([name, inner]) => {
    const path = `${at}${name}`
    const members = membersOf(inner, `${path}.`)
    return [[inner.items ? `${path}[]` : path, inner] as [string, Shape], ...members]
  })
}

function typeOf({ type, enum: values, minimum, maximum, maxLength }: Shape): string {
  if (values)
    return (
      values
        .filter(value => value !== null)
        .map(value => `\`${value}\``)
        .join(', ') + (values.includes(null) ? ', or null' : '')
    )
  const name = [type].flat().join(' or ')
  if (minimum !== undefined && maximum !== undefined) return `${name}, ${minimum} to ${maximum}`
  return maxLength === undefined ? name : `${name}, at most ${maxLength} characters`
}

const escaped = (text: string): string => text.replaceAll('|', '\\|')
