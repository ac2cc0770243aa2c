-- One row per block of socket properties of a run: upon creation, after resizing, upon connection.
-- columns:
--   blocking: calls wait until all is sent
--   nagle: small sends are combined
--   sndbuf: SO_SNDBUF, bytes
--   rcvbuf: SO_RCVBUF, bytes
select
    simhadr_record.run_id,
    socket.stage,
    socket.is_blocking as blocking,
    socket.has_nagle as nagle,
    socket.sndbuf_bytes as sndbuf,
    socket.rcvbuf_bytes as rcvbuf,
    socket.lingers,
    socket.linger_s,
    socket.file_id,
    socket.line_no

from log.simhadr_socket as socket

inner join simhadr_record using (file_id, run_no)

order by simhadr_record.run_id, socket.line_no
