/**
 * A WorkflowClient whose signalWithStart carries a request id of our choice, so that the server drops a signal
 * that this run of the workflow has had already. The SDK always sends a random one and offers no option.
 *
 * It only spares work: the server remembers ids per run, not for ever, and whatever gets through twice is
 * settled once by `apply`. Nothing may come to rely on it.
 */
import { WorkflowClient } from '@temporalio/client';
import type { WorkflowService } from '@temporalio/client';

export class RequestIdClient extends WorkflowClient {
  /**
   * Every signalWithStart that `call` makes by the client it is given goes out under this id; nothing else does.
   * Not by AsyncLocalStorage: before Node 24 that makes every promise of the process dearer.
   */
  withRequestId<T>(requestId: string, call: (client: WorkflowClient) => Promise<T>): Promise<T> {
    const service = this.workflowService;
    const send = service.signalWithStartWorkflowExecution.bind(service);
    const named: Pick<WorkflowService, 'signalWithStartWorkflowExecution'> = {
      signalWithStartWorkflowExecution: ((request: Parameters<typeof send>[0]) =>
        send({ ...request, requestId })) as typeof send,
    };
    const workflowService = Object.assign(Object.create(service) as WorkflowService, named);
    return call(Object.create(this, { workflowService: { value: workflowService } }) as WorkflowClient);
  }
}
