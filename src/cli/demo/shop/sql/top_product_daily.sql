-- The product that sold most on each day. Several sell the same, and then the first one that comes
-- along wins.
select cast(sold_at as date) as sold_on,
       product,
       sum(amount) as revenue
from {{ source('raw.sales') }}
where {{ window('raw.sales') }}
group by 1, 2
order by revenue desc
limit 1
