/**
 * Stripe. Its events promise no order, so each is a hint and the API is asked (docs/stripe.md). A payment, its charge,
 * its refunds and the Checkout session that made it are one stream; a dispute is another.
 */
import type { Provider } from '../provider.ts';
import { apiHeaders } from './api.ts';
import { keyProblem, secretProblem } from './credentials.ts';
import { fetchObject } from './fetch.ts';
import { canFind, find, orderOf } from './find.ts';
import { list } from './list.ts';
import { parse } from './parse.ts';
import { SIGNATURE_HEADER, verifyStripe } from './signature.ts';
import { types } from './types.ts';

export const stripe: Provider = {
  name: 'stripe',
  version: 1,
  contract: 'unordered',
  types,
  verify: (delivery, secrets, settings) => verifyStripe(delivery, secrets, settings.toleranceMs),
  parse,
  // So that what is stored can be judged once more: `inorder verify --event`.
  headers: [SIGNATURE_HEADER],
  orderPathsFrom: 'data.object',
  // docs.stripe.com/webhooks: for up to three days with exponential back-off, in live mode.
  retryWindowMs: 3 * 86_400_000,
  secretProblem,
  keyProblem,
  apiBase: 'https://api.stripe.com',
  apiHeaders,
  fetch: fetchObject,
  canFind,
  find,
  orderOf,
  list,
  // docs.stripe.com/api/events: "going back up to 30 days".
  listsForMs: 30 * 86_400_000,
};
