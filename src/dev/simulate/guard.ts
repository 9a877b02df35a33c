/** What has to be meant, and said, before made-up events are sent. */
import type { Source } from '../../config/resolved.ts';
import { InorderError } from '../../errors.ts';

export function guard(source: Source, target: URL, said: { order: boolean; yes: boolean }): void {
  if (source.environment === 'live' && !(said.order && said.yes)) {
    throw new InorderError(
      'usage',
      `The source '${source.name}' is of the environment 'live', where a made-up event is taken for a real one: the order ` +
        'moves, goods leave, mails are sent. If that is what you want, name the order and say so: --order ID --yes.',
    );
  }
  if (!isLoopback(target) && !said.yes) {
    throw new InorderError(
      'usage',
      `${target.origin} is another machine; whoever listens there takes made-up events for real ones. ` +
        'If that is what you want, say so: --yes.',
    );
  }
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
