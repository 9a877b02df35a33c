/**
 * Which IP addresses an effect may not be sent to unless its config says so: everything that is not plainly
 * public. A URL in a config, or a DNS record behind it, must not turn inorder into a door to the network it runs
 * in (metadata services, databases, admin pages).
 */
import { BlockList, isIP } from 'node:net';

const blocked = new BlockList();
// RFC 6890 and the IANA special-purpose registry.
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  blocked.addSubnet(network, prefix, 'ipv4');
}

const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
const blockedV6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23], // protocol assignments, Teredo among them: an IPv4 address in disguise
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4: the same disguise
  ['3fff::', 20],
] as const) {
  blockedV6.addSubnet(network, prefix, 'ipv6');
}

/** true for every address that is not plainly public, also for a text that is no address at all. */
export function isPrivateAddress(address: string): boolean {
  // A zone (`fe80::1%eth0`) only makes sense on a local link.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return blocked.check(address, 'ipv4');
  // IPv4-mapped, NAT64, loopback, unique-local and link-local addresses all lie outside 2000::/3.
  if (family === 6) return !publicV6.check(address, 'ipv6') || blockedV6.check(address, 'ipv6');
  return true;
}
