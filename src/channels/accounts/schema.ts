// A channel as its owner makes, changes and sees it.
import { type Static, Type } from 'typebox'
import { idPattern } from '../../ids.ts'
import { type Listing, listQuery } from '../../ingress/list.ts'
import { choice, nullable, strict, Time } from '../../schemas.ts'
import { FILE_KINDS } from '../platforms/limits.ts'
import { PLATFORM_NAMES } from '../platforms/names.ts'
import { REOPEN_HOURS, REOPEN_HOURS_MAX } from './settings.ts'

const ChannelId = Type.String({ pattern: idPattern('chn') })

/** Old conversations run over channels of platforms that come through `api` today. */
const ALL_PLATFORMS = [...PLATFORM_NAMES, 'viber', 'email'] as const

// A bot's token is a part of a path, the others of a header.
const Token = Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[A-Za-z0-9:._|-]+$', description: 'letters, digits and : . _ | -.' })
const Secret = Type.String({ minLength: 1, maxLength: 200, pattern: '^[!-~]+$', description: 'visible ASCII without spaces.' })
const Account = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_]+$', description: 'the id, of letters and digits.' })
const Address = Type.String({ minLength: 1, maxLength: 2_048 })

const settings = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  reopen_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: REOPEN_HOURS_MAX })),
  max_per_second: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 1_000 }))),
  token: Type.Optional(Token),
  app_secret: Type.Optional(Secret),
  verify_token: Type.Optional(Secret),
  account: Type.Optional(Account),
  waba: Type.Optional(Account),
  api_url: Type.Optional(Address),
  send_url: Type.Optional(Address),
  read_receipts: Type.Optional(Type.Boolean()),
  human_agent: Type.Optional(Type.Boolean()),
  origins: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: 20, uniqueItems: true })),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  greeting: Type.Optional(Type.String({ maxLength: 500 })),
  color: Type.Optional(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'a colour such as #0a7cff.' })),
  away_text: Type.Optional(Type.String({ maxLength: 500 })),
  hours: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern:
        '^((Mon|Tue|Wed|Thu|Fri|Sat|Sun)(-(Mon|Tue|Wed|Thu|Fri|Sat|Sun))? ([01]\\d|2[0-3]):[0-5]\\d-(([01]\\d|2[0-3]):[0-5]\\d|24:00)(, ?|$))+$',
      description: 'days and times such as Mon-Fri 09:00-18:00, Sat 10:00-14:00.',
    }),
  ),
  time_zone: Type.Optional(Type.String({ maxLength: 60 })),
}

export const NewChannel = strict({ platform: choice(PLATFORM_NAMES), ...settings }, { title: 'NewChannel' })
export type NewChannel = Static<typeof NewChannel>

export const ChannelChange = strict(settings, { minProperties: 1, title: 'ChannelChange' })
export type ChannelChange = Static<typeof ChannelChange>

export const Channel = Type.Object(
  {
    object: Type.Literal('channel'),
    id: ChannelId,
    platform: choice(ALL_PLATFORMS),
    name: Type.String(),
    status: choice(['enabled', 'disabled', 'failing'], {
      description:
        'disabled: what comes is kept and applied later, and nothing is sent. failing: its credentials are refused or its platform is away; messages wait.',
    }),
    account: Type.Object(
      { id: nullable(Type.String()), name: nullable(Type.String()) },
      { description: 'Who it is on the platform; null where the platform has no accounts.' },
    ),
    callback_url: nullable(Type.String(), { description: 'Where the platform sends what happens; null for web chat.' }),
    settings: Type.Object(
      {
        reopen_hours: Type.Integer({
          description: `A message so many hours after closing reopens the conversation. ${REOPEN_HOURS} unless set.`,
        }),
      },
      { additionalProperties: true, description: 'What was set, and the defaults of its platform.' },
    ),
    limits: Type.Object({
      text_max: Type.Integer(),
      text_unit: choice(['characters', 'bytes']),
      attachment_types: Type.Array(choice(FILE_KINDS)),
      attachment_bytes: Type.Integer({ description: 'Of the largest file that it carries; pictures may have to be smaller.' }),
    }),
    queued_count: Type.Integer({ minimum: 0, description: 'Messages that wait to be sent.' }),
    unknown_count: Type.Integer({ minimum: 0, description: 'Messages of which it is not known whether they arrived.' }),
    last_inbound_at: nullable(Time),
    last_sent_at: nullable(Time),
    last_error: nullable(Type.String()),
    version: Type.Integer(),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Channel' },
)

export const channelListing: Listing = {
  path: '/api/v1/channels',
  idPrefix: 'chn',
  sorts: { created_at: 'time' },
  offers: { offset: false },
}
export const channelQuery = listQuery(channelListing, {})
