-- What happened to the sources after the tables were loaded.
-- Two orders of 2026-01-10 arrived late.
insert into raw.orders values
  (900001, timestamp '2026-01-10 21:17:40', 'eu', 2, 35.50, 0.00),
  (900002, timestamp '2026-01-10 23:02:11', 'eu', 7, 120.00, 20.00);

-- Orders are kept for 100 days.
delete from raw.orders where ordered_at < timestamp '2025-11-02 00:00:00';
