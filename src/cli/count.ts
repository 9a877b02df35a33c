/** A number with its word, singular or plural. */
export const count = (total: number, one: string, many = `${one}s`): string =>
  `${total} ${total === 1 ? one : many}`;
