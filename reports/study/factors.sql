-- One row per configuration and factor.
select
    factors.configuration,
    factors.factor,
    factors.value,
    factors.number

from main.configuration_factor as factors

order by factors.configuration, factors.factor
