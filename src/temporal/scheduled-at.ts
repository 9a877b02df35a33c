/**
 * When the attempt that runs was scheduled, by the server: the clock that its workflow goes by. A worker's own clock may be
 * minutes off, and the two are never compared.
 */
import { activityInfo } from '@temporalio/activity';

export const scheduledAtMs = (): number => activityInfo().currentAttemptScheduledTimestampMs;
