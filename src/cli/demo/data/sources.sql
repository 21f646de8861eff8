-- What the demo's sources hold when its tables are loaded for the first time. Every value follows
-- from row numbers: the same bytes on every machine.
create schema raw;

-- 120 days, three regions, 30 to 50 orders a day and region; about one in eleven is refunded.
create table raw.orders as
with numbered as (
  select d, r, n, (d * 7919 + r * 104729 + n * 15485863 + (n % 7) * (d + 3) * 611953) % 1000003 as h
  from range(120) as days(d), range(3) as regions(r), range(50) as orders(n)
  where n < 30 + (d * 7 + r * 13) % 21
), priced as (
  select d, r, n, h, cast(500 + (h * 37) % 20000 as decimal(12, 0)) * 0.01 as amount from numbered
)
select cast(row_number() over (order by d, r, n) as bigint) as order_id,
       timestamp '2025-10-13 00:00:00' + interval (d * 86400 + (h * 89) % 86400) second as ordered_at,
       case r when 0 then 'eu' when 1 then 'us' else 'apac' end as region,
       cast(1 + h % 8 as integer) as product_id,
       cast(amount as decimal(12, 2)) as amount,
       cast(case when h % 11 = 0 then amount else 0 end as decimal(12, 2)) as refund
from priced
order by order_id;

-- One order that nobody can place on a day.
insert into raw.orders values (900000, null, 'eu', 4, 49.90, 0.00);

-- Tickets of the support desk in Berlin; two of each day fall between 22:00 and 24:00 UTC.
create table raw.tickets as
select cast(row_number() over (order by d, n) as bigint) as ticket_id,
       timestamp '2025-11-01 00:00:00'
         + interval (d * 86400
                     + case n when 12 then 22 * 3600 + 1800 when 13 then 23 * 3600 + 600
                              else n * 6000 end
                     + (d * 7 + n * 11) % 1200) second as opened_at,
       case (d + n) % 3 when 0 then 'billing' when 1 then 'delivery' else 'returns' end as topic
from range(101) as days(d), range(14) as tickets(n)
order by ticket_id;

-- Eight products that sell for the same sum each day, in two sales of different size.
create table raw.sales as
select timestamp '2025-11-02 00:00:00'
         + interval (d * 86400 + (p * 5171 + half * 40000 + d * 61) % 86400) second as sold_at,
       ['notebook', 'backpack', 'umbrella', 'telescope', 'headphones', 'sunglasses', 'flashlight',
        'screwdriver'][p + 1] as product,
       cast(case half when 0 then 20 + p else 180 + d % 7 - p end as decimal(12, 2)) as amount
from range(100) as days(d), range(8) as products(p), range(2) as halves(half)
order by d, half, (p * 3 + d) % 8;

create table raw.items as
select cast(d * 20 + n + 1 as bigint) as item_id,
       timestamp '2025-11-02 00:00:00' + interval (d * 86400 + n * 4000 + (d * 13) % 4000) second as sold_at,
       cast(1 + (d + n) % 8 as integer) as product_id,
       cast(1 + (d * 3 + n * 5) % 4 as integer) as quantity
from range(100) as days(d), range(20) as items(n)
order by item_id;

-- Product 3 has a second price for one day, on top of the first.
create table raw.prices as
select cast(p as integer) as product_id,
       date '2025-01-01' as valid_from,
       date '2026-12-31' as valid_to,
       cast(10 + p * 3 as decimal(12, 2)) as price
from range(1, 9) as products(p)
order by product_id;
insert into raw.prices values (3, date '2026-01-05', date '2026-01-05', 15.00);

create table raw.payments as
select cast(row_number() over (order by d, a, n) as bigint) as payment_id,
       timestamp '2025-11-02 00:00:00' + interval (d * 86400 + a * 9000 + n * 30000) second as paid_at,
       ['acme', 'globex', 'initech'][a + 1] as account,
       cast((d * 31 + a * 17 + n * 7) % 200 - 80 as decimal(12, 2)) as amount
from range(100) as days(d), range(3) as accounts(a), range(2) as payments(n)
order by payment_id;

-- Balances were kept by another program until today.
create table balance_daily as
with moves as (
  select cast(paid_at as date) as balance_date, account, sum(amount) as moved
  from raw.payments
  group by 1, 2
)
select balance_date,
       account,
       moved,
       cast(sum(moved) over (partition by account order by balance_date) as decimal(18, 2)) as balance
from moves
order by balance_date, account;
