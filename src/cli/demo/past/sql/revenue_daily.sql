-- Orders and revenue per day, region and product.
select cast(ordered_at as date) as order_date,
       region,
       product_id,
       count(*)    as order_count,
       sum(amount) as gross_revenue,
       sum(refund) as refund,
       sum(amount) as net_revenue,
       :as_of      as loaded_at
from {{ source('raw.orders') }}
where {{ window('raw.orders') }}
group by 1, 2, 3
