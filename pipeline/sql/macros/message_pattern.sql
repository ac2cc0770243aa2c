-- A message without what differs between two that say the same: instants, numbers and long ids become #.
create or replace macro message_pattern(words) as
    regexp_replace(
        regexp_replace(
            words,
            '\d{4}-\d\d-\d\d[ T-]\d\d[:.]\d\d[:.]\d\d\S*|\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{22,27}|\b0x[0-9a-fA-F]+\b|\b[0-9a-fA-F]{12,}\b',
            '#',
            'g'
        ),
        '(^|[\s=("''\[:,<>])[+-]?\d+(?:\.\d+)?(?:ms|us|s|KB|MB|kB|%)?\b',
        '\1#',
        'g'
    );
