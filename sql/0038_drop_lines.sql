-- What enabling a webhook is to drop is told by when it became due, which is the database's time, and no longer by its event's id, which is made by a web
-- process: one whose clock was behind dropped what happened after it. Plans that are being carried out:
update webhook_endpoints
   set catching_up = catching_up || jsonb_build_object('drop_before', updated_at)
 where catching_up ->> 'drop_before' is not null;
