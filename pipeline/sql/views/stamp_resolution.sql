-- One row per file with dated lines. How fine its stamps are, in seconds.
-- A stamp is cut, not rounded: the instant lies in [stamp, stamp + resolution).
-- materialised: reads every dated line once
-- columns:
--   file_id: file
--   resolution_s: 1 if every stamp is a whole second, 0.001 if a whole millisecond, else 0.000001
with

stamps as (

    select file_id, epoch_us("at") as at_us from log.vcs_event where "at" is not null
    union all
    select file_id, epoch_us("at") as at_us from log.syslog_event where "at" is not null
    union all
    select file_id, epoch_us("at") as at_us from log.db2diag_record where "at" is not null
    union all
    select file_id, epoch_us("at") as at_us from log.llt_event where "at" is not null
    union all
    select file_id, epoch_us("at") as at_us from log.gab_event where "at" is not null
    union all
    select file_id, epoch_us("at") as at_us from log.storage_event where "at" is not null

)

select
    file_id,
    case
        when bool_and(at_us % 1000000 = 0) then 1.0::double
        when bool_and(at_us % 1000 = 0) then 0.001::double
        else 0.000001::double
    end as resolution_s

from stamps

group by file_id

order by file_id
