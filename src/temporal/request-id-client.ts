/**
 * A WorkflowClient whose signalWithStart carries a request id of our choice, so that the server drops a signal
 * that this run of the workflow has had already. The SDK always sends a random one and offers no option.
 *
 * It only spares work: the server remembers ids per run, not for ever, and whatever gets through twice is
 * settled once by `apply`. Nothing may come to rely on it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { WorkflowClient } from '@temporalio/client';
import type { WorkflowService } from '@temporalio/client';

export class RequestIdClient extends WorkflowClient {
  readonly #requestId = new AsyncLocalStorage<string>();

  /** Every signalWithStart that `call` makes goes out under this id; other requests are left alone. */
  withRequestId<T>(requestId: string, call: () => Promise<T>): Promise<T> {
    return this.#requestId.run(requestId, call);
  }

  override get workflowService(): WorkflowService {
    const service = super.workflowService;
    const requestId = this.#requestId.getStore();
    if (requestId === undefined) return service;
    const send = service.signalWithStartWorkflowExecution.bind(service);
    const named: Pick<WorkflowService, 'signalWithStartWorkflowExecution'> = {
      signalWithStartWorkflowExecution: ((request: Parameters<typeof send>[0]) =>
        send({ ...request, requestId })) as typeof send,
    };
    return Object.assign(Object.create(service) as WorkflowService, named);
  }
}
