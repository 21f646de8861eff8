-- Items sold, with the price that was valid on the day. On 2026-01-05 one product had two prices.
select cast(i.sold_at as date) as sold_on,
       i.item_id,
       i.product_id,
       i.quantity,
       i.quantity * p.price as amount
from {{ source('raw.items') }} as i
join {{ source('raw.prices') }} as p
  on p.product_id = i.product_id
 and p.valid_from <= cast(i.sold_at as date)
 and p.valid_to >= cast(i.sold_at as date)
where {{ window('raw.items') }}
