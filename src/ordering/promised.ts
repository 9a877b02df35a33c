import type { Contract } from './state.ts';

/** Where versions promise nothing there are none, whatever number came along. */
export function promised<T extends { version: string | null }>(contract: Contract, news: T): T {
  return contract === 'unordered' && news.version !== null ? { ...news, version: null } : news;
}
