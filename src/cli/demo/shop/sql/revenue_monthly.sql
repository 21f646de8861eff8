-- Revenue per month and region, from the days.
select cast(date_trunc('month', order_date) as date) as order_month,
       region,
       sum(order_count)   as order_count,
       sum(gross_revenue) as gross_revenue,
       sum(net_revenue)   as net_revenue
from {{ ref('revenue_daily') }}
where {{ window('revenue_daily') }}
group by 1, 2
