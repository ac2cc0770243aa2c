import pytest

from parsers.db2.snapshot_element import identifier, is_counter, unit


@pytest.mark.parametrize(
    ("label", "element", "counts", "of"),
    [
        # labels: message templates of the client
        ("Commit statements attempted", "commit_sql_stmts", True, None),
        ("Rollback statements", "rollback_sql_stmts", True, None),
        ("Number partial page log IOs", "num_log_part_page_io", True, None),
        ("Log write time (sec.ns)", "log_write_time", True, "s"),
        ("Total buffer pool write time (milliseconds)", "pool_write_time", True, "ms"),
        ("LSN Gap cleaner triggers", "pool_lsn_gap_clns", True, None),
        ("Time waited for prefetch (ms)", "time_waited_for_prefetch", True, "ms"),
        ("Secondary logs allocated currently", "sec_logs_allocated", False, None),
        ("Total log space available (Bytes)", "total_log_space_available", False, "bytes"),
        ("Buffer pool ID currently in use", "buffer_pool_id_currently_in_use", False, None),
        ("Number of accessed tablespaces", "number_of_accessed_tablespaces", False, None),
        ("Tablespace Page size (bytes)", "tablespace_page_size", False, "bytes"),
        ("Database name", "database_name", False, None),
        # names of the monitor functions
        ("TOTAL_APP_COMMITS", "commit_sql_stmts", True, None),
        ("LOG_WRITES", "log_writes", True, None),
        ("POOL_DATA_L_READS", "pool_data_l_reads", True, None),
        ("APPLS_CUR_CONS", "appls_cur_cons", False, None),
    ],
)
def test_element_by_its_label(label: str, element: str, *, counts: bool, of: str | None) -> None:
    assert (identifier(label), is_counter(label), unit(label)) == (element, counts, of)
