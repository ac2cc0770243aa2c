-- One row per calculation of hadrCalculator.pl: the network and the disk it was given. Its MB are 2^20 bytes, unlike
-- those of the simulator.
-- columns:
--   run_no: number of the calculation in its file
--   network_mb_s: send rate, MB/s of 2^20 bytes
--   disk_mb_s: transfer rate of the disk, MB/s of 2^20 bytes
--   average_mb_s: average rate of the workload, MB/s
--   line_no: first of its lines
select
    source_file.configuration,
    figure.run_no,
    max(figure.value) filter (where figure.name = 'network_mb_s') as network_mb_s,
    max(figure.value) filter (where figure.name = 'round_trip_s') as round_trip_s,
    max(figure.value) filter (where figure.name = 'disk_mb_s') as disk_mb_s,
    max(figure.value) filter (where figure.name = 'disk_overhead_s') as disk_overhead_s,
    max(figure.value) filter (where figure.name = 'average_mb_s') as average_mb_s,
    figure.file_id,
    min(figure.line_no) as line_no

from log.hadr_figure as figure

inner join source_file using (file_id)

where source_file.format = 'hadr_calculator'

group by source_file.configuration, figure.file_id, figure.run_no

order by figure.file_id, figure.run_no
