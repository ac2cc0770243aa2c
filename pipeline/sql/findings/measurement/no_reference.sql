-- Several configurations, and nobody named the reference: one is proposed.
-- severity: note
select
    format(
        'Nobody named the reference, so the report compares with `{}`, {}. Name another one by `reference` under [study] in study.toml, or by --reference.',
        reference,
        reason
    ) as text

from comparison_pair

where is_proposed and configuration = reference
