// Flows: matching, runs and their steps.

/** A flow waits between a minute and a month. */
export const WAIT_MINUTES_MAX = 43_200
/** design: an event of this depth starts no flow. */
export const FLOW_DEPTH_MAX = 3
/** Runs of one app at once. */
export const RUNS_AT_ONCE = 8
/** design: a run goes on for so long between its waits, from its first step; after that it has expired. */
export const RUN_MS = 10 * 60_000
/** When a step is tried again that ended with an error of ours, in seconds; after that the run has failed. */
export const STEP_RETRY_SECONDS = [1, 5, 30, 120] as const
/** How soon a call is asked again that the app's breaker or its cap did not let through, where that is not said. */
export const CALL_AGAIN_SECONDS = 5
/** Workspaces whose events are matched in one transaction, events of it, bytes of their bodies, and runs that it writes. */
export const FLOW_TENANTS_TOGETHER = 20
export const MATCHED_EVENTS = 200
export const MATCHED_BYTES = 8 * 1024 * 1024
export const RUNS_WRITTEN_TOGETHER = 2_000
/** Characters of conditions that a process keeps ready, of the flows that begin with an event. */
export const BEGINNINGS_KEPT_CHARS = 16 * 1024 ** 2
/**
 * Looking at an event before it is written, by the process that emits it: the flows that are looked at one by one, the longest event, the bytes of all
 * manifests that one type of event makes it read, how soon that is read again, and of how many types, each in a workspace, it is known when.
 */
export const FORESEEN_FLOWS_MAX = 50
export const FORESEEN_BODY_CHARS = 64 * 1024
export const FORESEEN_MANIFESTS_BYTES = 2 * 1024 ** 2
export const FORESEEN_AGAIN_MS = 1_000
export const FORESEEN_TYPES = 1_000
/** An event that cannot be matched is given up after so many attempts, an hour after it happened. */
export const MATCH_ATTEMPTS = 6
/** How long a slice of an app's runs goes on where nothing else waits for its slot: as long as a call may take. */
export const RUNS_SLICE_MAX_MS = 60_000
/** What a step gave is kept by its run where it is no larger; of larger ones the steps of a process that are rendered at a time hold so much together. */
export const OUTPUT_KEPT_BYTES = 8 * 1024
export const OUTPUTS_READ_BYTES = 8 * 1024 * 1024
/** design: what a flow renders: a text, and all that a step is given. */
export const RENDERED_STRING_BYTES = 16 * 1024
export const RENDERED_BYTES = 64 * 1024
