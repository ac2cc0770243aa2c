-- One row per configuration and step that its runs must show to have recovered.
select configuration, milestone, position, is_headline, is_shown

from main.recovery_step

order by configuration, position
