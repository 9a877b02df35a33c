/**
 * A subscription. Two kinds of objects tell about it, and nobody says in which order they are heard: the subscription
 * itself (started, paused, cancelled …) and each of its invoices (failed, paid). The subscription says whether it runs;
 * the invoices say whether it is paid for. `running` is where both meet: it runs, and no invoice has spoken yet.
 *
 * What an invoice says while the subscription does not run changes nothing and is not forgotten: its last word is
 * judged again when the subscription moves, and after `resumed` and `resubscribed`, which are steps back, all of them.
 */
import { defineMachine, ignore, stay } from 'inorder';

// Nothing changes. The application is told all the same, as it would be if this had been heard in its time.
const asItIs = stay('it is so already, or has gone further', ['syncAccess']);
const paid = stay('paid; the status is what the subscription and other invoices say', [
  'sendReceipt',
  'syncAccess',
]);
const owed = stay('owed; judged again when the subscription moves', ['askForPayment']);
const owedToo = stay('another invoice is owed as well; judged again when the first is paid', [
  'askForPayment',
]);

export const subscription = defineMachine({
  name: 'subscription',
  version: 1,
  initial: 'new',

  statuses: {
    new: {},
    trialing: { effects: ['syncAccess'] },
    running: { effects: ['syncAccess'], deadline: { after: '3d', type: 'subscription.lapsed' } },
    active: { effects: ['syncAccess', 'sendReceipt'] },
    // Still has access: the customer has two weeks to pay.
    past_due: { effects: ['askForPayment'], deadline: { after: '14d', type: 'subscription.lapsed' } },
    lapsed: { effects: ['syncAccess'] },
    paused: { effects: ['syncAccess'] },
    cancelled: { effects: ['syncAccess'] },
  },

  effects: {
    // Access is a state, not an act: one effect for all statuses. It opens or shuts by `order.status` of its call.
    syncAccess: { once: 'event', whenPassed: 'skip' },
    sendReceipt: { once: 'event', whenPassed: 'run' },
    // Not while something is being asked, and not any more once it is paid.
    askForPayment: {
      once: 'event',
      whenPassed: 'skip',
      sensitive: true,
      validIn: ['past_due', 'lapsed', 'paused', 'cancelled'],
    },
  },

  on: {
    // ---- the subscription ----

    'subscription.trial_started': { new: 'trialing', else: asItIs },

    'subscription.started': { new: 'running', trialing: 'running', else: asItIs },

    'subscription.paused': {
      new: 'paused',
      trialing: 'paused',
      running: 'paused',
      active: 'paused',
      past_due: 'paused',
      lapsed: asItIs,
      paused: asItIs,
      cancelled: asItIs,
    },

    // From wherever it stands: the pause may be heard of later, and must not count any more then.
    'subscription.resumed': { lapsed: asItIs, cancelled: asItIs, else: 'running' },

    'subscription.cancelled': {
      new: 'cancelled',
      trialing: 'cancelled',
      running: 'cancelled',
      active: 'cancelled',
      past_due: 'cancelled',
      lapsed: 'cancelled',
      paused: 'cancelled',
      cancelled: asItIs,
    },

    // The same subscription once more. What was owed is still owed.
    'subscription.resubscribed': { else: 'running' },

    // The deadline's own word.
    'subscription.lapsed': { running: 'lapsed', past_due: 'lapsed', else: ignore('it was paid in time') },

    // ---- an invoice; `own` is the one that moved the subscription last ----

    'invoice.paid': {
      new: 'active',
      trialing: 'active',
      running: 'active',
      past_due: { own: 'active', other: paid },
      lapsed: { own: 'active', other: paid },
      else: paid,
    },

    'invoice.failed': {
      new: 'past_due',
      trialing: 'past_due',
      running: 'past_due',
      active: 'past_due',
      past_due: { own: owed, other: owedToo },
      else: owed,
    },
  },

  // A cancellation counts at once. What it had overtaken comes late and changes nothing any more.
  ahead: ['subscription.cancelled'],
  late: {
    'subscription.started': { cancelled: { effects: ['syncAccess'] } },
    'subscription.paused': { cancelled: { effects: ['syncAccess'] } },
    'subscription.resumed': { cancelled: { effects: ['syncAccess'] } },
  },
  stepsBack: ['subscription.resumed', 'subscription.resubscribed'],
});
