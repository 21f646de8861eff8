#include "base/queue.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/guarded.h"

namespace retrofill {
namespace {

TEST(Queue, ItemsComeOutInOrder) {
  Queue<int> queue(3);
  EXPECT_TRUE(queue.Push(1));
  EXPECT_TRUE(queue.Push(2));
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_EQ(queue.Pop(), 2);
  EXPECT_EQ(queue.size(), 0u);
}

TEST(Queue, FullQueueTakesNoMore) {
  Queue<int> queue(1);
  EXPECT_TRUE(queue.TryPush(1));
  EXPECT_FALSE(queue.TryPush(2));
  EXPECT_EQ(queue.PopAll().size(), 1u);
  EXPECT_TRUE(queue.TryPush(3));
}

TEST(Queue, ClosedQueueGivesOutWhatItHolds) {
  Queue<int> queue(2);
  EXPECT_TRUE(queue.Push(1));
  queue.Close();
  EXPECT_FALSE(queue.Push(2));
  EXPECT_FALSE(queue.TryPush(2));
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_EQ(queue.Pop(), std::nullopt);
  EXPECT_TRUE(queue.is_closed());
}

TEST(Queue, PopWithinGivesUp) {
  Queue<int> queue(1);
  EXPECT_EQ(queue.PopWithin(absl::Milliseconds(1)), std::nullopt);
  EXPECT_TRUE(queue.Push(1));
  EXPECT_EQ(queue.PopWithin(absl::Seconds(60)), 1);
}

TEST(Queue, StopEndsTheWait) {
  Queue<int> empty(1), full(1);
  EXPECT_TRUE(full.Push(1));
  std::jthread popper([&](std::stop_token stop) { EXPECT_EQ(empty.Pop(stop), std::nullopt); });
  std::jthread pusher([&](std::stop_token stop) { EXPECT_FALSE(full.Push(2, stop)); });
  popper.request_stop();
  pusher.request_stop();
  popper.join();
  pusher.join();
  EXPECT_EQ(full.size(), 1u);
}

TEST(Queue, NothingIsLostBetweenThreads) {
  Queue<int> queue(2);
  Guarded<int64_t> sum(0);
  {
    std::vector<std::jthread> poppers;
    for (int i = 0; i < 3; ++i) {
      poppers.emplace_back([&] {
        while (const std::optional<int> item = queue.Pop()) {
          sum.With([&](int64_t& total) { total += *item; });
        }
      });
    }
    std::vector<std::jthread> pushers;
    for (int i = 0; i < 3; ++i) {
      pushers.emplace_back([&] {
        for (int item = 1; item <= 1000; ++item) EXPECT_TRUE(queue.Push(item));
      });
    }
    pushers.clear();
    queue.Close();
  }
  EXPECT_EQ(sum.Get(), 3 * 500'500);
}

TEST(Guarded, ValueIsReachedUnderTheLockOnly) {
  Guarded<int> value(3);
  EXPECT_EQ(value.With([](int& held) { return ++held; }), 4);
  value.Set(7);
  const Guarded<int>& constant = value;
  EXPECT_EQ(constant.With([](const int& held) { return held; }), 7);
}

}  // namespace
}  // namespace retrofill
