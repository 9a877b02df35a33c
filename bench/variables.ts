/** What the demo's configuration needs to be loaded. Nothing is asked and no effect runs: no address is called. */
const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
const NOWHERE = 'http://127.0.0.1:9';

export const VARIABLES = {
  SHOP_WEBHOOK_SECRET: SECRET,
  PAYMENTS_WEBHOOK_SECRET: SECRET,
  SHOP_API_URL: NOWHERE,
  PAYMENTS_API_URL: NOWHERE,
  EFFECTS_URL: NOWHERE,
  EFFECTS_SECRET: SECRET,
};
