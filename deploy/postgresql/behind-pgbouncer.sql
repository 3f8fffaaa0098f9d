alter role verification set statement_timeout = '30s';
alter role verification set lock_timeout = '3s';
alter role verification set idle_in_transaction_session_timeout = '60s';
alter role verification set plan_cache_mode = 'force_generic_plan';
alter role verification set enable_seqscan = off;
alter role verification set jit = off;
