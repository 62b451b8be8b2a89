-- A conversation belongs to a channel: to a thread of it, which is a chat, a number or an id of a person. A contact may have two accounts on one channel,
-- and a workspace two channels of one platform, so neither the contact nor the platform says where an answer goes.

alter table conversations
  add column thread text,
  -- what people did about the assistant, counted: it speaks only in the epoch in which its turn began
  add column ai_epoch integer not null default 0,
  -- outbound messages that failed, or of which it is not known whether they arrived, as long as they have to be looked at
  add column failed_count integer not null default 0,
  -- when the customer last wrote, by the platform's clock, and until when the platform takes a reply by people
  add column customer_at timestamptz(3),
  add column reply_until timestamptz(3),
  add column closed_at timestamptz(3);

alter table messages
  add column channel_id text,
  add column status text,
  -- it counts in the conversation's failed_count
  add column counts_as_failed boolean not null default false;

-- Channels were free texts. Each becomes the tombstone of a channel: what was said stays readable, and nothing can be sent over it.
create temporary table former_channels on commit drop as
select f.tenant_id, f.platform, f.channel_id as former, f.created_at,
       -- a TypeID: the 128 bits of the UUID behind two zeros, by five, in base32
       (select 'chn_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', substring(f.bits from 5 * i + 1 for 5)::bit(5)::integer + 1, 1), '' order by i)
          from generate_series(0, 25) i) as id
  from (select c.tenant_id, c.platform, c.channel_id, min(c.created_at) as created_at,
               b'00' || ('x' || replace(uuidv7()::text, '-', ''))::bit(128) as bits
          from conversations c
         group by c.tenant_id, c.platform, c.channel_id) f;

insert into channels (tenant_id, id, platform, name, status, created_at, updated_at)
select tenant_id, id, platform, left('Former ' || former, 100), 'deleted', created_at, now()
  from former_channels;

update conversations c
   set channel_id = f.id,
       thread = c.contact_id,
       closed_at = case when c.status = 'closed' then c.updated_at end,
       doc = (c.doc::jsonb || jsonb_build_object(
         'channel_id', f.id,
         'closed_at', case when c.status = 'closed' then to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end))::text
  from former_channels f
 where f.tenant_id = c.tenant_id and f.platform = c.platform and f.former = c.channel_id;

-- What a message has learnt since is null or empty in the old ones. Their files were addresses elsewhere, which are there or not.
update messages m
   set channel_id = c.channel_id,
       status = m.doc::jsonb ->> 'status',
       doc = (m.doc::jsonb
         || '{"location":null,"choices":null,"choice_id":null,"template":null,"unsupported":null,"reactions":[],"attempts":0,"next_attempt_at":null}'
         || '{"sent_at":null,"edited_at":null,"deleted_at":null}'
         || jsonb_build_object(
              'error', case
                when m.doc::jsonb ->> 'error' is not null then jsonb_build_object('code', 'failed', 'message', m.doc::jsonb ->> 'error')
                else 'null' end,
              'attachments', coalesce(
                (select jsonb_agg(a || '{"status":"stored","error":null}' order by n)
                   from jsonb_array_elements(m.doc::jsonb -> 'attachments') with ordinality as file (a, n)),
                '[]')))::text
  from conversations c
 where c.tenant_id = m.tenant_id and c.id = m.conversation_id;

alter table conversations
  alter column thread set not null,
  add foreign key (tenant_id, channel_id) references channels;

drop index messages_external;
alter table messages
  alter column channel_id set not null,
  alter column status set not null,
  drop column platform;

-- A thread has one open conversation, which the customer's next message continues, and a last one, which it may reopen.
drop index conversations_open;
create unique index conversations_open on conversations (tenant_id, channel_id, thread) where status = 'open';
create index conversations_thread on conversations (tenant_id, channel_id, thread, created_at desc);
create index conversations_channel on conversations (tenant_id, channel_id, updated_at desc, id desc);
create index conversations_failed on conversations (tenant_id, updated_at desc, id desc) where failed_count > 0;

-- Platforms deliver at least once: a message is stored once. Their ids are unique by account: Telegram, for one, counts the messages of each chat.
create unique index messages_external on messages (tenant_id, channel_id, external_id) where external_id is not null;
create index messages_unsettled on messages (tenant_id, channel_id, conversation_id) where status in ('queued', 'unknown');
create index messages_failed on messages (tenant_id, conversation_id) where counts_as_failed;
