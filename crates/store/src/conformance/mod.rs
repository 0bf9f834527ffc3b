//! What every store must do, case by case.
//!
//! A case is a plain function over `&dyn Store` that starts from an empty store and panics when the store is wrong.
//! [`conformance_suite!`](crate::conformance_suite) makes a test of each. Ids and times are fixed numbers, so a store
//! that draws its own or looks at a clock shows itself.

#![expect(
    clippy::unwrap_used,
    reason = "a case reports what is wrong by panicking"
)]

pub mod changes;
pub mod claims;
pub mod flush;
pub mod forgetting;
pub mod given;
pub mod inbox;
pub mod jobs;
pub mod memories;
pub mod recall;
pub mod tenants;
pub mod upkeep;
pub mod users;
pub mod vectors;

/// Makes a test of every case. `$open` is an async function that gives something with a method `store()`, which
/// answers `&dyn Store`; each case gets a fresh one.
#[macro_export]
macro_rules! conformance_suite {
    ($open:path) => {
        $crate::conformance_cases! { $open;
            users: [
                a_user_comes_back_as_it_was_made,
                a_user_is_made_once,
                a_user_needs_its_project,
                fields_are_replaced_and_removed,
                users_that_look_alike_share_nothing,
                an_erase_leaves_nothing,
                an_erase_stops_a_running_job,
                an_erase_spares_everybody_else
            ],
            inbox: [
                any_source_round_trips,
                sources_are_listed_in_pages_without_gaps,
                appending_for_nobody_is_refused,
                the_threshold_starts_one_job_with_everything_idle,
                racing_appends_start_one_job,
                kinds_fill_up_apart,
                sources_of_two_kinds_are_refused_whole,
                a_repeat_answers_like_the_first_time,
                a_deleted_source_no_longer_counts,
                a_rested_buffer_is_due
            ],
            flush: [
                a_flush_takes_what_is_idle,
                a_flush_waits_for_what_is_under_way,
                a_flush_hurries_what_failed,
                a_flush_revives_a_dead_job,
                a_flush_picks_up_orphans
            ],
            claims: [
                jobs_are_claimed_oldest_first,
                jobs_of_one_user_run_one_at_a_time,
                an_abandoned_job_comes_before_later_ones,
                an_abandoned_job_keeps_its_place,
                a_zombie_is_refused_everywhere,
                racing_claims_never_share_a_job,
                failed_rows_move_to_the_next_job_in_order,
                a_job_that_keeps_rows_is_not_superseded,
                taking_respects_the_bound_and_the_order,
                a_back_off_is_waited_for
            ],
            jobs: [
                a_heartbeat_keeps_the_lease,
                a_finished_job_is_final,
                an_unfinished_row_is_never_lost,
                a_failure_waits_then_dies,
                a_released_attempt_does_not_count,
                a_dead_job_can_be_replayed,
                jobs_are_listed_newest_first,
                the_next_moment_is_known,
                the_queue_is_counted
            ],
            changes: [
                a_commit_needs_its_user,
                a_stale_plan_is_refused,
                only_changes_of_memory_count,
                a_failing_change_leaves_nothing,
                a_slot_is_taken_once,
                slots_can_be_traded,
                a_new_memory_may_have_several_states,
                scopes_keep_their_own_slots,
                a_revision_must_follow_the_stored_one,
                a_confirmed_memory_only_moves_up,
                a_batch_is_committed_with_its_job,
                sources_can_be_dropped_with_the_change
            ],
            memories: [
                any_memory_round_trips,
                the_profile_is_ordered_by_change,
                memories_come_in_the_order_asked_for,
                the_timeline_is_total_and_newest_first,
                the_timeline_can_be_narrowed,
                gists_keep_the_order_of_their_lines,
                the_past_is_kept,
                provenance_outlives_its_source,
                memories_belong_to_one_user
            ],
            forgetting: [
                forgetting_an_event_forgets_its_gists,
                forgotten_words_do_not_come_back,
                other_words_and_other_sources_may_come,
                nothing_of_the_forgotten_is_found,
                forgetting_twice_is_forgetting_once,
                earlier_words_of_the_forgotten_stay_away
            ],
            recall: [
                statistics_are_the_users_own,
                postings_follow_the_change,
                terms_of_any_script_are_exact,
                kinds_have_their_own_statistics
            ],
            vectors: [
                nearest_is_exact,
                nearest_can_be_narrowed,
                spaces_are_never_compared,
                the_backlog_is_worked_off_oldest_first,
                stale_vectors_are_dropped,
                a_revised_memory_needs_a_new_vector,
                a_new_space_wants_all_vectors
            ],
            tenants: [
                a_project_is_made_once,
                configuration_is_kept_verbatim,
                usage_adds_up_by_day_and_call,
                usage_of_others_is_not_shown
            ],
            upkeep: [
                a_healthy_store_says_so,
                tidying_removes_only_what_is_over,
                nothing_is_answered_after_the_end
            ]
        }
    };
}

/// The inner half of [`conformance_suite!`](crate::conformance_suite): one module for each group, one test for each case.
#[doc(hidden)]
#[macro_export]
macro_rules! conformance_cases {
    ($open:path; $($group:ident: [$($case:ident),+ $(,)?]),+ $(,)?) => {
        $crate::conformance_groups! { ($open) $($group: [$($case),+])+ }
    };
}

/// Repeats the opener for each case, which a single macro cannot do at two depths.
#[doc(hidden)]
#[macro_export]
macro_rules! conformance_groups {
    ($open:tt) => {};
    (($open:path) $group:ident: [$($case:ident),+] $($rest:tt)*) => {
        mod $group {
            use super::*;
            $crate::conformance_tests! { ($open) $group $($case)+ }
        }
        $crate::conformance_groups! { ($open) $($rest)* }
    };
}

/// One test for each case of a group.
#[doc(hidden)]
#[macro_export]
macro_rules! conformance_tests {
    (($open:path) $group:ident) => {};
    (($open:path) $group:ident $case:ident $($rest:ident)*) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            let opened = $open().await;
            $crate::conformance::$group::$case(opened.store()).await;
        }
        $crate::conformance_tests! { ($open) $group $($rest)* }
    };
}
