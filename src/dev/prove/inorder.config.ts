/**
 * The demo's configuration for the proof, with one thing taken away: versions. Each source is read as one whose events
 * say only when they happened, in whole seconds, as most providers' do; so inorder knows no more than the handlers it
 * is compared with.
 */
import { defineConfig } from 'inorder';
import demo from '../../../inorder.config.ts';

// The provider's API answers from its records here, never from a replica that may be a minute behind.
const withoutVersions = { contract: 'unordered', lagWindow: '2s' } as const;

export default defineConfig({
  ...demo,
  sources: Object.fromEntries(
    Object.entries(demo.sources).map(([name, source]) => [name, { ...source, ...withoutVersions }]),
  ),
});
