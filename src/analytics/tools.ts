// The figures of a period as agents read them: the verb of the dashboard.

import { shown } from '../ingress/mcp/shown.ts'
import { readTool } from '../ingress/mcp/tool.ts'
import { anyCase, strict } from '../schemas.ts'
import { figures } from './figures.ts'
import { Figures, PERIODS } from './schema.ts'

export const getAnalytics = readTool({
  name: 'get_analytics',
  title: 'Read the figures',
  description:
    'Reads the shop’s figures of today, the last 7 or the last 30 days of its own time zone, today included: orders by status, money received and given back, the average order, conversations, the best-selling products, and each day. Use it for how much or how many, rather than adding up lists; for the orders themselves use get_orders. Orders count on the day of their creation by their status now, money on the day it came or went back. Amounts are integers in minor units of currency; those in other currencies stand apart. It is exact at the moment of the answer.',
  input: strict({
    period: anyCase(PERIODS, { description: 'Which days: today, or the last 7 or 30 days with today as the last one. Example: "7d"' }),
  }),
  output: Figures,
  example: { period: '7d' },
  run: ({ caller, args, apart }) => apart(async sql => shown(await figures(sql, caller, args.period), true)),
})
