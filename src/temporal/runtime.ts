/**
 * The SDK's native side, once per process: its log lines go into ours, its signal handlers are off, because the
 * process decides in which order things stop.
 */
import { Runtime } from '@temporalio/worker';
import type { Logger, LogLevel, LogMetadata } from '@temporalio/worker';
import type { Log } from '../log.ts';

let isInstalled = false;

/** The first call decides; the native runtime cannot be replaced while connections use it. */
export function installRuntime(log: Log): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    logger: asTemporalLogger(log),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
}

export function asTemporalLogger(log: Log): Logger {
  const write = (level: LogLevel, message: string, meta?: LogMetadata): void => {
    // Lines of workflow and activity code keep their level; the SDK's own are told from warnings up, because it
    // reports every start and end of each of its parts.
    const component: unknown = meta?.['sdkComponent'];
    const isOurs = component === 'workflow' || component === 'activity';
    if (level === 'ERROR') log.error(fieldsOf(meta), message);
    else if (level === 'WARN' && !isHarmless(message)) log.warn(fieldsOf(meta), message);
    else if (level === 'INFO' && isOurs) log.info(fieldsOf(meta), message);
    else if (level !== 'TRACE' && isOurs) log.debug(fieldsOf(meta), message);
  };
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}

/** True of every worker that only asks, and of every poll during an outage, which Reachability tells once. */
const isHarmless = (message: string): boolean =>
  message.startsWith('No workflows registered') || /^gRPC call poll_\w+ retried/.test(message);

/** Only what names the work: the SDK's metadata may hold arguments and payloads. */
function fieldsOf(meta: LogMetadata | undefined): Record<string, unknown> {
  return {
    workflow: meta?.['workflowId'],
    run: meta?.['runId'],
    reason: meta?.['activityType'],
    attempt: meta?.['attempt'],
    error: meta?.['error'],
  };
}
