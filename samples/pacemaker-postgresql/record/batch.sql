\set first random(1, 100000 * :scale - 999)
update pgbench_accounts set abalance = abalance + 1 where aid between :first and :first + 999;
