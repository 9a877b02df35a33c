/** What a stranger sends: never random noise, but what would do harm if it were believed. */
import type { Random } from '../sandbox/random.ts';
import type { SandboxEvent } from '../sandbox/world.ts';
import type { SignedMessage } from './post.ts';
import type { PlannedDelivery } from './storm.ts';

export interface OutgoingDelivery extends SignedMessage {
  planned: PlannedDelivery;
  event: SandboxEvent;
}

const TEN_MINUTES_S = 600;
const HARMFUL: Record<string, string> = { shop: 'order.cancelled', payments: 'payment.refunded' };

export function forgeBody(genuine: OutgoingDelivery, random: Random): OutgoingDelivery {
  const { event, planned, source } = genuine;
  switch (planned.forgery) {
    case null:
      return genuine;
    case 'old_time':
      // Genuine in every byte, caught on the wire, and played again later.
      return { ...genuine, ageSeconds: TEN_MINUTES_S };
    case 'changed_byte': {
      const at = genuine.body.indexOf('"version":') + '"version":'.length;
      return { ...genuine, spoil: (body) => withDigit(body, at, random.between(1, 8)) };
    }
    case 'wrong_secret': {
      const body = genuine.body
        .replace(event.id, `evt_forged_${planned.copy}`)
        .replace(`"type":"${event.type}"`, `"type":"${HARMFUL[source] ?? event.type}"`)
        .replace(`"version":${event.version}`, `"version":${event.version + 1}`);
      const secret = `whsec_${Buffer.from(`guessed by a stranger ${planned.copy}`.padEnd(24)).toString('base64')}`;
      return { ...genuine, id: `msg_forged_${planned.copy}`, body, secret };
    }
  }
}

/** Another digit at that byte, whichever stands there. */
function withDigit(body: Buffer, at: number, by: number): Buffer {
  const changed = Buffer.from(body);
  changed[at] = 48 + (((changed[at] as number) - 48 + by) % 10);
  return changed;
}
