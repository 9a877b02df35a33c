/** The configuration of a receiver whose one source, `shop`, is a sandbox. */
export const oneSourceConfig = (secret: string): string => `
export default {
  machines: [{
    name: 'order', version: 1, initial: 'new', statuses: { new: {}, paid: {} }, effects: {},
    on: { 'payment.captured': { new: 'paid', else: { ignore: 'paid already' } } }, unlisted: 'ask',
  }],
  sources: {
    shop: {
      provider: 'sandbox', environment: 'live', machine: 'order', contract: 'monotonic', unknownTypes: 'reject',
      secrets: [{ id: 'a', value: '${secret}' }],
    },
  },
  effects: {},
};
`;
