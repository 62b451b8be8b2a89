-- A payment may be disputed several times. With the latest telling alone, two that were told of by turns each looked new every time.
alter table payments
  -- JSON, each by the provider's id, with when it was told, by the provider's clock; `doc` shows the one that matters most
  add column disputes text not null default '[]';

update payments
   set disputes = json_build_array(
         (doc::jsonb -> 'dispute')
         || jsonb_build_object(
              'currency', doc::jsonb -> 'currency',
              'at', to_char(coalesce(dispute_at, updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'event_id', ''))::text
 where jsonb_typeof(doc::jsonb -> 'dispute') = 'object';

alter table payments drop column dispute_at;
