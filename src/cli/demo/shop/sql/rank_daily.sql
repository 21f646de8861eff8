-- Revenue per day and product, with the product's place among all. The places come from every order
-- there is, so each day depends on days that it does not name.
with places as (
  select product_id,
         rank() over (order by sum(amount) desc) as place
  from {{ source('raw.orders') }}
  group by product_id
)
select cast(o.ordered_at as date) as order_date,
       o.product_id,
       p.place,
       sum(o.amount) as gross_revenue
from {{ source('raw.orders') }} as o
join places as p on p.product_id = o.product_id
where {{ window('raw.orders') }}
group by 1, 2, 3
