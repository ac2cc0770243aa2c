-- One row per calculation of hadrCalculator.pl and sync mode: flush sizes over the whole scan, for LOGBUFSZ and the socket buffers.
-- columns:
--   configuration: folder group
--   run_no: number of the calculation in its file
--   mode: sync mode
--   predicted_max_pages: largest flush size predicted: the least log buffer, pages
--   workload_max_pages: largest flush size that the workload could fill: the preferred one, pages
--   least_buffer_bytes: least log and socket buffer, bytes, at most 32 MB
--   preferred_buffer_bytes: preferred log and socket buffer, bytes, at most 32 MB
--   file_id: file
--   line_no: line
with

sizes as (

    select
        source_file.configuration,
        figure.run_no,
        figure.label as mode,
        max(figure.value) filter (where figure.name = 'predicted_max_pages')::bigint as predicted_max_pages,
        max(figure.value) filter (where figure.name = 'workload_max_pages')::bigint as workload_max_pages,
        figure.file_id,
        min(figure.line_no) as line_no

    from log.hadr_figure as figure

    inner join source_file
        on figure.file_id = source_file.file_id

    where source_file.format = 'hadr_calculator' and figure.name in ('predicted_max_pages', 'workload_max_pages')

    group by source_file.configuration, figure.file_id, figure.run_no, figure.label

)

select
    configuration,
    run_no,
    mode,
    predicted_max_pages,
    workload_max_pages,
    least(predicted_max_pages * 4096, 33554432) as least_buffer_bytes,
    least(workload_max_pages * 4096, 33554432) as preferred_buffer_bytes,
    file_id,
    line_no

from sizes

order by file_id, run_no, line_no
