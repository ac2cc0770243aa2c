-- One row per configuration and milestone whose runs are shown to divide into two modes.
select
    splits.configuration,
    splits.item as milestone,
    splits.runs,
    splits.minority,
    splits.minority_mean,
    splits.majority_mean

from main.mode_split as splits

where
    splits.subject = 'milestone'
    and exists (
        select 1

        from main.noise_test as tests

        where
            tests.test = 'mode_split'
            and tests.scope in ('sample', 'item')
            and tests.is_noticed
            and tests.subject = splits.subject
            and tests.item = splits.item
            and (tests.configuration = splits.configuration or (tests.scope = 'item' and splits.p_value < 0.05))
    )
