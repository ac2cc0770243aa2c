-- The one row of what study.toml states for the whole study.
select * from study.setting
