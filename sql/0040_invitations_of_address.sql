-- Who was invited and belongs to no workspace is mailed on behalf of the one that invited them: their address is looked up in all of them.
create index invitations_address on invitations (address);
