-- The one row of what study.toml declares for the whole study.
select * from study.setting
