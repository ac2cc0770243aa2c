-- A clock was set during a failover. A correction that is proved is a note where it is by more than half a second.
-- severity: warning or note
with

open_lines as (  -- that either clock may have stamped

    select
        candidate.configuration,
        candidate.run,
        correction.error_s,
        correction.file_id,
        min(candidate.line_no) as line_no,
        count(distinct candidate.line_no) as line_count

    from milestone_candidate as candidate

    inner join log.clock_correction as correction
        on
            candidate.file_id = correction.file_id
            and candidate.line_no between correction.from_line and correction.to_line
            and correction.error_s > 1

    group by candidate.configuration, candidate.run, correction.error_s, correction.file_id

)

select
    case when is_corrected and error_s <= 0.5 then 'note' else 'warning' end as severity,
    configuration,
    run,
    case
        when is_corrected
            then format(
                'The clock of {} was set {} by {:.1f} s during {} of `{}` ({}); times before it are moved onto the new clock{}.',
                coalesce(node, 'a node'),
                case when step_s < 0 then 'back' else 'forward' end,
                abs(step_s),
                run_text(run),
                configuration,
                source,
                case when error_s > 0 then format(', to within {:.2g} s', error_s) else '' end
            )
        when source = 'stamps go back'
            then format(
                'The clock of {} was set back by {:.1f} s or more during {} of `{}`: stamps go back, and nothing shows by how much it was.',
                coalesce(node, 'a node'),
                -step_s,
                run_text(run),
                configuration
            )
        else format(
            'The clock of {} was set during {} of `{}` ({}), and nothing shows by how much.',
            coalesce(node, 'a node'),
            run_text(run),
            configuration,
            source
        )
    end as text,
    file_id,
    line_no

from clock_step

where run is not null and (not is_corrected or abs(step_s) > 0.5)

union all by name

select
    'warning' as severity,
    open_lines.configuration,
    open_lines.run,
    format(
        '{} {} of {} {} from when the clock was set during {} of `{}`: nothing shows which of the two clocks stamped {}, {:.1f} s apart.',
        open_lines.line_count,
        case when open_lines.line_count = 1 then 'line' else 'lines' end,
        source_file.path,
        case when open_lines.line_count = 1 then 'is' else 'are' end,
        run_text(open_lines.run),
        open_lines.configuration,
        case when open_lines.line_count = 1 then 'it' else 'them' end,
        open_lines.error_s
    ) as text,
    open_lines.file_id,
    open_lines.line_no

from open_lines

inner join source_file using (file_id)
