-- Tickets per day of the support desk in Berlin. `opened_at` is UTC without a zone, and this cuts it
-- as if it were local: a ticket of half past midnight is counted one day early.
select cast(opened_at as date) as opened_on,
       topic,
       count(*) as tickets
from {{ source('raw.tickets') }}
where {{ window('raw.tickets') }}
group by 1, 2
