#include "parallel/pool.hpp"

#include "base/settings.hpp"
#include "base/system.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace ceiba {

namespace {

struct Job {
    TaskRef task;
    std::int64_t n_tasks;
    int wanted;                 // workers that may still join
    InterruptScope* interrupts; // of the caller; null if it cannot be interrupted
    std::atomic<std::int64_t> next{0};
    std::atomic<std::int64_t> finished{0};
    std::atomic<int> inside{0}; // workers between joining and leaving; the caller waits for them
    std::mutex failure_mutex;
    std::exception_ptr failure;
};

thread_local bool inside_task = false;

void work_on(Job& job) {
    inside_task = true;
    for (;;) {
        const std::int64_t i = job.next.fetch_add(1, std::memory_order_relaxed);
        if (i >= job.n_tasks) break;
        try {
            check_interrupt();
            job.task.call(job.task.callable, i);
        } catch (...) {
            std::lock_guard lock(job.failure_mutex);
            if (!job.failure) job.failure = std::current_exception();
            job.next.store(job.n_tasks, std::memory_order_relaxed);
        }
    }
    inside_task = false;
}

// Wait a few microseconds without sleeping, because the jobs of a tree follow each other closely.
template <class Ready>
bool spin_until(Ready ready) {
    for (int i = 0; i < 20000; ++i) {
        if (ready()) return true;
        spin_pause();
    }
    return false;
}

class Pool {
  public:
    void run(int n_threads, std::int64_t n_tasks, TaskRef task) {
        // Computed first: once the job is open, workers decrement job.wanted under the lock.
        const int wanted = static_cast<int>(std::min<std::int64_t>(n_threads, n_tasks)) - 1;
        Job job{task, n_tasks, wanted, current_interrupt_scope(), {}, {}, {}, {}, {}};
        count(counters().parallel_jobs);
        {
            std::lock_guard lock(mutex_);
            while (n_workers_ < std::min(wanted, kMostWorkers) && add_worker()) ++n_workers_;
            open_.push_back(&job);
            n_open_.fetch_add(1, std::memory_order_release);
        }
        if (wanted == 1)
            wake_.notify_one();
        else
            wake_.notify_all();
        work_on(job);
        {
            std::lock_guard lock(mutex_);
            close(&job);
        }
        auto left = [&] { return job.inside.load(std::memory_order_acquire) == 0; };
        if (!spin_until(left)) wait_for_workers(job, left);
        check_interrupt();
        if (job.failure) std::rethrow_exception(job.failure);
    }

    void before_fork() { mutex_.lock(); }
    void after_fork_parent() { mutex_.unlock(); }

  private:
    static constexpr int kMostWorkers = 255;

    // Workers may be in long tasks. Meanwhile the caller keeps polling for signals and so
    // interrupts them.
    template <class Left>
    void wait_for_workers(const Job& job, Left left) {
        std::unique_lock lock(mutex_);
        if (job.interrupts == nullptr) return done_.wait(lock, left);
        while (!done_.wait_for(lock, InterruptScope::kPollInterval, left)) {
            lock.unlock();
            job.interrupts->poll_if_due();
            lock.lock();
        }
    }

    // Running out of threads is not an error: the existing ones do the work.
    bool add_worker() {
        try {
            std::thread([this] { serve(); }).detach();
            return true;
        } catch (const std::system_error&) {
            return false;
        }
    }

    void close(Job* job) {
        const auto at = std::find(open_.begin(), open_.end(), job);
        if (at == open_.end()) return;
        open_.erase(at);
        n_open_.fetch_sub(1, std::memory_order_release);
    }

    void serve() {
        for (;;) {
            spin_until([&] { return n_open_.load(std::memory_order_acquire) > 0; });
            Job* job = nullptr;
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return !open_.empty(); });
                job = open_.front();
                job->inside.fetch_add(1, std::memory_order_relaxed);
                if (--job->wanted == 0) close(job);
            }
            {
                const BorrowedInterruptScope interrupts(job->interrupts);
                work_on(*job);
            }
            bool last = false;
            {
                // The caller may return and destroy the job as soon as `inside` is zero and the
                // lock is free.
                std::lock_guard lock(mutex_);
                last = job->inside.fetch_sub(1, std::memory_order_acq_rel) == 1;
            }
            if (last) done_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::deque<Job*> open_;
    std::atomic<int> n_open_{0};
    int n_workers_ = 0;
};

Pool* pool = nullptr;
std::mutex pool_mutex;

// Never destroyed: detached workers may outlive every static object. A child of fork() has none of
// the parent's workers, so it abandons the parent's pool (a few hundred bytes) and creates its own.
Pool& the_pool() {
    std::lock_guard lock(pool_mutex);
    if (pool == nullptr) pool = new Pool;
    return *pool;
}

// Registered when the module is loaded, so that no fork can happen before.
[[maybe_unused]] const bool fork_handlers = on_fork(
    [] {
        pool_mutex.lock();
        if (pool != nullptr) pool->before_fork();
    },
    [] {
        if (pool != nullptr) pool->after_fork_parent();
        pool_mutex.unlock();
    },
    [] {
        pool = nullptr;
        inside_task = false;
        pool_mutex.unlock();
    });

} // namespace

void run_parallel(int n_threads, std::int64_t n_tasks, TaskRef task) {
    if (inside_task) {
        for (std::int64_t i = 0; i < n_tasks; ++i) {
            check_interrupt();
            task.call(task.callable, i);
        }
        return;
    }
    the_pool().run(n_threads, n_tasks, task);
}

int useful_threads(int n_threads, std::int64_t work) {
    return work < settings().serial_below ? 1 : n_threads;
}

} // namespace ceiba
