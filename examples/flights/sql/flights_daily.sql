-- Flights per day and airport of departure. A flight is late if it left more than 15 minutes late.
select cast(date as date) as flight_date,
       origin,
       count(*) as flights,
       count(*) filter (where delay > 15) as delayed,
       cast(sum(delay) as bigint) as delay_sum,
       cast(sum(distance) as bigint) as distance_sum
from {{ source('flights') }}
where {{ window('flights') }}
group by 1, 2
