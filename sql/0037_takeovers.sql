-- Which message of a person took a conversation over from the assistant: a resumed conversation forgets its pause, and takeovers are counted for good.
alter table messages add column took_over boolean not null default false;

-- Of what is there: the pauses that last, and those of the last 30 days, whose events are kept. A pause has the time of its message.
update messages m
   set took_over = true
  from (select c.tenant_id, c.id as conversation_id, c.doc::jsonb ->> 'ai_paused_at' as at
          from conversations c
         where c.ai_status = 'paused' and c.doc::jsonb ->> 'ai_paused_reason' = 'human_reply'
         union
        select e.tenant_id, e.data ->> 'conversation_id', e.data -> 'conversation' ->> 'ai_paused_at'
          from (select tenant_id, body::jsonb -> 'data' as data from events where type = 'ai.paused') e
         where e.data ->> 'reason' = 'human_reply') p
 where m.tenant_id = p.tenant_id and m.conversation_id = p.conversation_id and m.created_at = p.at::timestamptz(3)
   and position('"direction":"outbound"' in m.doc) > 0;
