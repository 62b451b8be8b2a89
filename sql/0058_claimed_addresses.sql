-- An e-mail address that a visitor typed into web chat, and that nothing has proven: it is shown, and identifies nobody. The unique index holds claims too, so
-- that no two contacts show one address; whatever proves an address takes it off the contact that claims it (src/contacts/identity.ts).
alter table contacts add column email_claimed boolean not null default false;

-- What visitors typed before was kept without a mark. An address that a person on web chat typed, and that is their contact's, is taken for a claim, unless
-- staff or a program of the shop wrote the contact's address: a claim too many is confirmed by the next proof, one too few shows a talk to a stranger.
update contacts c
   set email_claimed = true
 where c.email is not null
   and exists (
     select from contact_channels i
      where i.tenant_id = c.tenant_id and i.contact_id = c.id and i.platform = 'web' and lower(i.handle) = lower(c.email))
   and not exists (
     select from audit_log a
      where a.tenant_id = c.tenant_id and a.subject_id = c.id and a.action = 'contact.update' and a.actor_type <> 'system'
        and a.details -> 'fields' ? 'email');
