-- Short names that hosts of several sites have, in small letters. An ingest puts those of its study here.
create or replace macro shared_hosts() as []::varchar[];
