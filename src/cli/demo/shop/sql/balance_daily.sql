-- The balance of each account at the end of the day: the balance of the day before and what moved.
with moves as (
  select cast(paid_at as date) as balance_date,
         account,
         sum(amount) as moved
  from {{ source('raw.payments') }}
  where {{ window('raw.payments') }}
  group by 1, 2
)
select m.balance_date,
       m.account,
       m.moved,
       cast(coalesce(p.balance, 0) + m.moved as decimal(18, 2)) as balance
from moves as m
left join {{ this }} as p
  on p.account = m.account
 and p.balance_date = m.balance_date - 1
