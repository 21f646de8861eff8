-- Orders and revenue per day, region and product. Refunds are taken off since FIN-812: the rows
-- that are in the table were computed before.
--
-- Each order counts once, on the day it was placed (UTC).
select cast(ordered_at as date) as order_date,
       region,
       product_id,

       count(*)             as order_count,
       sum(amount)          as gross_revenue,
       sum(refund)          as refund,

       sum(amount - refund) as net_revenue,
       now()                as loaded_at
from {{ source('raw.orders') }}
where {{ window('raw.orders') }}
group by 1, 2, 3
